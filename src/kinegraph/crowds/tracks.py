"""Tracks: where people were at which time, from anybody's simulator or camera.

Their files have the floor's axes as x and y, seen from above with y away from whoever looks; ours has z towards them, so that z is −y.
A file that says z instead of y is taken as it is.
"""

from __future__ import annotations

import csv
import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from kinegraph.arrays import Array, frozen_array
from kinegraph.errors import FormatError
from kinegraph.formats.atomic import replacing
from kinegraph.formats.text import quoted
from kinegraph.formats.trees import json_of
from kinegraph.graph.store.file import stored, tables

Row = tuple[str, float, float, float]
"""Who, when in seconds, and where: x and z in metres."""

# m/s: nobody moves so fast, so that somebody else was taken for them
_JUMP = 15.0
# seconds between two places of a track, and of a whole file: few lines must not ask for hours of motion
_GAP, _LONGEST = 60.0, 14_400.0
# frames a second that somebody may count
_FASTEST_RATE, _MOST_FRAMES = 100_000.0, 10**12
# lengths that files say behind a column's name
_UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001}


@dataclass(frozen=True, eq=False)
class Trajectory:
    """One person's way in time."""

    name: str
    times: Array
    """``(n,)`` seconds, rising."""
    places: Array
    """``(n, 2)``: x and z in metres."""

    def __post_init__(self) -> None:
        for name in ("times", "places"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))

    def at(self, times: Array) -> Array:
        """Where it was ``(k, 2)`` at ``times (k,)``; before its first moment and after its last one, where it was then."""
        return np.stack([np.interp(times, self.times, column) for column in self.places.T], axis=-1)

    @property
    def fastest(self) -> float:
        """m/s over its quickest half second."""
        times = np.arange(self.times[0], self.times[-1] + 0.125, 0.125)
        steps = np.hypot(*np.diff(self.at(times), axis=0).T)
        window = min(4, len(steps))
        return (
            float(np.convolve(steps, np.ones(window), "valid").max(initial=0.0) / (0.125 * window)) if window else 0.0
        )

    @property
    def hardest(self) -> tuple[float, float]:
        """m/s² by which it changes its velocity within 0.8 s at most, and when; what is beyond a sprinter's start was read wrongly."""
        times = np.arange(self.times[0], self.times[-1] + 1e-9, 0.1)
        if len(times) < 9:
            return 0.0, float(self.times[0])
        places = self.at(times)
        change = np.hypot(*((places[8:] - 2.0 * places[4:-4] + places[:-8]) / 0.4**2).T)
        return float(change.max()), float(times[4 + int(change.argmax())])


@dataclass(frozen=True)
class Trajectories:
    """All of a file's people, and what was left out."""

    people: tuple[Trajectory, ...]
    notices: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.people)


def read_tracks(path: str | PathLike[str], *, fps: float | None = None) -> Trajectories:
    """The tracks of a file: CSV (``id, t, x, z``), TrajNet's ndjson, text as PeTrack, JuPedSim and PedPy write it, or JuPedSim's SQLite.

    fps: frames a second, where a file counts frames and does not say how many there are in a second. Tracks of one moment, and those
    that jump further than anybody runs, are left out and named.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "tracks.csv")
    >>> _ = file.write_text("id,t,x,z\\nanna,0,0,0\\nanna,1,0,1.3\\n")
    >>> read_tracks(file).people[0].name
    'anna'
    """
    path = Path(path)
    readers: dict[str, Callable[[Path, float | None], Iterable[Row]]] = {
        ".csv": _csv,
        ".ndjson": _ndjson,
        ".txt": _text,
        ".sqlite": _sqlite,
    }
    if path.suffix.lower() not in readers:
        raise FormatError(
            f"tracks are read from {', '.join(readers)} files, not {path.suffix or 'without a suffix'}", path
        )
    if fps is not None and not (np.isfinite(fps) and fps > 0):
        raise FormatError(f"frames per second must be positive, got {fps}", path)
    if not path.is_file():
        raise FormatError("there is no such file", path)
    try:
        rows = list(readers[path.suffix.lower()](path, fps))
    except UnicodeDecodeError as error:
        raise FormatError(f"this is no text: {error}", path) from error
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path) from error
    except csv.Error as error:
        raise FormatError(f"this is no table: {error}", path) from error
    return _gathered(rows, path)


