"""Compiles, once, what the tests' workers would each compile for themselves: `make test` runs it while it checks the sources."""

from __future__ import annotations

import kinegraph as kg
from kinegraph.people.stick import Stick

CLIPS = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "run", "jump", "stop")


def warm() -> None:
    """Build a graph, and do on it what people do."""
    clips = [kg.samples.make(name).motion for name in CLIPS]
    graph = kg.build(clips)
    kg.steer(
        graph, stick=Stick.of([(0.0, (0.0, 1.3)), (1.0, (1.0, 0.5), 0.5), (2.0, (0.0, 0.0), None, "", "jump"), (3.0,)])
    )
    kg.wander(graph, seconds=4)
    kg.visit(graph, ["stand", "walk"])
    kg.follow(graph, "circle:2")
    kg.follow(graph, "line:2", search="exact")
    kg.repath(clips[2], "circle:2")
    kg.crowd(graph, "hallway:4", seconds=2)
    kg.direct(graph, {"seconds": 4, "key": [{"time": 1, "at": [0, 0]}, {"time": 3, "at": [0, 2]}]})


if __name__ == "__main__":
    warm()
