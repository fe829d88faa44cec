"""How a crowd went: who arrived and when, who ran into whom, how it looks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Bools, Ints, Longs, Singles
from kinegraph.compiled import njit
from kinegraph.crowds.bodies import capsules_of, depths
from kinegraph.crowds.builds import LEGS, offsets_of
from kinegraph.crowds.result import Crowd
from kinegraph.crowds.verdict import TOUCH, Collision, collisions, told
from kinegraph.feet.sole import has_legs, underfoot
from kinegraph.motion.spans import spans
from kinegraph.people.body import soles_of
from kinegraph.walks.tables import tables

# metres between two trunks below which it was a near miss
NEAR_MISS = 0.15
# m/s below which somebody stands or turns on the spot, and rad/s above which they turn
_STANDS, _TURNS = 0.3, np.radians(30.0)
# radians by which a heading must swing back to have changed its mind, and seconds over which the sway of strides is taken out of it
_SWING, _SWAY = np.radians(10.0), 0.5
# metres about somebody within which others are counted for the density
_ROUND = 2.0
# who has walked so many metres and is so near to where they were then mills about
_LAP, _BACK = 3.0, 1.0


@dataclass(frozen=True, eq=False)
class Report:
    """Figures of a crowd. Depths are in metres, below 0 where there is room."""

    crowd: Crowd
    trunk: Singles
    """``(F, N)``: how deep each one's trunk is in another's."""
    body: Singles
    """``(F, N)``: the same for whole bodies, limbs included."""
    whom: Ints
    """``(F, N)``: in whose trunk."""

    def deeper(self, depth: float, *, whole: bool = False) -> float:
        """The share of person-frames in which a trunk, or a whole body, is deeper than this in another."""
        deep = (self.body if whole else self.trunk)[self.crowd.present]
        return float((deep > depth).mean())

    @property
    def deepest(self) -> float:
        """Metres of the worst penetration of two trunks."""
        return float(self.trunk[self.crowd.present].max())

    @property
    def worst(self) -> tuple[int, int, int]:
        """The frame of the worst penetration of two trunks, and its two people."""
        deep = np.where(self.crowd.present, self.trunk, -np.inf)
        frame, person = np.unravel_index(int(deep.argmax()), deep.shape)
        return int(frame), int(person), int(self.whom[frame, person])

    @cached_property
    def collisions(self) -> tuple[Collision, ...]:
        """Who was deeper than 10 cm in whom, and when; the deepest first."""
        return collisions(self.trunk, self.whom, self.crowd.present)

    @property
    def notices(self) -> tuple[str, ...]:
        """What is to be said about the crowd: what it says of itself, and who ran into whom."""
        return (*self.crowd.notices, *told(self.collisions, self.deeper(TOUCH), self.crowd.fps))

    @property
    def near_misses(self) -> int:
        """How often two trunks came within 15 cm and did not touch by 2 cm."""
        own = self.trunk
        return (
            sum(
                1
                for person in range(own.shape[1])
                for first, last in spans(own[:, person] > -NEAR_MISS)
                if own[first:last, person].max() <= 0.02
            )
            // 2
        )

    @cached_property
    def under_way(self) -> Bools:
        """``(F, N)``: who is still on their way."""
        crowd = self.crowd
        frames = np.arange(len(crowd))[:, None] / crowd.fps
        way: Bools = frames < np.where(np.isfinite(crowd.arrived), crowd.arrived, np.inf)
        return way

    @cached_property
    def waited(self) -> Array:
        """``(N,)``: seconds that each stood on their way, after they had set out."""
        speed = np.hypot(*np.moveaxis(self.crowd.velocity, -1, 0))
        stood = self.under_way & (speed < _STANDS)
        stood &= np.maximum.accumulate(speed > _STANDS, axis=0)
        seconds: Array = stood.sum(axis=0) / self.crowd.fps
        return seconds

    @cached_property
    def efficiency(self) -> Array:
        """``(N,)``: how far each had to go, by how far they went; NaN who has not arrived."""
        crowd = self.crowd
        steps = np.hypot(*np.moveaxis(np.diff(crowd.place.astype(np.float64), axis=0), -1, 0))
        gone = (steps * self.under_way[1:]).sum(axis=0)
        share: Array = np.where(np.isfinite(crowd.arrived), crowd.cast.far / np.maximum(gone, 1e-9), np.nan)
        return np.minimum(share, 1.0)

    @cached_property
    def milled(self) -> Array:
        """``(N,)``: metres that each milled about on their way: three metres of walking ended within one metre of where they began."""
        lasts = self.under_way.sum(axis=0)
        found: Array = milling(self.crowd.place.astype(np.float64), lasts, _LAP, _BACK)
        return found

    @property
    def transitions(self) -> float:
        """Transitions a second that a person takes, on average."""
        crowd = self.crowd
        blended = tables(crowd.graph).blended
        began = (crowd.edges[1:] != crowd.edges[:-1]) & blended[crowd.edges[1:]] & crowd.present[1:]
        return float(began.sum() / max(crowd.present[1:].sum(), 1) * crowd.fps)

    @cached_property
    def turning(self) -> Array:
        """``(N,)``: the longest that each turned on the spot, in seconds."""
        crowd = self.crowd
        width = max(round(0.2 * crowd.fps), 1)
        heading = _smoothed(np.unwrap(crowd.heading.astype(np.float64), axis=0), width)
        rate = np.abs(np.gradient(heading, axis=0)) * crowd.fps
        on_spot = (rate > _TURNS) & (np.hypot(*np.moveaxis(crowd.velocity, -1, 0)) < _STANDS) & crowd.present
        longest = [
            max((last - first for first, last in spans(on_spot[:, person])), default=0) / crowd.fps
            for person in range(len(crowd.cast))
        ]
        return np.array(longest)

    @cached_property
    def changes(self) -> Array:
        """``(N,)``: how often a second each one's turning changed its sign, by swings of more than 10°, without the sway of strides."""
        crowd = self.crowd
        width = max(round(_SWAY * crowd.fps), 1)
        heading = _smoothed(np.unwrap(crowd.heading.astype(np.float64), axis=0), width)
        there = crowd.present.sum(axis=0)
        counted = [swings(heading[:count, person], _SWING) for person, count in enumerate(there)]
        rate: Array = np.array(counted) / np.maximum(there / crowd.fps, 1.0)
        return rate

    @cached_property
    def slides(self) -> Array:
        """``(N,)``: the furthest that a foot of each came from where it was first held, while it was, in metres."""
        crowd = self.crowd
        if not has_legs(crowd.graph.skeleton):
            return np.zeros(len(crowd.cast))
        soles = soles_of(crowd.graph)
        worst = np.zeros(len(crowd.cast))
        for person in range(len(crowd.cast)):
            motion, tall = crowd.motion(person), float(crowd.build[person, LEGS])
            # in units of the person's own, as their soles are
            motion = replace(motion, skeleton=crowd.graph.skeleton, root=motion.root / tall)
            points = tall * underfoot(motion, soles)[:, :, :2].reshape(len(motion), 4, 3)
            held = crowd.held[: len(motion), person]
            for part in range(4):
                for first, last in spans(held[:, part]):
                    off = points[first:last, part] - points[first, part]
                    worst[person] = max(worst[person], float(np.hypot(off[:, 0], off[:, 2]).max()))
        return worst

    @cached_property
    def density(self) -> Singles:
        """``(F, N)``: people on a square metre around each, within two metres; NaN who is not there."""
        return crowding(self.crowd.place, self.crowd.present, _ROUND)

    @property
    def flow(self) -> float:
        """People who arrive in a second, from the first tenth to the last."""
        times = np.sort(self.crowd.arrived[np.isfinite(self.crowd.arrived)])
        if len(times) < 10:
            return float("nan")
        low, high = np.percentile(times, [10, 90])
        return float(0.8 * len(times) / max(high - low, 1e-9))

    @property
    def facts(self) -> dict[str, Any]:
        """All of it in numbers, as ``--json`` prints them."""
        crowd = self.crowd
        times = crowd.arrived[np.isfinite(crowd.arrived)]
        frame, one, other = self.worst
        return {
            "scenario": crowd.cast.scenario.name,
            "people": len(crowd.cast),
            "frames": len(crowd),
            "fps": crowd.fps,
            "seconds": round(crowd.seconds, 3),
            "arrived": len(times),
            "arrival_s": {"mean": _round(times.mean(), 2), "max": _round(times.max(), 2)} if len(times) else None,
            "trunks": {
                "deepest_cm": _round(100 * self.deepest, 2),
                "above_2cm_share": _round(self.deeper(0.02), 6),
                "above_10cm_share": _round(self.deeper(0.10), 6),
                "collisions": [
                    {
                        "people": list(one.people),
                        "from_s": _round(one.first / crowd.fps, 2),
                        "to_s": _round(one.last / crowd.fps, 2),
                        "deepest_cm": _round(100 * one.depth, 1),
                    }
                    for one in self.collisions
                ],
                "worst": {"frame": frame, "people": [one, other]},
                "near_misses": self.near_misses,
            },
            "bodies": {
                "deepest_cm": _round(100 * float(self.body[crowd.present].max()), 2),
                "above_2cm_share": _round(self.deeper(0.02, whole=True), 6),
            },
            "waited_s": {"mean": _round(self.waited.mean(), 2), "max": _round(self.waited.max(), 2)},
            "efficiency": _round(float(np.nanmean(self.efficiency)), 3) if len(times) else None,
            "milled_m": {"mean": _round(self.milled.mean(), 3), "max": _round(self.milled.max(), 2)},
            "density_per_m2": {
                "mean": _round(float(np.nanmean(self.density)), 3),
                "max": _round(float(np.nanmax(self.density)), 3),
            },
            "flow_per_s": None if np.isnan(self.flow) else _round(self.flow, 3),
            "transitions_per_s": _round(self.transitions, 3),
            "turning_on_the_spot_s": _round(float(self.turning.max()), 2),
            "heading_changes_per_s": {
                "mean": _round(float(self.changes.mean()), 3),
                "max": _round(float(self.changes.max()), 3),
            },
            "slide_mm": _round(1000 * float(self.slides.max()), 3),
            "notices": list(self.notices),
        }


