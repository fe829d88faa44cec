"""What the commands of strikes have in common: the file of a space, the progress of a build, and how targets are written and told."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn

from kinegraph.cli import console
from kinegraph.errors import FormatError, SpaceError

if TYPE_CHECKING:
    from kinegraph.motion.rotation import Array
    from kinegraph.spaces.space import Space

File = Annotated[Path, typer.Argument(metavar="S.mog", help="The space, as `kinegraph space build` makes it.")]
Name = Annotated[
    str | None,
    typer.Option("--name", metavar="NAME", help="Which space of the file; need not be said where it holds one."),
]
FRAME = "metres from below the ready pose: X to the left, Y up from the floor, Z ahead; of the wrist, or a kick's ankle"
"""How targets are given, for people."""

# Degrees by which the ready pose may face past what is called ahead and still seem to face there.
_STRAIGHT = 0.5


def check_place(path: Path, suffix: str, what: str) -> None:
    """Refuse, before any work is done, a place where no ``what`` can be written."""
    if path.suffix.lower() != suffix:
        raise FormatError(f"{what} is written to a file that ends in {suffix}", path)
    if path.is_dir():
        raise FormatError("this is a folder: give the name of a file to write", path)
    if not path.parent.is_dir():
        raise FormatError(f"there is no folder {path.parent}: make it first", path)


def check_plot(path: Path | None) -> None:
    """Refuse a place where no picture can be written, and say what is missing to draw one."""
    if path is None:
        return
    from kinegraph.plots import canvas

    check_place(canvas.check_target(path), path.suffix.lower(), "a plot")
    canvas.matplotlib_part("figure")


def load(path: Path, name: str | None) -> Space:
    """The space of that name in a file, or its only one."""
    from kinegraph.spaces import store

    known = store.names(path)
    if name is None and len(known) > 1:
        listed = " or ".join(f"--name '{each}'" for each in known)
        raise FormatError(f"this holds {len(known)} spaces: say which with {listed}", path)
    return store.load(path, name)


@contextmanager
def stages() -> Iterator[Callable[[str, int, int], None]]:
    """Bars on standard error, one a stage, which vanish when done; yields a callback ``(stage, done, total)``."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    # where nobody watches, a bar is only litter in a log
    with Progress(*columns, console=console.err, transient=True, disable=not console.err.is_terminal) as bars:
        tasks: dict[str, TaskID] = {}

        def update(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task("reading" if stage == "read" else stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield update


def point(place: Array | Sequence[float]) -> str:
    """Coordinates in metres as people write them on the command line: ``-0.20,1.30``."""
    # adding zero keeps what rounds to nothing from being called minus nothing
    return ",".join(f"{round(float(value), 2) + 0.0:.2f}" for value in place)


def numbers(place: Array | Sequence[float]) -> list[float]:
    """Coordinates in metres as JSON holds them: to a hundredth of a millimetre."""
    return [round(float(value), 5) + 0.0 for value in place]


def facing_degrees(space: Space) -> float:
    """Degrees to the left of ahead that the mean ready pose faces: 0 unless ahead is where the strikes go."""
    import numpy as np

    from kinegraph.motion import Motion

    examples = space.examples
    ready = Motion(examples.skeleton, examples.root[:, 0], examples.rotations[:, 0], examples.fps)
    left, _, ahead = ready.facing().mean(axis=0)
    return float(np.degrees(np.arctan2(left, ahead)))


def forward_sentence(space: Space) -> str:
    """What the space calls ahead."""
    aside = facing_degrees(space)
    if abs(aside) < _STRAIGHT:
        return "ahead is where the ready pose faces"
    return f"ahead is where the strikes go: the ready pose faces {abs(aside):.0f}° to the {'left' if aside > 0 else 'right'} of it"


def middle(space: Space) -> Array:
    """A target in the midst of the region, ``(2,)``."""
    place: Array = space.region.corners.mean(axis=0)
    return place


def strikes(space: Space) -> list[dict[str, Any]]:
    """The examples as JSON holds them: frames of their clips, target in metres, and seconds from start to end."""
    examples = space.examples
    return [
        {
            "clip": strike.clip,
            "start": strike.start,
            "hit": strike.hit,
            "end": strike.end,
            "target": numbers(target),
            "seconds": round(float(times[-1] - times[0]), 3),
        }
        for strike, target, times in zip(examples.strikes, examples.hits, examples.times, strict=True)
    ]


def place_facts(space: Space) -> dict[str, Any]:
    """Region and box as JSON holds them, and how far ahead the examples hit."""
    ahead = space.examples.hits[:, 2]
    return {
        "region": [numbers(corner) for corner in space.region.corners],
        "box": {"low": numbers(space.region.low), "high": numbers(space.region.high)},
        "ahead": numbers((ahead.min(), ahead.max())),
        "facing_degrees": round(facing_degrees(space), 2),
    }


def place_rows(space: Space) -> list[tuple[str, str]]:
    """Where the space lies, as sentences with what each is about."""
    (left, low), (right, high) = space.region.low, space.region.high
    ahead = space.examples.hits[:, 2]
    corners = " ".join(point(corner) for corner in space.region.corners)
    return [
        ("frame", f"{FRAME}; {forward_sentence(space)}"),
        (
            "box",
            f"X {left:.2f} to {right:.2f}, Y {low:.2f} to {high:.2f}; the strikes hit {ahead.min():.2f} to {ahead.max():.2f} ahead",
        ),
        ("region", f"{_area(space.region.corners):.2f} m² within {corners}"),
    ]


def _area(corners: Array) -> float:
    x, y = corners.T
    return abs(float(sum(x[i - 1] * y[i] - x[i] * y[i - 1] for i in range(len(x))))) / 2


def read_target(text: str) -> list[float]:
    """A target as the command line gives it: X,Y or X,Y,Z."""
    return read_numbers(text, "a target", "two numbers or three in metres, such as 0.1,1.3 or -0.2,1.3,0.6", (2, 3))


def read_numbers(text: str, what: str, expected: str, counts: tuple[int, ...]) -> list[float]:
    """The numbers of ``text``, parted by commas; an error says what was expected."""
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in counts or not all(map(math.isfinite, numbers)):
        raise SpaceError(f"{what} is {expected}; got {text.strip()!r}")
    return numbers
