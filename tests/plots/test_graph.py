from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph.errors import FormatError
from kinegraph.graph.making.report import BuildReport
from kinegraph.graph.model import Clip, EdgeKind, Edges, LabelSpan, MotionGraph
from kinegraph.plots import canvas, large
from kinegraph.plots import graph as picture
from kinegraph.plots.arcs import arcs, chosen
from kinegraph.plots.curve import curve_figure, curve_picture
from kinegraph.plots.graph import graph_figure, graph_picture
from kinegraph.plots.tracks import OTHER, kept_stretches, label_colours, labels_by_frame, rows_of
from tests.graph.made import recorded
from tests.plots.made import made_graph


def without_edges(graph: MotionGraph, *kinds: EdgeKind) -> MotionGraph:
    keep = ~np.isin(graph.edges.kind, kinds)
    return replace(
        graph, edges=Edges(**{name: getattr(graph.edges, name)[keep] for name in Edges.__dataclass_fields__})
    )


def drawn_lines(figure, width: float) -> int:
    """How many polylines of a width stand in the first axes."""
    return sum(len(lines.get_segments()) for lines in figure.axes[0].collections if lines.get_linewidth()[0] == width)


# -- the picture -------------------------------------------------------------------------------------------------------


def test_a_picture_is_written(tmp_path: Path) -> None:
    path = tmp_path / "graph.png"
    graph_picture(made_graph(), path)
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG")
    assert len(content) > 10_000


def test_the_title_counts_clips_transitions_and_bridges() -> None:
    title = graph_figure(made_graph(clips=5, transitions=60, bridges=3)).axes[0].get_title()
    assert title == "5 clips, 63 transitions, 3 of them bridges; 89 % of the attainable frames kept"


def test_a_large_graph_is_drawn_quickly_and_says_that_not_all_of_it_is(tmp_path: Path) -> None:
    graph = made_graph(clips=40, transitions=5_000, groups=3, bridges=40)
    start = time.process_time()
    figure = graph_figure(graph)
    canvas.write(figure, tmp_path / "large.png")
    assert time.process_time() - start < 4
    assert f"5,040 transitions ({picture.MOST_ARCS:,} drawn), 40 of them bridges" in figure.axes[0].get_title()
    assert drawn_lines(figure, 0.9) == picture.MOST_ARCS


@pytest.mark.parametrize(
    "make",
    [
        lambda: made_graph(clips=2, transitions=4, groups=1),
        lambda: without_edges(made_graph(), EdgeKind.TRANSITION, EdgeKind.BRIDGE),
        lambda: recorded(made_graph(), report=BuildReport(100, 0, 0, 0, 0, 0, 0, 0.05)),
        lambda: made_graph(clips=40, transitions=80, groups=30, bridges=0),
    ],
    ids=["one clip kept", "no transitions", "no curve, no groups", "many groups"],
)
def test_odd_graphs_can_be_drawn(make: Callable[[], MotionGraph]) -> None:
    graph = make()
    figure = graph_figure(graph)
    figure.draw_without_rendering()
    low, high = figure.axes[0].get_ylim()
    assert all(high < row < low for row in rows_of(graph).of)


def test_groups_are_bracketed_with_their_thresholds_and_the_lost_say_what_they_need() -> None:
    graph = made_graph(clips=6, groups=2)
    figure = graph_figure(graph)
    written = [text.get_text().replace("\n", ": ") for axes in figure.axes for text in axes.texts]
    assert {"group 1: 6.2 cm", "group 2: 4.9 cm", "needs 17.0 cm"} <= set(written)


def test_all_names_stand_where_there_is_room_and_some_where_not() -> None:
    few, many = (graph_figure(made_graph(clips=count, transitions=10)).axes[0] for count in (8, 150))
    assert len(few.get_yticks()) == 8
    assert len(many.get_yticks()) == 75


def test_an_unknown_suffix_is_refused_before_any_work(tmp_path: Path) -> None:
    for draw in (graph_picture, curve_picture):
        with pytest.raises(FormatError, match=r"unknown suffix '\.gif'"):
            draw(None, tmp_path / "a.gif")  # type: ignore[arg-type]


# -- its parts ---------------------------------------------------------------------------------------------------------


def test_rows_follow_the_groups_and_the_left_out_come_last() -> None:
    graph = made_graph(clips=5, groups=2)
    rows = rows_of(graph)
    assert rows.groups == ((0.0, 2.0), (3.8, 3.8))
    assert rows.of.tolist() == pytest.approx([0, 1, 2, 3.8, 5.6])


def test_labels_that_the_annotation_gives_keep_their_colours() -> None:
    often = [[(label, 0, 9)] for label in ("turn_left", "turn_right", "walk", "run", "stand", "jump", "wave")]
    one, other = label_colours(often), label_colours([*often[::-1], [("wave", 0, 90)]])
    assert {label: one[label] for label in one if label != "wave"}.items() <= other.items()


def test_stretches_end_where_the_graph_keeps_nothing() -> None:
    graph = made_graph()
    stretches = kept_stretches(graph)
    for clip, found in enumerate(stretches[:-1]):
        frames = graph.node_frame[graph.node_clip == clip]
        played = sorted(frame for _, first, last in found for frame in range(first, last))
        assert played == list(range(frames.min(), frames.max()))
    assert stretches[-1] == []


def test_of_labels_that_overlap_the_shortest_span_is_shown() -> None:
    clip: Clip = replace(
        made_graph().clips[0], spans=(LabelSpan("turn_left", 20, 30), LabelSpan("walk", 0, 50, "name"))
    )
    stretches = sorted(labels_by_frame(clip), key=lambda stretch: stretch[1])
    assert stretches == [("walk", 0, 20), ("turn_left", 20, 30), ("walk", 30, 50), ("", 50, len(clip))]


