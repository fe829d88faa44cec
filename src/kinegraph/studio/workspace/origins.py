"""`Origins`: where clips come from, as far as the studio knows: what was uploaded, cut out of another, built in, or made by kinegraph."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from threading import Lock

from kinegraph.errors import KinegraphError
from kinegraph.studio.server.cache import Cache, stamp
from kinegraph.studio.workspace.files import inside, printable, write_json

# characters of a command that is told
_LONGEST = 200
# bytes of a sidecar
_LARGEST = 1_000_000


class Origins:
    """What was noted of a workspace's clips, by their files. Losing it loses no motion: what cannot be kept is not told."""

    def __init__(self, root: Path, file: Path):
        self._root, self._file = root, file
        self._lock = Lock()
        self._noted: dict[str, str] | None = None
        self._sidecars = Cache[tuple[str | None]](4096, lambda command: 1)

    def of(self, path: Path) -> str | None:
        """Where a clip comes from, in words; None where that is not known."""
        with self._lock:
            return self._known().get(self._name(path))

    def made(self, path: Path) -> str | None:
        """The command that made a clip, where it is a result of ours: exports have a file beside them that tells so."""
        sidecar = path.with_name(f"{path.name}.json")
        try:
            key = stamp(sidecar)
        except OSError:
            return None
        if key[2] > _LARGEST or sidecar.is_symlink():
            return None
        return self._sidecars.get(key, lambda: (_command(sidecar),))[0]

    def note(self, path: Path, words: str) -> None:
        """Remember where a clip comes from."""
        with self._lock:
            self._known()[self._name(path)] = printable(words)
            self._keep()

    def moved(self, old: Path, new: Path) -> None:
        """Let what is known of a clip follow its file."""
        with self._lock:
            words = self._known().pop(self._name(old), None)
            if words is not None:
                self._known()[self._name(new)] = words
                self._keep()

    def _name(self, path: Path) -> str:
        return printable(path.relative_to(self._root).as_posix())

    def _known(self) -> dict[str, str]:
        if self._noted is None:
            self._noted = {}
            with suppress(OSError, ValueError, AttributeError):
                held = json.loads(self._file.read_text(encoding="utf-8"))
                self._noted = {str(file): str(words)[:_LONGEST] for file, words in held.items()}
        return self._noted

    def _keep(self) -> None:
        with suppress(OSError, KinegraphError):
            inside(self._root, self._file).parent.mkdir(exist_ok=True)
            write_json(self._file, self._noted)


def _command(sidecar: Path) -> str | None:
    """The command that an export's sidecar tells."""
    try:
        held = json.loads(sidecar.read_text(encoding="utf-8"))
        return str(held.get("command") or "kinegraph")[:_LONGEST] if "kinegraph" in held else None
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        return None
