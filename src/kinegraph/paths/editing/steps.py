"""Footsteps on another path: each is moved as a whole, so that a foot that stood still stands still there too.

A moving frame that turns while a foot stands would drag the foot along. So a footstep is carried by the frame of a single moment, the
middle of its stance.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from kinegraph.arrays import Array
from kinegraph.feet.plants import Plant, footsteps
from kinegraph.motion import rotation
from kinegraph.motion.spans import spans
from kinegraph.paths.editing.hills import Terrain
from kinegraph.paths.moving import MovingFrame, turned

PIVOT = 0.3
"""Radians by which a body may turn over a flat foot, to either side of how it was captured."""


def moved(
    plants: Iterable[Plant], source: MovingFrame, target: MovingFrame, turn: Array | None = None
) -> tuple[Plant, ...]:
    """The plants of a motion, carried from the ``source`` frame to the ``target`` frame. Heights stay.

    turn: ``(F,)``, as in `pivoting`, where that comes next.
    """
    steps = footsteps(plants)
    if not steps:
        return ()
    middles = np.array([_middle(step, turn) for step in steps])
    owner = np.repeat(np.arange(len(steps)), [len(step) for step in steps])
    every = [plant for step in steps for plant in step]
    at = middles[owner]
    places = np.array([plant.place for plant in every])
    apart = places[:, [0, 2]] - source.points[at]
    # by differences, so that a step laid on its own frame stays to the last digit
    places[:, [0, 2]] += (
        (target.points - source.points)[at] + turned(apart, (target.heading - source.heading)[at]) - apart
    )
    return _in_order(replace(plant, place=place) for plant, place in zip(every, places, strict=True))


def pivoting(plants: Iterable[Plant], turn: Array) -> tuple[Plant, ...]:
    """The plants of a motion that was turned by ``turn (F,)`` radians more than it was captured, so that feet pivot where it turns a lot.

    A foot can stand flat only while the body turns over it by as much as a hip gives. Before and after, the heel is let go and
    the foot turns about its ball, as people turn.
    """
    kept: list[Plant] = []
    for step in footsteps(plants):
        balls = [plant for plant in step if plant.part == "ball"]
        apart = turn - turn[_middle(step, turn)]
        for plant in step:
            if plant.part == "heel" and balls:
                on_ball = np.zeros(len(turn), bool)
                for ball in balls:
                    on_ball[ball.first : ball.last] = True
                flat = ~((np.abs(apart) > PIVOT) & on_ball)[plant.first : plant.last]
                stretches = [(plant.first + first, plant.first + last) for first, last in spans(flat)]
                if not stretches:
                    continue
                first, last = max(stretches, key=lambda span: span[1] - span[0])
                plant = replace(plant, first=first, last=last)
            kept.append(plant)
    return _in_order(kept)


def on_ground(plants: Iterable[Plant], terrain: Terrain, s: Array) -> tuple[Plant, ...]:
    """Plants of flat ground put on the terrain; each footstep is tilted like the ground under it. s: ``(F,)``, the walker's arc length."""
    steps = footsteps(plants)
    if not steps:
        return ()
    at = s[[_middle(step) for step in steps]]
    centres = np.array([np.mean([plant.place for plant in step], axis=0) for step in steps]) * [1.0, 0.0, 1.0]
    grounds = centres + terrain.under(centres[:, [0, 2]], at)[:, None] * [0.0, 1.0, 0.0]
    tilts = rotation.between([0.0, 1.0, 0.0], terrain.normal(centres[:, [0, 2]], at))
    raised = []
    for step, centre, ground, tilt, along in zip(steps, centres, grounds, tilts, at, strict=True):
        arms = np.array([plant.place for plant in step]) - centre
        # the whole foot is tilted, its height over the ground too: so it keeps its length
        tilted = np.broadcast_to(tilt, (len(arms), 4))
        places = ground + rotation.rotate(tilted, arms)
        # where the ground is not flat under the foot, each point follows it
        plane = ground + rotation.rotate(tilted, arms * [1.0, 0.0, 1.0])
        places[:, 1] += terrain.under(plane[:, [0, 2]], np.full(len(arms), along)) - plane[:, 1]
        raised += [replace(plant, place=place) for plant, place in zip(step, places, strict=True)]
    return _in_order(raised)


def _middle(step: list[Plant], turn: Array | None = None) -> int:
    """The frame in the middle of a footstep. Where the body turns by ``turn (F,)`` meanwhile, that in the middle of the time for which the
    foot is flat, or sooner if it turns a lot: a foot is put down as it will stand, and pivots when its heel comes off the floor.
    """
    spans = [(plant.first, plant.last) for plant in step]
    if turn is None:
        return (min(first for first, _ in spans) + max(last for _, last in spans) - 1) // 2
    both = [
        (max(one.first, two.first), min(one.last, two.last)) for one in step for two in step if one.part != two.part
    ]
    spans = [(first, last) for first, last in both if first < last] or spans
    first = min(first for first, _ in spans)
    middle = (first + max(last for _, last in spans) - 1) // 2
    within = np.abs(turn[first : middle + 1] - turn[first]) <= PIVOT
    return middle if within.all() else first + int(np.argmin(within)) - 1


def _in_order(plants: Iterable[Plant]) -> tuple[Plant, ...]:
    return tuple(sorted(plants, key=lambda plant: (plant.first, plant.column)))
