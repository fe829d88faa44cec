"""Scenes as motion, while somebody drags their keys."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from fastapi import FastAPI

from kinegraph.scenes.reading import as_scene
from kinegraph.studio.results.service import Service
from kinegraph.studio.server.pool import Pool
from kinegraph.studio.server.studio import Studio
from kinegraph.tasks.kinds.direct import Direct


class DirectService(Service):
    """The motion of a scene: a draft, or what is kept."""

    room = "direct"
    address = "/graphs/{id}/direct"
    asked = "DirectAsked"
    asks = ("direct",)
    source = "graph"
    said = MappingProxyType({"exclude_unset": True, "by_alias": True})

    def pool(self, studio: Studio, asked: Any) -> Pool:
        """No draft waits for a whole search that nobody wants any more."""
        return studio.pool if asked.draft else studio.thorough

    def check(self, task: Direct) -> None:
        """Refuse a scene that contradicts itself before the graph is looked at."""
        as_scene(task.scene)

    def prepared(self, studio: Studio, task: Direct, id: str) -> Direct:
        """What strikes is in the graph's own file."""
        if not task.scene.get("strike") or "spaces" not in task.wishes():
            return task
        workspace = studio.workspace
        found = workspace.content(workspace.entry(workspace.find("mog", id))).spaces
        given: dict[str, Any] = {"spaces": [workspace.space(id, one.name) for one in found]}
        return replace(task, **given)


def register(app: FastAPI, studio: Studio) -> None:
    """Answer requests for scenes."""
    DirectService().serve(app, studio)
