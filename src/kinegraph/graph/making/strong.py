"""Strongly connected components of a network, for one threshold after another.

Of two thresholds the higher one joins what the lower one has joined, and more. So between two that are known there is little to do:
what the lower one joins is one node, and ways that lead out of what the higher one joins close no circle. Each new threshold halves
what is left, and all of them together cost little more than a few of them would from nothing.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Ints, Longs
from kinegraph.compiled import njit

Numbers = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Arcs:
    """Nodes and the ways out of each, in compressed rows; one way may be given more than once."""

    first: Longs
    """``(N + 1,)``: where the ways out of each node begin."""
    heads: Numbers
    """``(W,)``: the node to which each way leads."""
    cost: NDArray[Any]
    """``(W,)``: numbers of any kind by which ways are dear."""

    def parts(self, most: float) -> Numbers:
        """``(N,)``: the number of the component of each node, by ways that cost no more than ``most``."""
        found: Numbers = _parts(self.first, self.heads, self.cost, most)
        return found

    def least(self, steps: NDArray[Any], wanted: NDArray[np.bool_], counts: Longs) -> int:
        """The first of ``steps``, ascending, by whose ways the largest component has so many of each set of nodes ``wanted (G, N)``; how
        many steps there are where the last one does not, or leaves no circle.
        """
        return int(_least(self.first, self.heads, self.cost, steps, wanted, counts))

    def among(self, nodes: Longs) -> Arcs:
        """The ways between some nodes, which are numbered anew in the order given."""
        number = np.full(len(self.first) - 1, -1, np.int32)
        number[nodes] = np.arange(len(nodes))
        return Arcs(*_among(self.first, self.heads, self.cost, nodes, number))

    def inside(self, parts: Numbers, most: float) -> Arcs:
        """Of the ways that cost no more than ``most`` those that lead to their own part."""
        return Arcs(*_inside(self.first, self.heads, self.cost, parts, most))

    def between(self, parts: Numbers) -> Arcs:
        """The cheapest ways from one part to another, of nodes that are the parts."""
        count = int(parts.max()) + 1 if len(parts) else 0
        return Arcs(*_between(self.first, self.heads, self.cost, parts, count))


@dataclass(frozen=True, eq=False)
class _Span:
    """What is left to do between two thresholds."""

    low: float
    nodes: Numbers
    """``(F,)``: the component of each frame by ways that cost no more than ``low``."""
    make: Callable[[], Arcs]

    @cached_property
    def rows(self) -> Arcs:
        """Between these components, the ways within components of the higher threshold; made when somebody asks."""
        return self.make()


class Strong:
    """The components of one network, by the most that a way may cost; what one thread has found helps all others."""

    def __init__(self, rows: Arcs):
        nodes = np.arange(len(rows.first) - 1, dtype=np.int32)
        self._spans = [_Span(-np.inf, nodes, lambda: rows)]
        self._lock = threading.Lock()

    def parts(self, most: float = np.inf) -> Numbers:
        """``(F,)``: the number of the component of each frame, by ways that cost no more than ``most``."""
        with self._lock:
            return self._parts(most)

    def _parts(self, most: float) -> Numbers:
        place = bisect_right(self._spans, most, key=lambda span: span.low) - 1
        span = self._spans[place]
        if span.low == most:
            return span.nodes
        own = span.rows.parts(most)
        whole: Numbers = own[span.nodes]
        below = _Span(span.low, span.nodes, partial(span.rows.inside, own, most))
        self._spans[place : place + 1] = [below, _Span(most, whole, partial(span.rows.between, own))]
        return whole


class Joining:
    """The components of a network to which ways are added, one after another: what is joined stays so."""

    def __init__(self, rows: Arcs):
        self.parts: Numbers = rows.parts(np.inf)
        """``(F,)``: the number of the component of each frame."""
        self._rows = rows.between(self.parts)

    def add(self, source: Ints | Longs, target: Ints | Longs) -> None:
        """Some ways more."""
        more, own = self._with(source, target)
        self.parts, self._rows = own[self.parts], more.between(own)

    def parts_with(self, source: Ints | Longs, target: Ints | Longs) -> Numbers:
        """``(F,)``: the components that some ways more would give."""
        found: Numbers = self._with(source, target)[1][self.parts]
        return found

    def _with(self, source: Ints | Longs, target: Ints | Longs) -> tuple[Arcs, Numbers]:
        old = self._rows
        first, heads = _with_more(old.first, old.heads, self.parts[source], self.parts[target])
        more = Arcs(first, heads, np.zeros(len(heads), np.int8))
        return more, more.parts(np.inf)


@njit(cache=True, nogil=True)
def _with_more(first: Any, heads: Any, source: Any, target: Any) -> Any:
    """Rows with some ways more."""
    moved, every = np.zeros_like(first), np.empty(heads.size + source.size, heads.dtype)
    for way in range(source.size):
        moved[source[way] + 1] += 1
    # what stands between two rows that grow is moved at once
    begin = shift = 0
    for node in range(first.size - 1):
        more = moved[node + 1]
        moved[node + 1] = shift + more
        if more:
            end = first[node + 1]
            every[begin + shift : end + shift] = heads[begin:end]
            begin, shift = end, shift + more
    every[begin + shift :] = heads[begin:]
    moved += first
    at = moved[1:].copy()
    for way in range(source.size):
        at[source[way]] -= 1
        every[at[source[way]]] = target[way]
    return moved, every


def rows(
    source: NDArray[np.integer],
    target: NDArray[np.integer],
    cost: NDArray[Any],
    ahead: NDArray[np.bool_],
    chosen: NDArray[np.bool_] | None = None,
) -> Arcs:
    """The rows of ways, or of those of them that are ``chosen (W,)``; besides, a node leads to the next one for nothing where it is
    ``ahead (N,)``.
    """
    some = np.empty(0, bool) if chosen is None else chosen
    return Arcs(*_rows(source, target, cost, ahead, some, chosen is None))


@njit(cache=True, nogil=True)
def _rows(source: Any, target: Any, cost: Any, ahead: Any, chosen: Any, every: bool) -> Any:
    first = np.zeros(ahead.size + 1, np.int64)
    for node in range(ahead.size):
        first[node + 1] += ahead[node]
    for way in range(source.size):
        if every or chosen[way]:
            first[source[way] + 1] += 1
    for node in range(ahead.size):
        first[node + 1] += first[node]
    at = first[:-1].copy()
    heads, price = np.empty(first[-1], np.int32), np.empty(first[-1], cost.dtype)
    for node in range(ahead.size):
        if ahead[node]:
            heads[at[node]], price[at[node]] = node + 1, 0
            at[node] += 1
    for way in range(source.size):
        if every or chosen[way]:
            place = at[source[way]]
            heads[place], price[place] = target[way], cost[way]
            at[source[way]] += 1
    return first, heads, price


@njit(cache=True, nogil=True)
def _parts(first: Any, heads: Any, cost: Any, most: float) -> Any:
    """Tarjan's search in depth, without recursion."""
    size = first.size - 1
    closed = size + 1
    label, number, low = np.empty(size, np.int32), np.zeros(size, np.int32), np.empty(size, np.int32)
    path, stack = np.empty(size, np.int32), np.empty(size, np.int32)
    at = first[:-1].copy()
    seen = depth = held = count = 0
    for root in range(size):
        if number[root]:
            continue
        seen += 1
        number[root] = low[root] = seen
        path[0], stack[held] = root, root
        depth, held = 1, held + 1
        while depth:
            node = path[depth - 1]
            way, end, least = at[node], first[node + 1], low[node]
            down = False
            while way < end:
                if cost[way] <= most:
                    head = heads[way]
                    if number[head] == 0:
                        down = True
                        break
                    # of a component that is closed the number is beyond all others
                    least = min(least, number[head])
                way += 1
            low[node], at[node] = least, way + 1
            if down:
                seen += 1
                number[head] = low[head] = seen
                path[depth], stack[held] = head, head
                depth, held = depth + 1, held + 1
                continue
            depth -= 1
            if depth:
                low[path[depth - 1]] = min(low[path[depth - 1]], least)
            if least == number[node]:
                while True:
                    held -= 1
                    one = stack[held]
                    number[one], label[one] = closed, count
                    if one == node:
                        break
                count += 1
    return label


