"""How good a motion is, in figures: whether it keeps to its path, its feet stand, its blends are smooth, and what it is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.blending.performance import Performance
from kinegraph.errors import MotionError
from kinegraph.evaluation.usual import Usual, beside_transitions, has_knees, usual_of, usual_of_graph, velocity_jumps
from kinegraph.feet import knees
from kinegraph.feet.cleanup import CleaningReport, FootFigures
from kinegraph.feet.contacts import contacts as detect
from kinegraph.feet.plants import footing
from kinegraph.feet.slide import penetration, slides
from kinegraph.feet.sole import has_legs
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.paths.moving import track_of
from kinegraph.paths.path import Path
from kinegraph.paths.warp import WarpReport
from kinegraph.walks.performing import Finished

# decimals of a share, of a figure in its everyday unit, and of a cost in seconds
_SHARE, _FIGURE, _SECONDS = 4, 3, 6


@dataclass(frozen=True)
class Spread:
    """Mean and maximum."""

    mean: float
    max: float


@dataclass(frozen=True)
class EndGaps:
    """How far the first frame is from the path's beginning, and the last from its end, in cm."""

    start: float
    end: float


@dataclass(frozen=True)
class VelocityJump:
    """How much the velocity of a joint changes at a frame, m/s: at the worst frame in or beside a transition, and beside 99 % of them.

    source_p99: the 99th percentile over all frames of the captured clips; ratio: worst by source_p99. Both are None where the clips are not
    known.
    """

    worst: float
    p99: float
    source_p99: float | None
    ratio: float | None


@dataclass(frozen=True)
class KneeSpeed:
    """How fast knees turn, rad/s: at worst, and the 99.9th percentile of the captured clips, None where these are not known."""

    worst: float
    source_p999: float | None


@dataclass(frozen=True)
class Before:
    """Feet before they were cleaned: slide in mm per plant, and how deep they sank, in mm; the same plants as after."""

    slide_mm: Spread
    penetration_mm: float


@dataclass(frozen=True)
class Bent:
    """What the warp did: deviation before and after it in cm, the most that it added of bend in degrees per metre and of slip in cm/s, and
    the share of frames at which it held back.
    """

    before_cm: Spread
    after_cm: Spread
    added_bend: float
    added_slip: float
    held_back: float


@dataclass(frozen=True)
class Cleaning:
    """What cleaning the feet took: the furthest a joint went and the body was lowered in mm, the most a leg's length changed as a share of
    it, by how much a planted foot missed its place in mm, and how many contacts were let go.
    """

    moved_mm: float
    lowered_mm: float
    leg_change: float
    missed_mm: float
    released: int


