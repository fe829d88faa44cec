"""What is done with a hostile file: all that anybody could do with it. An error of ours is an answer; anything else is a fault."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import kinegraph as kg
from kinegraph.errors import KinegraphError
from kinegraph.graph.making.builder import rechoose
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store.files import steps
from kinegraph.graph.summary.figures import summary
from kinegraph.graph.summary.text import long_rows
from kinegraph.strikes.space import Space
from kinegraph.studio.rooms.graph.graphs import edges_pack, told
from kinegraph.studio.workspace.mogs import content

LOOK = ("content", "check", "inspect", "studio", "save")
WALK = ("follow", "wander", "visit", "live", "rechoose", "add")
STRIKE = ("strike", "show")


def answers(path: Path, wanted: tuple[str, ...] = (*LOOK, *WALK, *STRIKE)) -> Iterator[tuple[str, str]]:
    """What becomes of each thing that is done: its name, and ``done``, ``refused: …``, or ``fault: …``."""
    loaded: dict[str, Any] = {}

    def graph() -> MotionGraph:
        if "graph" not in loaded:
            loaded["graph"] = kg.graph.load(path)
        return loaded["graph"]  # type: ignore[no-any-return]

    def space() -> Space:
        if "space" not in loaded:
            loaded["space"] = kg.strikes.load(path)
        return loaded["space"]  # type: ignore[no-any-return]

    trials: dict[str, Callable[[], Any]] = {
        "content": lambda: content(path),
        "check": lambda: kg.strikes.check(path),
        "inspect": lambda: [*long_rows(json.loads(_json(summary(graph(), steps(path)))))],
        "studio": lambda: (_json(told(graph(), path)), edges_pack(graph())),
        "save": lambda: kg.graph.save(graph(), path.with_name("again.mog")),
        "follow": lambda: _sound(kg.follow(graph(), "line:3")),
        "wander": lambda: _sound(kg.wander(graph(), seconds=3)),
        "visit": lambda: _sound(kg.visit(graph(), [clip.name for clip in graph().clips[:2]])),
        "live": lambda: _steered(graph()),
        "rechoose": lambda: rechoose(graph(), replace(graph().record.parameters, threshold=0.1)),
        "add": lambda: kg.graph.add(graph(), kg.samples.make("walk_right_medium").motion),
        "strike": lambda: _sound(kg.strike(space(), (0.1, 1.2))),
        "show": lambda: _json(space().describe()) if hasattr(space(), "describe") else repr(space()),
    }
    for name in wanted:
        try:
            trials[name]()
        except KinegraphError as error:
            yield name, f"refused: {error}"
        except Exception as error:
            yield name, f"fault: {type(error).__name__}: {error}"
            loaded.setdefault("faults", []).append(error)
        else:
            yield name, "done"


def _json(value: Any) -> str:
    """As the command line and the server write it: numbers that JSON lacks are a fault."""
    return json.dumps(value, allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else list(value)


def _sound(made: Any) -> None:
    _json(made.quality)
    assert len(made.motion) < 100_000, f"{len(made.motion)} frames"


def _steered(graph: MotionGraph) -> None:
    person = kg.live(graph)
    for _ in range(45):
        person.step(velocity=(0, 1.2))
