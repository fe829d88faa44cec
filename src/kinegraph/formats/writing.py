"""What a format's writer can be told, and what is done to a motion before it is written: the same for command line and studio."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinegraph.errors import FormatError
from kinegraph.formats import units
from kinegraph.formats.format import FORMATS

if TYPE_CHECKING:
    from kinegraph.motion import Motion

PREPARED = ("fps", "in_place", "t_pose")
"""What `prepared` does, whatever the format."""


def takers(option: str) -> tuple[str, ...]:
    """The suffixes of the formats whose writers take an option; those that can be written by every install come first.

    >>> takers("up")
    ('.csv', '.usda', '.usdc', '.fbx')
    """
    taking = [format for format in FORMATS.values() if format.writes and option in format.options]
    taking.sort(key=lambda format: format.needs is not None)
    return tuple(suffix for format in taking for suffix in format.suffixes)


def write_options(target: Path, asked: Mapping[str, Any], called: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What the format's writer is told: the options that were asked for and are not None.

    What the format does not take is refused; called: the names under which the user knows the options.

    >>> write_options(Path("walk.bvh"), {"units": "m", "up": None})
    {'units': 'm'}
    """
    given = {name: value for name, value in asked.items() if value is not None}
    if "units" in given:
        units.metres_per_unit(given["units"])
    for name in given:
        if target.suffix.lower() not in takers(name):
            raise FormatError(f"{(called or {}).get(name, name)} is for {', '.join(takers(name))}", target)
    return given


def prepared(
    motion: Motion, *, fps: float | None = None, in_place: bool = False, t_pose: bool = False, rigid: bool = False
) -> Motion:
    """The motion at another rate, then put on the spot, then with a T-pose before it, as far as each is asked for.

    rigid: first of all, bones that change length get their mean length.
    """
    from kinegraph.motion.tpose import with_t_pose

    motion = motion.rigid() if rigid else motion
    motion = motion if fps is None else motion.resample(fps)
    motion = motion.in_place() if in_place else motion
    return with_t_pose(motion) if t_pose else motion