@dataclass(frozen=True)
class Quality:
    """The figures of a motion; None where one cannot be known.

    Always known: frames, seconds, walked_m (metres of the steadied root). With a path: deviation_cm of the root without the sway of its
    steps, deviation_raw_cm of the root itself, ends_cm, path_length_m, and finished_path, the share of the path that was reached. Who goes
    on past an end of the path deviates from it by the distance of that end. With legs:
    slide_mm per plant (how far a planted point strays), penetration_mm (the deepest), plants, knee_speed. For a walk out of a graph:
    transitions, transitions_per_10s, transition_cost_cm and velocity_jump (both None without transitions), clips and labels (name → share
    of the frames, most first; the shares of labels need not add up to 1), before and cleaning where feet were cleaned, warp where it was
    bent. cpu_per_second: seconds of CPU for each second of motion, where they were measured.
    """

    frames: int
    seconds: float
    deviation_cm: Spread | None
    slide_mm: Spread | None
    transitions: int | None
    cpu_per_second: float | None
    clips: Mapping[str, float] | None
    labels: Mapping[str, float] | None
    deviation_raw_cm: Spread | None
    ends_cm: EndGaps | None
    path_length_m: float | None
    walked_m: float
    finished_path: float | None
    penetration_mm: float | None
    plants: int | None
    transition_cost_cm: Spread | None
    transitions_per_10s: float | None
    velocity_jump: VelocityJump | None
    knee_speed: KneeSpeed | None
    before: Before | None
    warp: Bent | None
    cleaning: Cleaning | None

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, rounded, ready for JSON; every name is there, with None for what is not known."""
        return {name: _plain(name, value) for name, value in _items(self)}


def evaluate(
    motion: Motion,
    *,
    path: Path | None = None,
    contacts: Bools | None = None,
    finished: Finished | None = None,
    cpu: float | None = None,
    source: MotionGraph | Iterable[Motion] | None = None,
) -> Quality:
    """The figures of a motion.

    path: what it was to follow from its beginning. contacts: ``(F, 4)``, when left heel, left ball, right heel and right ball stand; those
    of ``finished``, else as they are found in the motion. finished: the walk that the motion is. cpu: seconds of CPU that it took to make
    it. source: the captured clips to compare with; those of the walk's graph unless told.
    """
    if finished is not None and len(finished.motion) != len(motion):
        raise MotionError(
            f"this motion of {len(motion)} frames is not the finished walk, which has {len(finished.motion)}"
        )
    played = None if finished is None else finished.performance
    usual = _usual(source, played)
    course = track_of(motion)
    if contacts is None and finished is not None:
        contacts = finished.contacts
    # what cleaning measured need not be measured again
    cleaned = finished.feet if finished is not None and finished.motion is motion else None
    feet = _feet(motion, contacts, cleaned)
    costs = [] if played is None else [100 * told.cost for told in played.transitions]
    distance, along = (None, None) if path is None else path.track(course)
    return Quality(
        frames=len(motion),
        seconds=motion.seconds,
        deviation_cm=None if distance is None else _spread(100 * distance),
        slide_mm=None if feet is None else _slid(feet),
        transitions=None if played is None else len(costs),
        cpu_per_second=None if cpu is None else cpu / motion.seconds,
        clips=None if played is None else _clips(played),
        labels=None if played is None else _labels(played),
        deviation_raw_cm=None if path is None else _spread(100 * path.track(motion.root[:, [0, 2]])[0]),
        ends_cm=None
        if path is None
        else EndGaps(*(100 * np.hypot(*(course[[0, -1]] - path.points[[0, -1]]).T)).tolist()),
        path_length_m=None if path is None else path.length,
        walked_m=float(np.hypot(*np.diff(course, axis=0).T).sum()),
        finished_path=None if path is None or along is None else float(along[-1]) / path.length,
        penetration_mm=None if feet is None else 1000 * feet.penetration,
        plants=None if feet is None else len(feet.slides.plants),
        transition_cost_cm=_spread(np.array(costs)) if costs else None,
        transitions_per_10s=None if played is None else 10 * len(costs) / motion.seconds,
        velocity_jump=None if played is None else _jump(motion, played, usual),
        knee_speed=_knees(motion, usual),
        before=None if cleaned is None else Before(_slid(cleaned.before), 1000 * cleaned.before.penetration),
        warp=None if finished is None or finished.warp is None else _bent(finished.warp),
        cleaning=None if cleaned is None else _cleaning(cleaned),
    )


def _usual(source: MotionGraph | Iterable[Motion] | None, played: Performance | None) -> Usual:
    if source is None and played is not None:
        source = played.walk.graph
    if isinstance(source, MotionGraph):
        return usual_of_graph(source)
    return usual_of(source or ())


def _feet(motion: Motion, contacts: Bools | None, cleaned: CleaningReport | None) -> FootFigures | None:
    if cleaned is not None:
        return cleaned.after
    if not has_legs(motion.skeleton):
        return None
    found = footing(motion, detect(motion) if contacts is None else contacts)
    slid = slides(motion, found.plants, found.soles)
    return FootFigures(slid, float(penetration(motion, found.soles).max()), float(knees.speed(motion).max()))


def _spread(values: Array) -> Spread:
    return Spread(float(values.mean()), float(values.max()))


def _slid(feet: FootFigures) -> Spread:
    mean, furthest = feet.slides.overall
    return Spread(1000 * mean, 1000 * furthest)


def _jump(motion: Motion, played: Performance, usual: Usual) -> VelocityJump | None:
    near = velocity_jumps(motion)[beside_transitions(played)]
    if not len(near):
        return None
    worst, own = float(near.max()), usual.velocity_jump
    return VelocityJump(worst, float(np.percentile(near, 99)), own, worst / own if own else None)


def _knees(motion: Motion, usual: Usual) -> KneeSpeed | None:
    if not has_knees(motion.skeleton):
        return None
    return KneeSpeed(float(knees.speed(motion).max()), usual.knee_speed)


def _clips(played: Performance) -> dict[str, float]:
    counts = np.bincount(played.clip, minlength=len(played.walk.graph.clips))
    names = [clip.name for clip in played.walk.graph.clips]
    return _most_first({names[n]: float(counts[n] / len(played)) for n in np.flatnonzero(counts)})


def _labels(played: Performance) -> dict[str, float]:
    return _most_first({name: float(borne.mean()) for name, borne in played.labels().items() if borne.any()})


def _most_first(shares: dict[str, float]) -> dict[str, float]:
    return dict(sorted(shares.items(), key=lambda item: (-item[1], item[0])))


def _bent(report: WarpReport) -> Bent:
    return Bent(
        Spread(100 * report.mean_before, 100 * report.max_before),
        Spread(100 * report.mean_after, 100 * report.max_after),
        float(np.degrees(report.added_bend)),
        100 * report.added_slip,
        report.held_back,
    )


def _cleaning(report: CleaningReport) -> Cleaning:
    return Cleaning(
        1000 * report.moved, 1000 * report.lowered, report.longer, 1000 * report.missed, len(report.released)
    )


def _items(made: Any) -> list[tuple[str, Any]]:
    return [(field.name, getattr(made, field.name)) for field in fields(made)]


def _plain(name: str, value: Any) -> Any:
    if is_dataclass(value):
        return {inner: _plain(inner, held) for inner, held in _items(value)}
    if isinstance(value, Mapping):
        return {key: round(share, _SHARE) for key, share in value.items()}
    if isinstance(value, float):
        shares = {"finished_path": _SHARE, "held_back": _SHARE, "leg_change": _SHARE, "cpu_per_second": _SECONDS}
        return round(value, shares.get(name, _FIGURE))
    return value
