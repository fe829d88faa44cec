"""The search for the cheapest walk through steps in order. Compiled; `kinegraph.walks.ordering` says why it is exact."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

import numpy as np

from kinegraph.compiled import njit


@njit(cache=True)
def cheapest(
    first: Any,
    target: Any,
    length: Any,
    prices: Any,
    left: Any,
    right: Any,
    frame_price: float,
    bears: Any,
    least: Any,
    starts: Any,
) -> Any:
    """The edges ``(n,)`` of the cheapest walk, its frames, and the steps done; no frames if there is no walk that does
    them all.

    first ``(N + 1,)``: edges by source. target, length, prices, left, right ``(E,)``: of each edge its target, frames,
    price, and the first frame it plays of its two clips. bears ``(K, F)``, least ``(K,)``: frames that count for each
    step, and how many it needs. starts: nodes at which it may begin.
    """
    wide = least.max() + 1  # progress is step · wide + frames stayed: a number that only grows with what is done
    goal = len(least) * wide
    ahead = np.full(len(first) - 1, -1, np.int64)  # the most progress with which a node was left
    parents, taken, nodes = [-1], [-1], [-1]
    heap = [(0.0, 0, 0, 0)]
    heappop(heap)
    # a heap gives the cheapest, of the equally cheap those with more progress, then those found first
    for node in starts:
        parents.append(-1)
        taken.append(-1)
        nodes.append(node)
        heappush(heap, (0.0, 0, len(nodes) - 1, 0))
    done = 0
    while len(heap):
        spent, minus, state, frames = heappop(heap)
        progress = -minus
        if progress == goal:
            count, back = 0, state
            while parents[back] >= 0:
                count += 1
                back = parents[back]
            edges = np.empty(count, np.int32)
            back = state
            while parents[back] >= 0:
                count -= 1
                edges[count] = taken[back]
                back = parents[back]
            return edges, frames, len(least)
        node = nodes[state]
        if progress <= ahead[node]:
            continue
        ahead[node] = progress
        done = max(done, progress // wide)
        for edge in range(first[node], first[node + 1]):
            step, stayed, played = progress // wide, progress % wide, length[edge]
            for frame in range(length[edge]):
                if bears[step, left[edge] + frame] and bears[step, right[edge] + frame]:
                    stayed += 1
                else:
                    stayed = 0
                if stayed == least[step]:
                    step, stayed = step + 1, 0
                    if step == len(least):
                        played = frame + 1
                        break
            reached = step * wide + stayed
            if reached == goal or reached > ahead[target[edge]]:
                parents.append(state)
                taken.append(edge)
                nodes.append(target[edge])
                price = spent + prices[edge] + frame_price * played
                heappush(heap, (price, -reached, len(nodes) - 1, frames + played))
    return np.empty(0, np.int32), 0, done


@njit(cache=True)
def longest(first: Any, target: Any, length: Any, left: Any, right: Any, bears: Any, enough: int) -> int:
    """The most frames on end, up to ``enough``, that some walk plays of those that count, ``bears (F,)``."""
    most = 0
    ahead = np.full(len(first) - 1, -1, np.int64)
    todo = [(node, 0) for node in range(len(first) - 1)]
    while len(todo) and most < enough:
        node, before = todo.pop()
        if before <= ahead[node]:
            continue
        ahead[node] = before
        for edge in range(first[node], first[node + 1]):
            stayed = before
            for frame in range(length[edge]):
                stayed = stayed + 1 if bears[left[edge] + frame] and bears[right[edge] + frame] else 0
                most = max(most, min(stayed, enough))
            if min(stayed, enough) > ahead[target[edge]]:
                todo.append((target[edge], min(stayed, enough)))
    return most