def test_labels_beyond_the_palette_and_none_are_other() -> None:
    stretches = [[(f"label {number}", 0, 100 - number) for number in range(20)] + [("walk", 0, 1), ("", 0, 500)]]
    colours = label_colours(stretches)
    assert list(colours)[:2] == ["label 0", "label 1"]
    assert colours["other"] == OTHER
    assert "walk" in colours
    assert len(set(colours.values())) == len(colours)
    assert "other" not in label_colours([[("walk", 0, 9)]])


def test_an_arc_begins_and_ends_at_its_edges_ends() -> None:
    graph = made_graph()
    rows = rows_of(graph)
    which = np.flatnonzero(graph.edges.kind != EdgeKind.ORIGINAL)
    lines = arcs(graph, rows, which)
    for line, edge in zip(lines, which, strict=True):
        for point, node in ((line[0], graph.edges.source[edge]), (line[-1], graph.edges.target[edge])):
            place = graph.node_frame[node] / graph.fps, rows.of[graph.node_clip[node]]
            assert point.tolist() == pytest.approx(place)
        # within a track it is a bow above, which does not reach the track above
        if line[0, 1] == line[-1, 1]:
            assert (line[1:-1, 1] < line[0, 1]).all()
            assert line[:, 1].min() > line[0, 1] - 0.7


def test_a_choice_of_arcs_keeps_every_pair_of_clips_in_its_share() -> None:
    graph = made_graph(clips=4, transitions=900, groups=1)
    every, some = chosen(graph, EdgeKind.TRANSITION, 1000), chosen(graph, EdgeKind.TRANSITION, 90)
    assert len(every) == 900
    assert len(set(some.tolist())) == 90
    counts = [
        np.bincount(
            4 * graph.node_clip[graph.edges.source[which]] + graph.node_clip[graph.edges.target[which]], minlength=16
        )
        for which in (every, some)
    ]
    assert np.abs(counts[0] / 10 - counts[1]).max() <= 1


# -- the curve ---------------------------------------------------------------------------------------------------------


def test_the_curve_is_in_centimetres_and_percent_and_marks_the_thresholds() -> None:
    report = made_graph().record.report
    axes, other = curve_figure(report, share=0.9).axes
    kept = axes.lines[0]
    assert kept.get_xdata()[-1] == pytest.approx(20)
    assert kept.get_ydata()[-1] == pytest.approx(100 * report.curve[-1].frames / report.attainable)
    assert other.lines[0].get_ydata()[-1] == report.curve[-1].transitions
    assert {"highest of the groups: 6.2 cm", "1", "2"} == {text.get_text() for text in axes.texts}
    triangles = next(line for line in axes.lines if line.get_marker() == "^")
    assert list(triangles.get_xdata()) == pytest.approx([6.2, 4.9])


@pytest.mark.parametrize(("groups", "label"), [(2, "1, 2"), (5, "1 …")])
def test_groups_of_nearly_one_threshold_share_a_label(groups: int, label: str) -> None:
    report = made_graph().record.report
    close = tuple(replace(report.groups[0], threshold=0.05 + 0.0001 * number) for number in range(groups))
    axes = curve_figure(replace(report, groups=close)).axes[0]
    assert {text.get_text() for text in axes.texts} == {"highest of the groups: 6.2 cm", label}


def test_a_curve_never_keeps_more_than_all_and_one_group_has_the_chosen_threshold() -> None:
    report = made_graph().record.report
    report = replace(report, attainable=report.curve[-1].frames - 10, groups=report.groups[:1])
    axes = curve_figure(report).axes[0]
    assert axes.lines[0].get_ydata()[-1] == 100
    assert "chosen: 6.2 cm" in {text.get_text() for text in axes.texts}


def test_a_report_without_a_curve_says_so() -> None:
    (axes,) = curve_figure(replace(made_graph().record.report, curve=())).axes
    assert [text.get_text() for text in axes.texts] == ["this graph keeps no threshold curve"]


# -- many clips --------------------------------------------------------------------------------------------------------


def test_a_graph_of_many_clips_is_drawn_by_labels_and_groups() -> None:
    """Not a track for each: as many rows of sums as there are bundles."""
    graph = made_graph(clips=160, transitions=2000, groups=4)
    figure = graph_figure(graph)
    some = large.bundles(graph)
    assert some.what == "group"
    # the clip that was pruned belongs to none
    assert some.names == ["group 1", "group 2", "group 3", "group 4", "no group"]
    table = next(axes.images[0] for axes in figure.axes if axes.images).get_array()
    assert table.shape == (5, 5)
    # all transitions are in it, and each once
    jumps = np.count_nonzero(graph.edges.kind != EdgeKind.ORIGINAL)
    assert table.filled(0).sum() == jumps == large.between(some.of[graph.node_clip], graph, 5).sum()


def test_clips_are_bundled_by_their_folders_the_smallest_of_too_many_as_one() -> None:
    graph = made_graph(clips=6)
    names = ["a/x", "a/y", "b/x", "c/x", "c/y", "c/z"]
    clips = tuple(
        replace(clip, motion=clip.motion.renamed(name)) for clip, name in zip(graph.clips, names, strict=True)
    )
    named = replace(graph, clips=clips)
    assert (large.bundles(named).names, large.bundles(named).what) == (["a", "b", "c"], "folder")
    few = large.bundles(named, most=2)
    longest = max(("a", "b", "c"), key=lambda folder: sum(len(c) for c in clips if c.name.startswith(folder)))
    assert few.names == [longest, "all others"]
    assert (few.of == 0).tolist() == [name.startswith(longest) for name in names]