@njit(cache=True, nogil=True)
def biggest_part(labels: Any) -> Any:
    """``(N,)``: which nodes have the label that most have; none if no two share one. Of equal ones, that of the earliest node."""
    # of n nodes no label is beyond n
    counts = np.zeros(labels.size + 1, np.int32)
    for label in labels:
        counts[label] += 1
    most = 0
    for n in range(labels.size):
        if counts[labels[n]] > counts[labels[most]]:
            most = n
    found = np.zeros(labels.size, np.bool_)
    if labels.size and counts[labels[most]] > 1:
        for n in range(labels.size):
            found[n] = labels[n] == labels[most]
    return found


@njit(cache=True, nogil=True)
def _least(first: Any, heads: Any, cost: Any, steps: Any, wanted: Any, counts: Any) -> Any:
    low, high = -1, steps.size
    # the last one first: whatever it does not give no other does
    step = steps.size - 1
    while high - low > 1:
        kept = biggest_part(_parts(first, heads, cost, steps[step]))
        enough = step < steps.size - 1 or kept.any()
        for goal in range(counts.size):
            held = 0
            for n in range(kept.size):
                held += kept[n] and wanted[goal, n]
            enough = enough and held >= counts[goal]
        if enough:
            high = step
        else:
            low = step
        step = (low + high) // 2
    return high


