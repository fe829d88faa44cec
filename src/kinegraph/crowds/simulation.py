"""A crowd, frame by frame: avoidance sees where bodies really are, and bodies get its answer as their stick."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.crowds.agility import seen
from kinegraph.crowds.avoidance import Care, Movers, avoid
from kinegraph.crowds.casting import Cast
from kinegraph.crowds.grid import grid_of
from kinegraph.crowds.manoeuvres import Field, Response, Taste, decide, pressing
from kinegraph.graph.model import MotionGraph
from kinegraph.people.rows import rows
from kinegraph.people.steered import People


class Walkers:
    """Who goes where: goals in turn, and the velocity that each would like."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.leg = np.zeros(len(cast), np.int64)
        self.arrived = np.full(len(cast), np.nan)

    @property
    def goal(self):
        return self.cast.legs[np.arange(len(self.cast)), self.leg]

    @property
    def present(self):
        return np.isnan(self.arrived) | ~self.cast.leaves

    def liked(self, place: Array, now: float) -> Array:
        cast = self.cast
        goal = self.goal
        there = cast.reached(goal, place) & np.isnan(self.arrived)
        for person in np.flatnonzero(there):
            following = self.leg[person] + 1
            if following < cast.legs.shape[1] and cast.legs[person, following] >= 0:
                self.leg[person] = following
            elif cast.loops[person]:
                self.leg[person] = 0
            else:
                self.arrived[person] = now
        wish = cast.toward(self.goal, place) * cast.speed[:, None]
        wish[~np.isnan(self.arrived)] = 0.0
        return wish


def discs(cast: Cast, seconds: float, fps: float = 30.0, care: Care | None = None, radius=0.25):
    care = care or Care(apart=1 / fps)
    walkers = Walkers(cast)
    place, velocity = cast.start.copy(), np.zeros((len(cast), 2))
    n = len(cast)
    out = [place.copy()]
    for frame in range(round(seconds * fps)):
        liked = walkers.liked(place, frame / fps)
        who = np.flatnonzero(walkers.present)
        if not np.isnan(walkers.arrived).any():
            break
        movers = Movers(place[who], velocity[who], np.full(len(who), radius), cast.speed[who] * 1.2, np.ones(len(who)))
        velocity[who] = avoid(movers, liked[who], cast.walls, care)
        place[who] = place[who] + velocity[who] / fps
        out.append(place.copy())
    return walkers, np.array(out)


class Simulation:
    def __init__(self, graph: MotionGraph, cast: Cast, care=None, agility=None, radius=0.3, standing=0.3, response=None, taste=None, every=4, use=True) -> None:
        self.cast, self.walkers = cast, Walkers(cast)
        self.people = People(graph, len(cast), seed=cast.scenario.seed)
        fps = graph.fps
        self.fps = fps
        self.care = care or Care(apart=.1)
        self.response, self.taste = response or Response(), taste or Taste()
        toward = cast.toward(self.walkers.goal, cast.start)
        self.people.set_down(cast.start, np.arctan2(toward[:, 0], toward[:, 1]))
        n = len(cast)
        self.place, self.velocity, self.heading = np.zeros((n, 2)), np.zeros((n, 2)), np.zeros(n)
        self.stick, self.stands = np.zeros((n, 2)), np.ones(n, np.bool_)
        self.rows = rows(self.people.graph)
        self.radius, self.standing = radius, standing
        self.every, self.use = every, use
        self.frame = 0
        self.waited = np.zeros(n)
        fl = cast.floor
        self.field = Field(0., 0., 1., np.zeros((0, 0))) if fl is None else Field(fl.x, fl.z, fl.cell, fl.clear)
        self._look()

    def _look(self):
        own = self.rows
        seen(self.people.cursors, own.tables.begin, own.steady, own.speed, own.way, own.facing, self.place, self.velocity, self.heading)

    def step(self):
        cast = self.cast
        liked = self.walkers.liked(self.place, self.frame / self.fps)
        present = self.walkers.present
        who = np.flatnonzero(present)
        self.stands = np.hypot(*self.stick.T) < .1
        asked = np.zeros_like(liked)
        if self.use:
            yields = np.where(self.stands[who], self.standing, 1.0)
            movers = Movers(self.place[who], self.velocity[who], np.full(len(who), self.radius), cast.speed[who] * 1.2, yields)
            asked[who] = avoid(movers, liked[who], cast.walls, self.care)
        self.stick[~present] = 0
        if not len(who):
            return
        grid = grid_of(self.place[who], 0.5 * self.taste.reach)
        decide(who[(who + self.frame) % self.every == 0], self.place, self.velocity, self.heading, self.stick, self.waited, liked, asked, present, grid, who, self.field, pressing(self.place[who], self.stick[who]), self.response, self.taste)
        self.people.step(self.stick)
        self.waited = np.where((np.hypot(*self.stick.T) < .1) & (np.hypot(*liked.T) > .1), self.waited + 1 / self.fps, 0.0)
        self._look()
        self.frame += 1
