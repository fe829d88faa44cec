"""How good a motion is, in figures: whether it keeps to its path, its feet stand still, its blends are smooth, and what it is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.blending.performance import Performance
from kinegraph.errors import MotionError
from kinegraph.evaluation.skating import SeenFeet, look, summary
from kinegraph.evaluation.usual import (
    Usual,
    beside_transitions,
    has_knees,
    skating_of,
    skating_of_graph,
    usual_of,
    usual_of_graph,
    velocity_jumps,
)
from kinegraph.feet import knees
from kinegraph.feet.cleanup import CleaningReport, FootFigures
from kinegraph.feet.plants import footing
from kinegraph.feet.slide import penetration, slides
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.ranges import ranges_of_walk
from kinegraph.motion.clip import Motion
from kinegraph.motion.ranges import Beyond
from kinegraph.paths.moving import track_of
from kinegraph.paths.path import Path
from kinegraph.paths.reading import as_path
from kinegraph.paths.warp import WarpReport
from kinegraph.walks.performing import Finished

# decimals of a share, of a figure in its everyday unit, and of a cost in seconds
_SHARE, _FIGURE, _SECONDS = 4, 3, 6
# degrees a second that are added to a turn before anybody feels it
_FELT = 5.0
_SHARES = ("finished_path", "held_back", "leg_change", "skating_ratio")


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
    """How much the velocity of a joint changes from frame to frame in and beside transitions, in m/s."""

    worst: float
    p99: float
    """99th percentile over these frames."""
    source_p99: float | None
    """99th percentile over all frames of the captured clips; None if they are not known."""
    ratio: float | None
    """``worst`` divided by ``source_p99``."""


@dataclass(frozen=True)
class KneeSpeed:
    """How fast knees turn, in rad/s."""

    worst: float
    source_p999: float | None
    """99.9th percentile in the captured clips; None if they are not known."""


@dataclass(frozen=True)
class SourceFeet:
    """The feet of the captured clips, measured as the motion's own."""

    slide_mm: Spread
    skating_cm_s: float
    skating_ratio: float


@dataclass(frozen=True)
class Bending:
    """How clips were bent to keep to the path, before the warp."""

    degrees: float
    """All turns that were added, left and right, together."""
    most: float
    """The fastest of them, in degrees a second."""
    share: float
    """The share of the frames in which more than 5 degrees a second were added."""
    slowest: float
    """The least pace at which a clip is played, 1 as captured: people slow down in bends."""


@dataclass(frozen=True)
class Before:
    """Feet before they were cleaned, for the same plants as after: how far they slid per plant, and how deep they sank."""

    slide_mm: Spread
    penetration_mm: float


@dataclass(frozen=True)
class Bent:
    """What the warp did."""

    before_cm: Spread
    """Deviation before it."""
    after_cm: Spread
    """Deviation after it."""
    added_bend: float
    """The most bend that it added, in degrees per metre."""
    added_slip: float
    """The most slip that it added, in cm/s."""
    held_back: float
    """The share of frames at which a limit held it back."""


@dataclass(frozen=True)
class Cleaning:
    """What cleaning the feet took."""

    moved_mm: float
    """The furthest that a joint was moved."""
    lowered_mm: float
    """The furthest that the body was lowered."""
    leg_change: float
    """The most that a leg's length changed, as a share of it."""
    missed_mm: float
    """The furthest that a planted foot missed its place."""
    released: int
    """How many contacts were given up."""
    eased: int
    """How many times a foot gave way, lest its leg snap."""