@njit(cache=True, nogil=True)
def _inside(first: Any, heads: Any, cost: Any, parts: Any, most: float) -> Any:
    size = first.size - 1
    left = np.empty(size + 1, np.int64)
    count = 0
    for node in range(size):
        left[node] = count
        for way in range(first[node], first[node + 1]):
            count += cost[way] <= most and parts[heads[way]] == parts[node]
    left[size] = count
    others, price = np.empty(count, np.int32), np.empty(count, cost.dtype)
    count = 0
    for node in range(size):
        for way in range(first[node], first[node + 1]):
            if cost[way] <= most and parts[heads[way]] == parts[node]:
                others[count], price[count] = heads[way], cost[way]
                count += 1
    return left, others, price


@njit(cache=True, nogil=True)
def _between(first: Any, heads: Any, cost: Any, parts: Any, count: int) -> Any:
    left = np.zeros(count + 1, np.int64)
    for node in range(first.size - 1):
        for way in range(first[node], first[node + 1]):
            left[parts[node] + 1] += parts[heads[way]] != parts[node]
    for part in range(count):
        left[part + 1] += left[part]
    at = left[:-1].copy()
    others, price = np.empty(left[-1], np.int32), np.empty(left[-1], cost.dtype)
    for node in range(first.size - 1):
        part = parts[node]
        for way in range(first[node], first[node + 1]):
            head = parts[heads[way]]
            if head != part:
                others[at[part]], price[at[part]] = head, cost[way]
                at[part] += 1
    # of the ways from one part to another the cheapest is enough
    place, held = np.full(count, -1, np.int64), 0
    for part in range(count):
        begin, end = left[part], left[part + 1]
        left[part] = held
        for way in range(begin, end):
            head = others[way]
            if place[head] >= left[part]:
                price[place[head]] = min(price[place[head]], price[way])
            else:
                place[head] = held
                others[held], price[held] = head, price[way]
                held += 1
    left[count] = held
    return left, others[:held].copy(), price[:held].copy()


@njit(cache=True, nogil=True)
def _among(first: Any, heads: Any, cost: Any, nodes: Any, number: Any) -> Any:
    left = np.empty(nodes.size + 1, np.int64)
    count = 0
    for n in range(nodes.size):
        left[n] = count
        for way in range(first[nodes[n]], first[nodes[n] + 1]):
            count += number[heads[way]] >= 0
    left[nodes.size] = count
    others, price = np.empty(count, np.int32), np.empty(count, cost.dtype)
    count = 0
    for n in range(nodes.size):
        for way in range(first[nodes[n]], first[nodes[n] + 1]):
            head = number[heads[way]]
            if head >= 0:
                others[count], price[count] = head, cost[way]
                count += 1
    return left, others, price
