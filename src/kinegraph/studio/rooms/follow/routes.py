"""Walks through a graph: along a path, at random, in an order."""

from __future__ import annotations

import time
from types import MappingProxyType
from typing import Any

from fastapi import FastAPI
from pydantic import Field

from kinegraph.studio.results.service import Service
from kinegraph.studio.server.pool import Pool
from kinegraph.studio.server.problems import Conflict, Invalid
from kinegraph.studio.server.studio import Studio
from kinegraph.tasks.kinds.follow import Follow
from kinegraph.tasks.kinds.visit import Visit
from kinegraph.tasks.kinds.wander import Wander
from kinegraph.tasks.made import Made
from kinegraph.watch import Watch

# metres of the longest path that is followed while somebody waits, and seconds of the longest walk
_LONGEST, _LASTING = 500.0, 600.0
# seconds that a search may take while somebody waits: an exact one may take hours
_PATIENCE = 30.0


class FollowService(Service):
    """Walks along a path."""

    room = "follow"
    address = "/graphs/{id}/follow"
    asked = "FollowAsked"
    asks = ("follow",)
    source = "graph"
    defaults = MappingProxyType({"warp": True, "width": None})
    extra = MappingProxyType({"seed": (int | None, Field(None, description="Not used."))})
    said = MappingProxyType({"exclude_unset": True})

    def pool(self, studio: Studio, asked: Any) -> Pool:
        """Nothing else waits for exact searches."""
        return studio.thorough if asked.search == "exact" else studio.pool

    def check(self, task: Follow) -> None:
        """No path that is too long."""
        if task.path.length > _LONGEST:
            raise Invalid(f"path: it is {task.path.length:,.0f} m long; at most {_LONGEST:g} m are followed at once")

    def run(self, studio: Studio, task: Follow, origin: Any, watch: Watch) -> Made:
        """Search for as long as anybody waits."""
        return task.run(origin, Patience(watch, task.search))


class WalkService(Service):
    """Walks at random, and in an order."""

    room = "walk"
    address = "/graphs/{id}/walk"
    asked = "WalkAsked"
    asks = ("wander", "visit")
    usage = "a walk is at random for some seconds, or a sequence of clips and labels: give one of the two"
    source = "graph"
    said = MappingProxyType({"exclude_unset": True})

    def check(self, task: Wander | Visit) -> None:
        """No stays that are too long together."""
        if isinstance(task, Visit):
            stays = [task.stay] * len(task.steps) if isinstance(task.stay, int | float) else task.stay
            if sum(stays) > _LASTING:
                raise Invalid(f"the stays last more than {_LASTING:g} s together")


class Patience(Watch):
    """Stops a search that nobody wants any more, or that takes longer than anybody waits."""

    def __init__(self, watch: Watch, search: str):
        self._watch = watch
        self._until = time.monotonic() + _PATIENCE
        self._instead = "search fast instead of exactly" if search == "exact" else "keep fewer walks at a time"

    def check(self) -> None:
        """A `Conflict` says what to do instead."""
        self._watch.check()
        if time.monotonic() > self._until:
            raise Conflict(
                f"this search has taken more than {_PATIENCE:g} s and was stopped: "
                f"{self._instead}, look less far ahead, or draw a shorter path"
            )


def register(app: FastAPI, studio: Studio) -> None:
    """Answer requests for walks."""
    FollowService().serve(app, studio)
    WalkService().serve(app, studio)
