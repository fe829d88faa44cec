"""What a finished motion gives of the sections and pauses that it was asked for: where, how much, and what to say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans
from kinegraph.paths.moving import track_of
from kinegraph.walks.request import Request

# seconds that a label must last to count, and m/s below which a body is at rest
_LASTING, _RESTS = 0.2, 0.15
# metres about a pause in which it is looked for
_NEAR = 1.5
# metres and share by which a section, metres and seconds by which a pause may differ before it is worth a word
_METRES, _SHARE, _ASIDE, _SECONDS = 0.3, 0.9, 0.5, 0.5


@dataclass(frozen=True)
class SectionGiven:
    """What came of a section."""

    label: str
    asked: tuple[float, float]
    """Metres along the path."""
    given: tuple[float, float] | None
    """The first and the last metre about the section that bear the label; None where none does."""
    share: float
    """Of its metres that were walked, those that bear the label."""
    times: tuple[float, ...]
    """The metre at which the label comes, each time that it does."""
    seconds: float
    """How long it is borne."""

    def __str__(self) -> str:
        given = "nowhere" if self.given is None else f"at {self.given[0]:.1f}–{self.given[1]:.1f}"
        return f"{self.label} asked at {self.asked[0]:.1f}–{self.asked[1]:.1f} m and given {given} ({100 * self.share:.0f} %)"

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        given = None if self.given is None else [round(metre, 3) for metre in self.given]
        return {
            "label": self.label,
            "asked_m": [round(metre, 3) for metre in self.asked],
            "given_m": given,
            "share": round(self.share, 4),
            "times": len(self.times),
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True)
class PauseGiven:
    """What came of a pause."""

    at: float
    """Metres along the path."""
    seconds: float
    stood_at: float | None
    """Where the body rests; None where it does not."""
    stood: float
    """For how many seconds."""

    def __str__(self) -> str:
        given = "nowhere" if self.stood_at is None else f"at {self.stood_at:.1f} m for {self.stood:.1f} s"
        return f"asked at {self.at:.1f} m for {self.seconds:g} s and given {given}"

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "asked_m": round(self.at, 3),
            "asked_s": round(self.seconds, 3),
            "given_m": None if self.stood_at is None else round(self.stood_at, 3),
            "given_s": round(self.stood, 3),
        }


def sections_given(request: Request, motion: Motion, labels: Mapping[str, Bools]) -> tuple[SectionGiven, ...]:
    """What a motion gives of each section. labels: label → the frames ``(F,)`` that bear it."""
    if not request.sections:
        return ()
    along = _along(request, motion)
    gained = np.diff(along, prepend=along[:1])
    middles = [0.5 * (one.first + one.last) for one in request.sections]
    lowest, highest = [-np.inf, *middles[:-1]], [*middles[1:], np.inf]
    found = []
    for one, low, high in zip(request.sections, lowest, highest, strict=True):
        borne = labels.get(one.label, np.zeros(len(motion), bool))
        last = min(one.last, request.path.length)
        inside = (along >= one.first) & (along <= last)
        runs = [
            run
            for run in spans(borne & (along >= low) & (along <= high))
            if run[1] - run[0] >= _LASTING * motion.fps and along[run[1] - 1] >= one.first and along[run[0]] <= last
        ]
        given = (float(along[runs[0][0]]), float(along[runs[-1][1] - 1])) if runs else None
        share = float(gained[borne & inside].sum() / max(gained[inside].sum(), 1e-9))
        seconds = sum(end - first for first, end in runs) / motion.fps
        times = tuple(float(along[first]) for first, _ in runs)
        found.append(SectionGiven(one.label, (one.first, last), given, share, times, float(seconds)))
    return tuple(found)


def pauses_given(request: Request, motion: Motion) -> tuple[PauseGiven, ...]:
    """What a motion gives of each pause: when its body rests near the place."""
    if not request.pause:
        return ()
    track = track_of(motion)
    speed = np.hypot(*np.gradient(track, axis=0).T) * motion.fps if len(motion) > 1 else np.zeros(len(motion))
    along = _along(request, motion)
    found = []
    for one in request.pause:
        runs = spans((speed < _RESTS) & (np.abs(along - one.at) < _NEAR))
        if not len(runs):
            found.append(PauseGiven(one.at, one.seconds, None, 0.0))
            continue
        first, last = max(runs, key=lambda run: run[1] - run[0])
        where = float(along[(first + last - 1) // 2])
        found.append(PauseGiven(one.at, one.seconds, where, float((last - first) / motion.fps)))
    return tuple(found)


def told(sections: tuple[SectionGiven, ...], pauses: tuple[PauseGiven, ...], halting: frozenset[str]) -> list[str]:
    """What to say of sections and pauses that are not as they were asked for. halting: labels that get nowhere."""
    return [
        *(_section_told(one, one.label in halting) for one in sections if not _as_asked(one)),
        *(
            f"a pause of {one.seconds:g} s is asked for at {one.at:.1f} m, and the body rests "
            + ("nowhere near" if one.stood_at is None else f"for {one.stood:.1f} s at {one.stood_at:.1f} m")
            for one in pauses
            if one.stood_at is None
            or abs(one.stood_at - one.at) > _ASIDE
            or abs(one.stood - one.seconds) > _SECONDS + 0.25 * one.seconds
        ),
    ]


def _as_asked(one: SectionGiven) -> bool:
    apart = [] if one.given is None else np.abs(np.subtract(one.given, one.asked)).tolist()
    return bool(apart) and max(apart) <= _METRES and one.share >= _SHARE


def _section_told(one: SectionGiven, halts: bool) -> str:
    asked = f"{one.label} is asked for from {one.asked[0]:.1f} to {one.asked[1]:.1f} m"
    if one.given is None:
        return f"{asked} and given nowhere: it takes more metres to change to it and from it"
    if halts:
        where = " and ".join(filter(None, [", ".join(f"{at:.1f}" for at in one.times[:-1]), f"{one.times[-1]:.1f} m"]))
        often = "once" if len(one.times) == 1 else f"{len(one.times)} times"
        return f"{asked}; it gets nowhere, so it is done {often}, at {where}"
    return f"{asked} and given from {one.given[0]:.1f} to {one.given[1]:.1f} m, on {100 * one.share:.0f} % of what was asked"


def _along(request: Request, motion: Motion) -> Array:
    """How far ``(F,)`` along its path each frame is."""
    along: Array = request.path.track(track_of(motion))[1]
    return along
