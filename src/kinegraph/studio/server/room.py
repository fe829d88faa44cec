"""`Room`: what a room of the studio adds to the server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, FastAPI

from kinegraph.studio.server.studio import Studio


@dataclass(frozen=True)
class Room:
    """A room of the page, as the server knows it."""

    name: str
    """What the page calls it."""
    routers: Sequence[APIRouter]
    """The addresses that it answers at."""
    register: Callable[[FastAPI, Studio], None]
    """Adds what else it needs: jobs, services, things that it holds."""
