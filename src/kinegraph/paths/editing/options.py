"""How a motion can be laid on a path: what it keeps, what it does where the path ends, and where both begin."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from kinegraph.errors import MotionError

Keep = Literal["speed", "time", "place"]
End = Literal["stop", "restart", "onward"]
Start = Literal["path", "clip"]
KEEPS, ENDS, STARTS = (tuple(get_args(one)) for one in (Keep, End, Start))


def check(keep: str, end: str, cycle: bool, seconds: float | None) -> None:
    """A `MotionError` for what makes no sense, or not together."""
    if keep not in KEEPS:
        raise MotionError(f"keep the speed or the time of the motion, or its place, not {keep!r}")
    if end not in ENDS:
        raise MotionError(f"at the end of the path stop, restart or go onward, not {end!r}")
    if seconds is not None and not cycle:
        raise MotionError("seconds are for a motion that is repeated: ask for a cycle too (cycle=True, --cycle)")
    if seconds is not None and not 0 < seconds < np.inf:
        raise MotionError(f"a motion lasts more than 0 seconds, got {seconds:g}")
    if cycle and keep == "time":
        raise MotionError("a motion that is repeated keeps its speed: its time is not kept then")
    if cycle and keep == "place" and seconds is None:
        raise MotionError("a motion that stays in its place comes to no end: say for how many seconds to repeat it")
