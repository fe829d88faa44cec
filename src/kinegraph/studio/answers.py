"""Results as answers: held for whoever wants to look at them again, keep or export them, and sent as a pack."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from kinegraph.player import motion_pack
from kinegraph.studio.made import Made
from kinegraph.studio.sources import Origin, digest


def result_pack(
    app: FastAPI, laid: Made, *, room: str, title: str, request: dict[str, Any], source: dict[str, str], origin: Origin
) -> bytes:
    """The pack of a new result, which the app holds from now on.

    source: the id of the file that it was made from, by its kind. origin: what that file held then.
    """
    facts = {
        "room": room,
        "title": title,
        "request": request,
        "source": source,
        "source_digest": digest(origin),
        **laid.facts,
    }
    id = app.state.results.put(laid.motion, laid.contacts, facts, laid.arrays)
    return motion_pack(laid.motion, contacts=laid.contacts, facts={"result": {"id": id, **facts}}, arrays=laid.arrays)
