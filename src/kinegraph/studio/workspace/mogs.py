"""What a `.mog` file holds, told from its tables without reading its motions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kinegraph.errors import FormatError
from kinegraph.graph.store import schema
from kinegraph.graph.store.file import damage_told, opened, tables


@dataclass(frozen=True)
class SpaceRow:
    """A space of strikes in a file."""

    name: str
    kind: str
    side: str
    strikes: int


@dataclass(frozen=True)
class Content:
    """graph: whether it holds one, or nothing that can be told. clips: of the graph. error: why it cannot be read."""

    graph: bool
    clips: int | None = None
    spaces: tuple[SpaceRow, ...] = ()
    error: str | None = None


def content(path: Path) -> Content:
    """What a file holds."""
    try:
        with opened(path, "motion graph") as connection, damage_told(path, "motion graph"):
            found = tables(connection)
            clips = None
            if found.issuperset(schema.TABLES) or found.issuperset(schema.FIRST_TABLES):
                clips = int(connection.execute("SELECT count(*) FROM clip").fetchone()[0])
            spaces: tuple[SpaceRow, ...] = ()
            if found.issuperset(schema.SPACE_TABLES):
                rows = connection.execute(
                    "SELECT name, kind, side, (SELECT count(*) FROM space_strike WHERE space = space.id) FROM space ORDER BY id"
                )
                spaces = tuple(SpaceRow(str(n), str(k), str(s), int(c)) for n, k, s, c in rows)
            if clips is None and not spaces:
                return Content(True, error="the file holds neither a motion graph nor a space")
            return Content(clips is not None, clips, spaces)
    except FormatError as error:
        return Content(True, error=error.what)
