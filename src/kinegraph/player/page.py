"""The HTML of the player. Its script is built from `web/src/player` by `make web`, or when a wheel is made."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

from kinegraph.errors import KinegraphError
from kinegraph.formats.atomic import replacing
from kinegraph.motion import Motion
from kinegraph.player import body_pack, motion_pack

NOT_BUILT = "the player's script is not built: run `make web` in kinegraph's checkout, which takes Node, or install a wheel, which has it"
"""What to say if there is no script to put into a page."""

# Frames a second that a notebook holds of a motion at most: it is saved with all that it shows.
_NOTEBOOK_RATE = 30.0
# Seconds of motion beyond which a notebook is not to hold it.
_NOTEBOOK_LONGEST = 600.0
_NOTEBOOK_HEIGHT = 440

# Nothing may be fetched from anywhere: what the page needs is in it.
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"
)

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="kinegraph">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>html, body {{ margin: 0; height: 100%; }}</style>
</head>
<body>
<noscript>This page plays a motion with JavaScript, which is turned off here.</noscript>
<script type="text/plain" id="kinegraph-motion">{motion}</script>
<script type="text/plain" id="kinegraph-body">{body}</script>
{hero}<script type="text/plain" id="kinegraph-player">{player}</script>
<script>{start}</script>
</body>
</html>
"""


_HERO = """<script type="text/plain" id="kinegraph-hero">{file}</script>
<script type="text/plain" id="kinegraph-poses">{poses}</script>
"""

# A character's textures are taken out of its file, and read from memory.
_PICTURES = "; connect-src blob: data:"

# The script is held compressed, which makes the page a third of what it would be; this takes it out and runs it.
_START = """
(async () => {
  const letters = atob(document.getElementById("kinegraph-player").textContent);
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const script = document.createElement("script");
  script.textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  document.body.append(script);
})().catch(() => document.body.append("This browser is too old to play this page: one of 2023 or newer will."));
"""


def document(
    motion: Motion,
    *,
    title: str | None = None,
    fps: float | None = None,
    mesh: bool = True,
    beside: Mapping[str, Any] | None = None,
    hero: tuple[bytes, bytes] | None = None,
) -> str:
    """A page that plays the motion, as text.

    title: by default the motion's name. fps: keep only so many frames a second, by default all. mesh: with a body.
    beside: what is shown with it: ``path``, points ``[x, z]`` or ``[x, y, z]`` in metres; ``says``, lines of text under the title;
    ``view``, from where it is seen first, a ``position`` and a ``target``. hero: a character that does it, as a GLB file and a pack of its
    poses (`kinegraph.characters.showing`).

    >>> import kinegraph as kg
    >>> page = kg.player.document(kg.samples.make("walk").motion, fps=30)
    >>> page.count("<title>walk</title>"), page.count("http://"), page.count("https://")    # it needs no network
    (1, 0, 0)
    """
    shown = motion if fps is None else motion.resample(fps)
    return _PAGE.format(
        policy=escape(_POLICY if hero is None else _POLICY + _PICTURES),
        title=escape(title or motion.name or "Motion"),
        motion=_packed(motion_pack(shown, facts={"beside": dict(beside)} if beside else None)),
        body=_packed(body_pack(motion.skeleton, motion)) if mesh else "",
        hero="" if hero is None else _HERO.format(file=_packed(hero[0]), poses=_packed(hero[1])),
        player=_player(),
        start=_START,
    )


def write(
    motion: Motion, path: str | PathLike[str], *, title: str | None = None, fps: float | None = None, mesh: bool = True
) -> None:
    """Write a page that plays the motion; options as for `document`. The file appears whole or not at all.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "walk.html")
    >>> kg.player.write(kg.samples.make("walk").motion, file, title="A walk")
    >>> "<title>A walk</title>" in file.read_text(encoding="utf-8")
    True
    """
    text = document(motion, title=title, fps=fps, mesh=mesh)
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def notebook(motion: Motion) -> str:
    """The player in its own frame, as the HTML of a notebook's output; a line of text if it is not built, or the motion is very long.

    Notebooks call this by themselves to show a motion that a cell ends with.

    >>> import kinegraph as kg
    >>> html = kg.player.notebook(kg.samples.make("walk").motion)
    >>> html.startswith("<iframe "), html.endswith("</iframe>")
    (True, True)
    """
    if not is_built() or motion.seconds > _NOTEBOOK_LONGEST:
        return f"<pre>{escape(repr(motion))}</pre>"
    page = document(motion, fps=_NOTEBOOK_RATE if motion.fps > _NOTEBOOK_RATE else None)
    # scripts may run, and that is all: the frame cannot reach the notebook
    return (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" title="{escape(motion.name or "Motion")}" '
        f'style="width: 100%; height: {_NOTEBOOK_HEIGHT}px; border: 0"></iframe>'
    )


def is_built() -> bool:
    """Whether the player's script is there."""
    return _place().is_file()


def _player() -> str:
    """The player's script as the page holds it."""
    if not is_built():
        raise KinegraphError(NOT_BUILT)
    place = _place()
    return _read(place, place.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _read(place: Path, modified: int) -> str:
    return _packed(place.read_bytes())


def _place() -> Path:
    return Path(str(files("kinegraph.player"))) / "static" / "player.js"


def _packed(data: bytes) -> str:
    """Bytes as text: compressed, the same for the same, in letters that need no quoting."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode("ascii")
