"""The comparison of all clips of a graph: what is known is not compared again, and what is found goes to the draft as it comes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from kinegraph.arrays import Ints
from kinegraph.errors import KinegraphError
from kinegraph.graph.making import reach
from kinegraph.graph.making.draft import Draft
from kinegraph.graph.making.means import HERE, Means
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.making.record import Record
from kinegraph.graph.model import Clip
from kinegraph.similarity.candidates import Candidates, Named, gathered
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.compare import all_window_pairs, compare_all, shortest_windows
from kinegraph.watch import Watch

# seconds between two writes to the draft
_PAUSE = 0.5
# minima of a large library that are held before only the best of them stay
_HELD = 2_000_000


class Comparing:
    """The candidates of all pairs of clips, of which those that ``known`` has need not be looked for."""

    def __init__(
        self,
        clips: Sequence[Clip],
        clouds: Sequence[Cloud],
        parameters: Parameters,
        known: Record | None,
        means: Means = HERE,
    ):
        self._clouds, self._means, self._parameters = clouds, means, parameters
        means.options()  # before a draft is begun: too little memory is refused
        self._lengths = [len(clip) for clip in clips]
        windows = shortest_windows([clip.window for clip in clips])
        self.pairs = all_window_pairs(self._lengths, windows)
        """Pairs of windows of all clips."""
        self._known = Candidates.of({})
        if known is not None:
            self._known = Named.of(known.candidates).numbered([clip.name for clip in clips])
        self._todo = _without(windows, self._known)
        self.fresh = all_window_pairs(self._lengths, self._todo)
        """Pairs of windows that are compared."""
        self.looked: float | None = None
        """How far all pairs are compared, where that is not the ceiling."""
        if known is not None:
            # what is added to a large library is looked at as far as that was
            self.looked = known.report.looked
        elif sum(self._lengths) >= reach.LARGE:
            self.looked = reach.far_enough(clouds, windows, parameters.fps, parameters.limit, means)

    def run(self, draft: Draft | None, watch: Watch) -> Candidates:
        """All candidates. A draft has those of an earlier run, and gets what is found."""
        done, todo = [self._known], self._todo
        if draft:
            # a draft of the same clips may hold pairs that are known besides
            done.append(draft.done.among(todo[draft.done.a, draft.done.b] > 0))
            todo = _without(todo, draft.done)
            self.fresh = all_window_pairs(self._lengths, todo)
        limit = self._parameters.limit if self.looked is None else self.looked
        best = None if self.looked is None else reach.Best(self._lengths, self._parameters.fps)
        held: list[Candidates] = []
        last, count = time.perf_counter(), 0
        try:
            for some in compare_all(self._clouds, todo, limit=limit, watch=watch, **self._means.options()):
                held.append(some if best is None else best.among(some))
                count += len(held[-1])
                if best is not None and count > _HELD:
                    done, count = best.of(gathered(done + held)), 0
                    if draft:
                        draft.put(gathered(held))
                    held = []
                elif draft and time.perf_counter() - last > _PAUSE:
                    done.append(gathered(held))
                    held, last = [], time.perf_counter()
                    draft.put(done[-1])
        except BaseException:
            # whoever stops a build, by a key or by their watch: what was compared is kept
            if draft and held:
                with suppress(KinegraphError):
                    draft.put(gathered(held))
            raise
        if draft and held:
            # whatever comes, this need not be compared again
            draft.put(gathered(held))
        if best is None:
            return gathered(done + held)
        # first the best of these alone: who lacks some must not depend on how much was held at a time
        found = best.of(*done, gathered(held))
        farther = self._farther(found)
        return gathered(best.of(*farther) if len(farther) > len(found) else found)

    def _farther(self, found: Sequence[Candidates]) -> Sequence[Candidates]:
        """The candidates, in parts, and what a coarse search up to the ceiling finds for clips that have too few; the same where there are
        none.
        """
        windows = reach.coarse(found, self._todo, self._lengths, self._parameters.fps)
        more = gathered(compare_all(self._clouds, windows, limit=self._parameters.limit, **self._means.options()))
        if not more.pairs:
            return found
        again = np.zeros(windows.shape, bool)
        again[more.a, more.b] = True
        return [*(part.among(~again[part.a, part.b]) for part in found), more]


def _without(windows: Ints, known: Candidates) -> Ints:
    """The windows but for those of pairs that are known."""
    left = windows.copy()
    left[known.a, known.b] = 0
    return left
