"""`Made`: a motion that was made for somebody, with all that is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.motion import Motion


@dataclass(frozen=True, eq=False)
class Made:
    """A new motion. contacts: ``(F, 4)``, where they are known. facts and arrays: what stands in its result pack beside the motion."""

    motion: Motion
    contacts: NDArray[np.bool_] | None
    facts: dict[str, Any]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