def reported(crowd: Crowd) -> Report:
    """The report of a crowd.

    >>> import kinegraph as kg
    >>> names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "stop")
    >>> crowd = kg.crowd(kg.build([kg.samples.make(name).motion for name in names]), "hallway:4", seconds=2)
    >>> reported(crowd).deeper(0.02)
    0.0
    """
    trunk, body, whom = depths(
        capsules_of(crowd.graph.skeleton),
        crowd.root,
        crowd.rotations,
        crowd.present,
        crowd.stature,
        offsets_of(crowd.graph.skeleton, crowd.build),
    )
    return Report(crowd, trunk, body, whom)


@njit(cache=True, nogil=True)
def swings(heading: Array, least: float) -> int:
    """How often a heading ``(F,)`` that swings by more than ``least`` turns back."""
    low = high = heading[0] if len(heading) else 0.0
    going, found = 0, 0
    for value in heading:
        low, high = min(low, value), max(high, value)
        if going <= 0 and value > low + least:
            found += going < 0
            going, high = 1, value
        elif going >= 0 and value < high - least:
            found += going > 0
            going, low = -1, value
    return found


@njit(cache=True, nogil=True)
def milling(place: Array, lasts: Longs, lap: float, back: float) -> Array:
    """``(N,)``: metres of the ways ``place (F, N, 2)``, as far as frame ``lasts (N,)``, that end ``lap`` metres of walking within ``back``.

    Standing does not count, and neither does a detour; a loop and a way back on the same line do.
    """
    count = place.shape[1]
    found = np.zeros(count)
    for person in range(count):
        gone = np.zeros(lasts[person])
        before = 0
        for frame in range(1, lasts[person]):
            x, z = place[frame, person]
            step = np.hypot(x - place[frame - 1, person, 0], z - place[frame - 1, person, 1])
            gone[frame] = gone[frame - 1] + step
            while gone[frame] - gone[before + 1] >= lap:
                before += 1
            if gone[frame] >= lap and np.hypot(x - place[before, person, 0], z - place[before, person, 1]) < back:
                found[person] += step
    return found


@njit(cache=True, nogil=True)
def crowding(place: Singles, present: Bools, around: float) -> Singles:
    """``(F, N)``: people on a square metre within ``around`` metres of each, themselves among them; NaN who is not there."""
    frames, count = present.shape
    found = np.full((frames, count), np.nan, np.float32)
    for frame in range(frames):
        for person in range(count):
            if not present[frame, person]:
                continue
            near = 0
            for other in range(count):
                if present[frame, other]:
                    d_x = place[frame, other, 0] - place[frame, person, 0]
                    d_z = place[frame, other, 1] - place[frame, person, 1]
                    near += d_x * d_x + d_z * d_z < around * around
            found[frame, person] = near / (np.pi * around * around)
    return found


def _smoothed(values: Array, width: int) -> Array:
    """Running means over ``width`` frames; the ends hold."""
    before = width // 2
    padded = np.concatenate([np.repeat(values[:1], before, 0), values, np.repeat(values[-1:], width - 1 - before, 0)])
    total = np.concatenate([np.zeros_like(padded[:1]), np.cumsum(padded, axis=0)])
    means: Array = (total[width:] - total[:-width]) / width
    return means


def _round(value: float, digits: int) -> float:
    return round(float(value), digits)
