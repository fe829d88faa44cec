"""Takes: what was steered as a result like any other, and how it is made again."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

from kinegraph.people.stick import Intent, Stick
from kinegraph.studio.results.origins import digest
from kinegraph.studio.server.problems import Conflict
from kinegraph.studio.server.studio import Studio
from kinegraph.studio.workspace.files import write_json
from kinegraph.tasks.answers import per_frame, told
from kinegraph.tasks.kinds.steer import Steer

FOLDER = "sticks"


def take(studio: Studio, id: str, stick: Stick, *, is_all: bool) -> str:
    """The id of the result of a stick on the graph of that id: the same as was shown, since the same stick gives the same motion."""
    if stick.seconds <= 0.0:
        raise Conflict("nothing was steered yet")
    graph = studio.workspace.graph(id)
    made = Steer(stick=stick, spaces=str(studio.workspace.find("mog", id))).run(graph)
    if not is_all:
        made = made.noting(f"only the first {stick.seconds / 60:g} minutes are held")
    facts = {
        "room": "live",
        "request": {"stick": [_row(intent) for intent in stick.intents]},
        "source": {"graph": id},
        "source_digest": digest(graph),
        "path": None,
        **told(made),
    }
    return studio.results.put(made.motion, made.contacts, facts, per_frame(made))


class Takes:
    """How takes are made again: by their sticks, which are written beside the sketches for a command to name them."""

    def __init__(self, studio: Studio):
        self._studio = studio

    def again(self, studio: Studio, request: Mapping[str, Any]) -> Steer | None:
        """The task of a request that was kept; None where it has no stick."""
        rows = request.get("stick")
        if not isinstance(rows, list) or not rows:
            return None
        name = hashlib.blake2s(json.dumps(rows, sort_keys=True).encode(), digest_size=4).hexdigest()
        workspace = self._studio.workspace
        with workspace.lock:
            file = workspace.new(FOLDER, f"stick {name}", ".json", replace=True)
            if not file.exists():
                write_json(file, {"stick": rows})
        return Steer(stick=file.relative_to(workspace.root).as_posix())


def _row(intent: Intent) -> dict[str, Any]:
    """As stick files hold it."""
    row: dict[str, Any] = {"t": intent.t, "x": intent.velocity[0], "z": intent.velocity[1]}
    row |= {} if intent.facing is None else {"facing": math.degrees(intent.facing)}
    row |= {} if intent.target is None else dict(zip(("tx", "ty", "tz"), intent.target, strict=True))
    return row | {name: word for name in ("label", "action") if (word := getattr(intent, name))}
