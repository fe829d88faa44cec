"""The figures of a graph as lines for people to read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# of a list, what is shown of it
_MOST = 6
_MOST_GROUPS = 20
_BARS = "▁▂▃▄▅▆▇█"
_CURVE_ROWS = 6

Row = tuple[str, str]


def short_rows(facts: Mapping[str, Any]) -> list[Row]:
    """What a build has to say, from the figures of `summary`: (what, sentence) for each line."""
    return [
        ("clips", f"{facts['clips']:,}, {facts['frames']:,} frames at {facts['fps']:g}/s, {_seconds(facts)}"),
        ("compared", _compared(facts)),
        ("graph", _graph(facts)),
        ("kept", _kept(facts)),
        *_labels_kept(facts),
        *_styles(facts),
        *_groups(facts),
        *_left_out(facts),
    ]


def long_rows(facts: Mapping[str, Any]) -> list[Row]:
    """What `inspect` has to say: as `short_rows`, and further how groups are joined, what the labels hold, and the threshold curve."""
    return [*short_rows(facts), *_connections(facts), *_bridges(facts), *_labels(facts), *_curve(facts)]


def _seconds(facts: Mapping[str, Any]) -> str:
    return f"{facts['frames'] / facts['fps']:.1f} s"


def _compared(facts: Mapping[str, Any]) -> str:
    # a graph that was only pruned anew compared nothing
    rate = facts["pairs_per_second"]
    speed = f" in {facts['seconds']:.2f} s, {f'{rate / 1e6:.1f} million' if rate >= 1e6 else f'{rate:,}'} a second"
    return f"{facts['pairs']:,} pairs of windows{speed if facts['seconds'] else ''}"


def _graph(facts: Mapping[str, Any]) -> str:
    costs = facts["cost_cm"]
    cost = (
        f"; cost {costs['median']:.1f} cm in the middle, {costs['max']:.1f} at most" if costs["max"] is not None else ""
    )
    bridges = f" ({facts['bridges']:,} of them bridges)" if facts["bridges"] else ""
    return f"{facts['nodes']:,} choice points, {facts['transitions']:,} transitions{bridges}{cost}"


def _kept(facts: Mapping[str, Any]) -> str:
    beyond = facts["dropped_seconds"] - facts["end_seconds"]
    return (
        f"{100 * facts['kept_share']:.1f} % of the attainable frames, {100 * facts['kept_of_all']:.1f} % of all; "
        f"dropped: {facts['dropped_nodes']:,} choice points, "
        f"{beyond:.1f} s, {len(facts['dropped_clips'])} whole clips (and {facts['end_seconds']:.1f} s at the clips' ends, "
        "which no graph keeps)"
    )


def _labels_kept(facts: Mapping[str, Any]) -> Iterator[Row]:
    """Of the commonest labels, what pruning leaves."""
    most = sorted(facts["labels"].items(), key=lambda item: -item[1]["seconds"])
    keys = ("seconds", "kept_seconds", "component_seconds")
    said = [f"{label} {' → '.join(f'{held[key]:.1f}' for key in keys)}" for label, held in most]
    if said:
        yield "labels", f"seconds in the clips → kept → usable by walks that keep to it: {_listed(said)}"


def _styles(facts: Mapping[str, Any]) -> Iterator[Row]:
    """The labels that were taken from words in which names differ."""
    if facts["styles"]:
        said = [f"{word} ({count} clip{'s' * (count != 1)})" for word, count in facts["styles"].items()]
        yield "from names", f"{_listed(said, 2 * _MOST)}; --no-styles leaves such words alone"


def _groups(facts: Mapping[str, Any]) -> Iterator[Row]:
    groups = facts["groups"]
    for number, group in enumerate(groups[:_MOST_GROUPS], start=1):
        limit = f"threshold {group['threshold_cm']:.2f} cm" if group["threshold_cm"] else "no cycle of its own"
        count = len(group["clips"])
        yield f"group {number}", f"{limit}: {count} clip{'s' * (count != 1)}, {_listed(group['clips'])}"
    if len(groups) > _MOST_GROUPS:
        yield "", f"and {len(groups) - _MOST_GROUPS} groups more"


def _left_out(facts: Mapping[str, Any]) -> Iterator[Row]:
    whole = set(facts["dropped_clips"])
    by_need: dict[float, list[str]] = {}
    for loss in facts["losses"]:
        if loss["clip"] in whole:
            needs = math.inf if loss["needs_cm"] is None else round(loss["needs_cm"], 1)
            by_need.setdefault(needs, []).append(loss["clip"])
    for needs, clips in sorted(by_need.items()):
        remedy = (
            f"a threshold of {needs:.1f} cm connects" if needs < math.inf else "no threshold below the ceiling connects"
        )
        yield "left out", f"{remedy}: {_listed(clips)}"
    worst = sorted(facts["losses"], key=lambda loss: -int(loss["frames"]))
    parts = [f"{loss['clip']} ({loss['frames']} of {loss['of']})" for loss in worst if loss["clip"] not in whole]
    if parts:
        yield "frames lost", f"{_listed(parts)}, ends included"


def _connections(facts: Mapping[str, Any]) -> Iterator[Row]:
    """To how many others one can go from a clip, and from which to the fewest."""
    rows = sorted(
        (row for row in facts["connectivity"] if row["clip"] not in facts["dropped_clips"]),
        key=lambda row: int(row["to_clips"]),
    )
    if len(rows) > 1:
        few = ", ".join(f"{row['clip']} {row['to_clips']}" for row in rows[:3])
        yield "connections", f"a clip leads to {rows[len(rows) // 2]['to_clips']} others in the middle; fewest: {few}"


def _bridges(facts: Mapping[str, Any]) -> Iterator[Row]:
    between: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in facts["bridge_list"]:
        between.setdefault(tuple(sorted(row["groups"], key=lambda number: number or 0)), []).append(row)
    for (one, two), rows in between.items():
        where = f"groups {one} and {two}" if one != two else f"within group {one}"
        named = [f"{row['from']} → {row['to']} {row['best_cm']:.1f} cm" for row in rows]
        yield "bridges", f"{where}, {sum(row['bridges'] for row in rows)}: {_listed(named, 3)}"


def _labels(facts: Mapping[str, Any]) -> Iterator[Row]:
    for label, held in facts["labels"].items():
        confined = "a walk confined to it ends"
        if held["nodes"]:
            confined = f"{held['component_seconds']:.1f} s and {held['transitions']:,} transitions in its component"
        unsure = f", {held['guessed_seconds']:.1f} s guessed" if held["guessed_seconds"] else ""
        kept = f"{held['seconds']:.1f} s{unsure}, {held['kept_seconds']:.1f} s kept"
        yield "label", f"{label}: {kept}, {confined}"


def _curve(facts: Mapping[str, Any]) -> Iterator[Row]:
    """The share of the attainable frames that each threshold would keep, as a row of bars and a few of its points."""
    curve = facts["curve"]
    if not curve:
        return
    shares = [point["frames"] / max(facts["attainable"], 1) for point in curve]
    bars = "".join(_BARS[min(round(share * (len(_BARS) - 1)), len(_BARS) - 1)] for share in shares)
    ends = f"{curve[0]['threshold_cm']:.1f} to {curve[-1]['threshold_cm']:.1f} cm"
    yield "one threshold", f"for all, {ends}, would keep: {bars}"
    step = max(1, (len(curve) - 1) // (_CURVE_ROWS - 1))
    for point, share in list(zip(curve, shares, strict=True))[(len(curve) - 1) % step :: step]:
        yield (
            "",
            f"{point['threshold_cm']:5.1f} cm {min(100 * share, 100):5.0f} % of the frames, {point['transitions']:>7,} transitions, "
            f"{point['components']} component{'s' * (point['components'] != 1)}",
        )


def _listed(names: Sequence[str], most: int = _MOST) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