@dataclass(frozen=True)
class Quality:
    """The figures of a motion; None for what is not known.

    Figures about a path need the path, figures about feet need legs, and figures about transitions, clips and labels need a walk from a
    graph.
    """

    frames: int
    seconds: float
    deviation_cm: Spread | None
    """From the path: of the root without the sway of its steps. Beyond an end of the path, this is the distance from that end."""
    slide_mm: Spread | None
    """How far a point of a foot slides, per plant, wherever it is seen to stand: contacts are found anew in this motion."""
    held_slide_mm: Spread | None
    """The same at the plants that the motion was made with, if they are known: what its feet were held to."""
    skating_cm_s: float | None
    """The mean speed along the floor of balls of feet while they are seen to stand."""
    skating_ratio: float | None
    """The share of frames, of 20 a second, in which a foot below 5 cm is moved by more than 2.5 cm: see `evaluation.skating.skating`."""
    source_feet: SourceFeet | None
    """The same of the captured clips: of those that the walk is made of, or else of all that are given."""
    transitions: int | None
    cpu_per_second: float | None
    """Seconds of CPU for each second of motion, if they were measured."""
    clips: Mapping[str, float] | None
    """Name → share of the frames, most first."""
    labels: Mapping[str, float] | None
    """The same for labels; these shares need not add up to 1."""
    deviation_raw_cm: Spread | None
    """From the path: of the root itself."""
    ends_cm: EndGaps | None
    path_length_m: float | None
    walked_m: float
    """The length of the root's way without the sway of its steps."""
    finished_path: float | None
    """The share of the path that was reached."""
    penetration_mm: float | None
    """The deepest that a foot sinks into the floor."""
    plants: int | None
    """How many there are: of those that the motion was made with, or else of those that are seen."""
    transition_cost_cm: Spread | None
    """None without transitions."""
    transitions_per_10s: float | None
    velocity_jump: VelocityJump | None
    """None without transitions."""
    knee_speed: KneeSpeed | None
    before: Before | None
    """If feet were cleaned: what they were before."""
    bending: Bending | None
    """If clips were bent while the walk was found: by how much."""
    warp: Bent | None
    """If the motion was bent onto the path: what that did."""
    cleaning: Cleaning | None
    """If feet were cleaned: what that took."""
    beyond: Beyond | None = None
    """The joint that is furthest out of the range that it has in the captured clips, if any is."""

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, rounded, ready for JSON; every name is present, with None for what is not known."""
        return {name: _plain(name, value) for name, value in _items(self)}


def evaluate(
    motion: Motion,
    *,
    path: Path | str | None = None,
    contacts: Bools | None = None,
    finished: Finished | None = None,
    cpu: float | None = None,
    source: MotionGraph | Iterable[Motion] | None = None,
) -> Quality:
    """The figures of a motion.

    - path: the path that it should follow from its beginning, or its text or file, as for `kinegraph.follow`
    - contacts: ``(F, 4)``, when left heel, left ball, right heel and right ball were made to stand; by default those of ``finished``
    - finished: the walk that the motion is, if it is one
    - cpu: seconds of CPU that making it took
    - source: the captured clips to compare it with; by default those of the walk's graph

    >>> import kinegraph as kg
    >>> quality = kg.evaluate(kg.samples.make("walk").motion, path="line:6")
    >>> round(quality.walked_m, 2), round(quality.finished_path, 2), round(quality.deviation_cm.max, 1), quality.plants
    (5.33, 0.89, 1.1, 17)
    """
    if finished is not None and len(finished.motion) != len(motion):
        raise MotionError(
            f"this motion of {len(motion)} frames is not the finished walk, which has {len(finished.motion)}"
        )
    path = None if path is None else as_path(path)
    played = None if finished is None else finished.performance
    origin = _origin(source, played)
    usual = _usual(origin)
    course = track_of(motion)
    if contacts is None and finished is not None:
        contacts = finished.contacts
    # what cleaning measured need not be measured again
    cleaned = finished.feet if finished is not None and finished.motion is motion else None
    seen = look(motion)
    own = None if seen is None else summary([seen])
    held = None if seen is None else _held(motion, contacts, cleaned)
    costs = [] if played is None else [100 * told.cost for told in played.transitions]
    distance, along = (None, None) if path is None else path.track(course)
    return Quality(
        frames=len(motion),
        seconds=motion.seconds,
        deviation_cm=None if distance is None else _spread(100 * distance),
        slide_mm=None if own is None else _slid(own.slide),
        held_slide_mm=None if held is None else _slid(held.slides.overall),
        skating_cm_s=None if own is None else 100 * own.speed,
        skating_ratio=None if own is None else own.ratio,
        source_feet=_source(origin, played),
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
        penetration_mm=None if seen is None else 1000 * (_sunk(motion, seen) if held is None else held.penetration),
        plants=None if seen is None else len((seen if held is None else held).slides.plants),
        transition_cost_cm=_spread(np.array(costs)) if costs else None,
        transitions_per_10s=None if played is None else 10 * len(costs) / motion.seconds,
        velocity_jump=None if played is None else _jump(motion, played, usual),
        knee_speed=_knees(motion, usual),
        before=None
        if cleaned is None
        else Before(_slid(cleaned.before.slides.overall), 1000 * cleaned.before.penetration),
        bending=None if played is None else _bending(played),
        warp=None if finished is None or finished.warp is None else _bent(finished.warp),
        cleaning=None if cleaned is None else _cleaning(cleaned),
        beyond=_beyond(motion, played),
    )


def _origin(
    source: MotionGraph | Iterable[Motion] | None, played: Performance | None
) -> MotionGraph | tuple[Motion, ...]:
    """What to compare with."""
    if source is None and played is not None:
        source = played.walk.graph
    return source if isinstance(source, MotionGraph) else tuple(source or ())


def _usual(origin: MotionGraph | tuple[Motion, ...]) -> Usual:
    return usual_of_graph(origin) if isinstance(origin, MotionGraph) else usual_of(origin)


def _source(origin: MotionGraph | tuple[Motion, ...], played: Performance | None) -> SourceFeet | None:
    if isinstance(origin, MotionGraph):
        used = played is not None and played.walk.graph is origin
        found = skating_of_graph(
            origin, np.unique(played.clip).tolist() if used and played else range(len(origin.clips))
        )
    else:
        found = skating_of(origin)
    return None if found is None else SourceFeet(_slid(found.slide), 100 * found.speed, found.ratio)


def _held(motion: Motion, contacts: Bools | None, cleaned: CleaningReport | None) -> FootFigures | None:
    """The feet at the plants that the motion was made with; None where those are not known."""
    if cleaned is not None:
        return cleaned.after
    if contacts is None:
        return None
    found = footing(motion, contacts)
    slid = slides(motion, found.plants, found.soles)
    return FootFigures(slid, float(penetration(motion, found.soles).max()), float(knees.speed(motion).max()))


def _sunk(motion: Motion, seen: SeenFeet) -> float:
    return float(penetration(motion, seen.soles).max())


def _spread(values: Array) -> Spread:
    return Spread(float(values.mean()), float(values.max()))


def _slid(overall: tuple[float, float]) -> Spread:
    mean, furthest = overall
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


def _bending(played: Performance) -> Bending | None:
    walk = played.walk
    if walk.turns is None:
        return None
    pace = np.ones(walk.frames) if walk.pace is None else walk.pace
    rate = np.degrees(np.abs(walk.turns)) * walk.graph.fps * pace
    return Bending(
        float(np.degrees(np.abs(walk.turns).sum())),
        float(rate.max()),
        float((rate > _FELT).mean()),
        float(pace.min()),
    )


def _beyond(motion: Motion, played: Performance | None) -> Beyond | None:
    """The joint furthest out of its range in the clips of a walk."""
    if played is None or (motion.translations is not None and len(motion.skeleton) != len(played.walk.graph.skeleton)):
        return None
    worst = ranges_of_walk(played.walk).worst(motion)
    return worst if worst.degrees > 0 else None


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
        1000 * report.moved,
        1000 * report.lowered,
        report.longer,
        1000 * report.missed,
        len(report.released),
        len(report.eased),
    )


def _items(made: Any) -> list[tuple[str, Any]]:
    return [(field.name, getattr(made, field.name)) for field in fields(made)]


def _plain(name: str, value: Any) -> Any:
    if is_dataclass(value):
        return {inner: _plain(inner, held) for inner, held in _items(value)}
    if isinstance(value, Mapping):
        return {key: round(share, _SHARE) for key, share in value.items()}
    if isinstance(value, float):
        return round(value, _SECONDS if name == "cpu_per_second" else _SHARE if name in _SHARES else _FIGURE)
    return value