def write_csv(tracks: Sequence[Trajectory], path: str | PathLike[str]) -> None:
    """Write tracks as CSV: ``id, t, x, z``."""
    with replacing(path) as temporary, temporary.open("w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["id", "t", "x", "z"])
        for track in tracks:
            for time, (x, z) in zip(track.times.tolist(), track.places.tolist(), strict=True):
                table.writerow([track.name, f"{time:.4f}", f"{x:.4f}", f"{z:.4f}"])


def write_text(tracks: Sequence[Trajectory], path: str | PathLike[str], fps: float) -> None:
    """Write tracks as the text that PedPy reads: a line for each person and frame."""
    with replacing(path) as temporary, temporary.open("w") as out:
        out.write(f"# framerate: {fps:g}\n# id frame x/m y/m z/m\n")
        for number, track in enumerate(tracks, 1):
            for time, (x, z) in zip(track.times.tolist(), track.places.tolist(), strict=True):
                out.write(f"{number} {round(time * fps)} {x:.4f} {-z:.4f} 1.7\n")


def _gathered(rows: list[Row], path: Path) -> Trajectories:
    """Rows by person; what makes no track is refused or left out."""
    people: dict[str, list[tuple[float, float, float]]] = {}
    for number, (name, time, x, z) in enumerate(rows, 1):
        if not (np.isfinite(time) and abs(x) < 1e6 and abs(z) < 1e6):
            raise FormatError(
                f"row {number} ({quoted(name)}): a time and a place within 1,000 km are needed, got {time}, {x}, {z}",
                path,
            )
        people.setdefault(name, []).append((time, x, z))
    if not people:
        raise FormatError("there is no track in this file", path)
    found, single, jumping = [], [], []
    for name, own in people.items():
        table = np.array(own)
        gaps = np.diff(table[:, 0])
        if len(gaps) and gaps.max() > _GAP:
            raise FormatError(
                f"track {quoted(name)} is not told for {gaps.max():.3g} s from {table[int(gaps.argmax()), 0]:.6g} s on: "
                f"at most {_GAP:g} s; make two tracks of it",
                path,
            )
        back = np.flatnonzero(np.diff(table[:, 0]) <= 0)
        if len(back):
            first, second = table[back[0], 0], table[back[0] + 1, 0]
            raise FormatError(f"track {quoted(name)}: time goes from {first:g} s to {second:g} s: it must rise", path)
        if len(table) < 2:
            single.append(name)
            continue
        speeds = np.hypot(*np.diff(table[:, 1:], axis=0).T) / np.diff(table[:, 0])
        if speeds.max() > _JUMP:
            jumping.append(f"{name} at {table[int(speeds.argmax()), 0]:.1f} s")
            continue
        found.append(Trajectory(name, table[:, 0], table[:, 1:]))
    begin, end = (pick(time for _, time, _, _ in rows) for pick in (min, max))
    if end - begin > _LONGEST:
        raise FormatError(
            f"these tracks last {end - begin:.3g} s: at most {_LONGEST:,.0f} s are taken at once; cut the file", path
        )
    notices = []
    if single:
        notices.append(f"{_those(single)} left out: {'it has' if len(single) == 1 else 'they have'} one moment only")
    if jumping:
        notices.append(
            f"{_those(jumping)} left out: faster than {_JUMP:g} m/s there, so that somebody else was taken for them; or it is not in metres"
        )
    if not found:
        raise FormatError(f"there is no track that somebody could walk: {'; '.join(notices)}", path)
    return Trajectories(tuple(found), tuple(notices))


def _those(names: list[str]) -> str:
    """Some names, and how many more.

    >>> _those(["3"]), _those(list("abcdef"))
    ('track 3 is', 'tracks a, b, c, d and 2 more are')
    """
    if len(names) == 1:
        return f"track {names[0]} is"
    shown = ", ".join(names[:4])
    return f"tracks {shown}{f' and {len(names) - 4} more' if len(names) > 4 else ''} are"


def _csv(path: Path, fps: float | None) -> Iterable[Row]:
    """A table with a header. Time is ``t`` or ``time``, or else ``frame``; the floor is x and z, or else x and y."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        table = csv.reader(file)
        header = [name.strip().lower() for name in next(table, [])]
        time = next((name for name in ("t", "time", "frame") if name in header), None)
        # a z beside a y is a height
        across = "y" if "y" in header else "z"
        missing = [name for name in ("id", "x", across) if name not in header] + ([] if time else ["t"])
        if missing:
            raise FormatError(
                f"the header has no {', '.join(missing)}: expected id, t, x, z (or y), found {', '.join(header)[:200]}",
                path,
            )
        assert time is not None
        if time == "frame" and fps is None:
            raise FormatError(
                "it counts frames and does not say how many there are in a second: give the frame rate (fps)", path
            )
        who, when, x, other = (header.index(name) for name in ("id", time, "x", across))
        rate, sign = (fps or 1.0) if time == "frame" else 1.0, -1.0 if across == "y" else 1.0
        for row in table:
            # a second line with units, as Pathfinder writes it
            if not row or (table.line_num == 2 and "m" in [cell.strip() for cell in row]):
                continue
            if len(row) < len(header):
                raise FormatError(f"line {table.line_num}: expected {len(header)} values, found {len(row)}", path)
            at = [_number(row[column], table.line_num, path) for column in (when, x, other)]
            yield row[who].strip(), at[0] / rate, at[1], sign * at[2]


def _ndjson(path: Path, fps: float | None) -> Iterable[Row]:
    """TrajNet++: a line of JSON for each scene, which tells the rate, and for each place of a track."""
    rows, rate = [], fps
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                said = json_of(line)
                if "scene" in said and rate is None:
                    rate = _rate(said["scene"]["fps"], path)
                # predictions stand beside what happened: they are nobody's way
                if "track" in said and not said["track"].get("prediction_number"):
                    track = said["track"]
                    rows.append((str(track["p"]), int(track["f"]), float(track["x"]), float(track["y"])))
            except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
                raise FormatError(
                    f"line {number}: expected a scene or a track as TrajNet writes them, found {quoted(line)}", path
                ) from error
    if not rows:
        return
    if rate is None:
        raise FormatError("no scene tells the frame rate: give it (fps)", path)
    # rates are those of the frames that are told: of every tenth one, mostly
    if max(abs(frame) for _, frame, _, _ in rows) > _MOST_FRAMES:
        raise FormatError(f"it counts beyond frame {_MOST_FRAMES:,}: no film is as long", path)
    numbers = np.unique([frame for _, frame, _, _ in rows])
    step = int(np.diff(numbers).min()) if len(numbers) > 1 else 1
    seen = set()
    for name, frame, x, y in sorted(rows, key=lambda row: row[:2]):
        # scenes overlap, and tell the same twice
        if (name, frame) not in seen:
            seen.add((name, frame))
            yield name, frame / step / rate, x, -y


def _text(path: Path, fps: float | None) -> Iterable[Row]:
    """Lines of ``id frame x y`` as PeTrack, JuPedSim and PedPy have them, with comments that tell the rate and perhaps the unit."""
    unit = 1.0
    rate = fps
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            text = line.strip()
            if text.startswith("#"):
                said = re.search(r"framerate\s*:\s*([0-9.]+)", text, re.IGNORECASE)
                if said and fps is None:
                    rate = _rate(said[1], path)
                unit_said = re.search(r"\bx\s*/\s*(mm|cm|m)\b", text, re.IGNORECASE)
                unit = _UNITS[unit_said[1].lower()] if unit_said else unit
                continue
            if not text:
                continue
            values = text.replace(",", " ").replace(";", " ").split()
            if len(values) < 4:
                raise FormatError(f"line {number}: expected id, frame, x and y, found {quoted(text)}", path)
            if rate is None:
                raise FormatError("no comment tells the frame rate (# framerate: 25): give it (fps)", path)
            frame, x, y = (_number(value, number, path) for value in values[1:4])
            yield values[0], frame / rate, unit * x, -unit * y


def _sqlite(path: Path, fps: float | None) -> Iterable[Row]:
    """JuPedSim's database."""
    try:
        with closing(stored(path)) as database:
            missing = {"metadata", "trajectory_data"} - tables(database)
            if missing:
                raise FormatError(
                    f"this is no database of JuPedSim: it has no table {', '.join(sorted(missing))}", path
                )
            said = database.execute("SELECT value FROM metadata WHERE key = 'fps'").fetchone()
            rows = database.execute("SELECT id, frame, pos_x, pos_y FROM trajectory_data ORDER BY id, frame")
            found = [(str(name), float(frame), float(x), float(y)) for name, frame, x, y in rows]
    except (sqlite3.Error, ValueError, TypeError, OverflowError) as error:
        raise FormatError(f"this is no database of JuPedSim: {error}", path) from error
    if fps is None and said is None:
        raise FormatError("its metadata tells no fps: give the frame rate (fps)", path)
    rate = fps or _rate(said[0], path)
    for name, frame, x, y in found:
        yield name, frame / rate, x, -y


def _rate(said: object, path: Path) -> float:
    """Frames a second, as a file tells it."""
    try:
        rate = float(said)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        rate = 0.0
    if not 0 < rate <= _FASTEST_RATE:
        raise FormatError(f"its frame rate is {quoted(str(said))}: give it (fps)", path)
    return rate


def _number(text: str, line: int, path: Path) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise FormatError(f"line {line}: expected a number, found {quoted(text)}", path)
    return value
