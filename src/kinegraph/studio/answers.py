"""Results as answers: held for whoever wants to look at them again, keep or export them, and sent as a pack."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from kinegraph.packs import motion_pack
from kinegraph.studio.made import Made


def result_pack(
    app: FastAPI, laid: Made, *, room: str, title: str, request: dict[str, Any], source: dict[str, str]
) -> bytes:
    """The pack of a new result, which the app holds from now on."""
    facts = {"room": room, "title": title, "request": request, "source": source, **laid.facts}
    id = app.state.results.put(laid.motion, laid.contacts, facts, laid.arrays)
    return motion_pack(laid.motion, contacts=laid.contacts, facts={"result": {"id": id, **facts}}, arrays=laid.arrays)
