from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.blending.playing import play
from kinegraph.errors import GraphError
from kinegraph.graph import build
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.path import Path
from kinegraph.paths.shapes import shape
from kinegraph.walks.exact import exact
from kinegraph.walks.following import follow, follow_on
from kinegraph.walks.request import Box, Disc, Request, Section
from kinegraph.walks.setting import Setting
from kinegraph.watch import Stopped, Watch
from tests.walks import reference


def _shares(walk: Walk) -> dict[str, float]:
    performance = play(walk)
    names = [clip.name for clip in walk.graph.clips]
    return {names[n]: float(np.mean(performance.clip == n)) for n in np.unique(performance.clip)}


# -- where it leads ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "mean", "worst"), [("line:6", 1.5, 12.0), ("wave:12,1.5", 4.0, 12.0)])
@pytest.mark.parametrize("search", ["fast", "exact"])
def test_a_path_is_followed_to_its_end(gaits: MotionGraph, name: str, mean: float, worst: float, search: str) -> None:
    path = shape(name)
    found = follow(gaits, path, search=search, horizon=6.0 if search == "fast" else 3.0)
    away, along = path.track(reference.track(found.walk))
    assert along[-1] > path.length - 0.15
    assert 100 * away.mean() < mean
    assert 100 * away.max() < worst


@pytest.mark.parametrize("search", ["fast", "exact"])
def test_the_error_is_that_of_the_formula(gaits: MotionGraph, search: str) -> None:
    """Said again frame by frame, without the compiled search's short cuts."""
    request = Request(shape("circle:3"), search=search, horizon=2.5, bend=0.0, facing="any")
    found = follow(gaits, request)
    slowly, share = reference.error(found.walk, request)
    assert found.error == pytest.approx(slowly, rel=0.02)
    # it halts before the frame that would pass the end
    assert 0.98 < share < 1.0


@pytest.mark.parametrize(("keep", "horizon", "width"), [(0.05, 0.3, 30), (0.3, 1.0, 60), (0.1, 0.5, 5)])
def test_it_begins_where_the_path_does_however_little_is_kept(
    gaits: MotionGraph, keep: float, horizon: float, width: int
) -> None:
    """An edge may be longer than what is kept: then nothing but the start is settled."""
    for graph in (gaits, build([samples.make("walk").motion])):
        request = Request(shape("circle:2"), keep=keep, horizon=horizon, width=width, bend=0.0, facing="any")
        found = follow(graph, request)
        assert np.linalg.norm(reference.track(found.walk)[0]) < 1e-6
        slowly, _ = reference.error(found.walk, request)
        # metres off the path the two disagree most about which point of it is meant, by the last digit of the machine's numbers
        assert found.error == pytest.approx(slowly, rel=0.1, abs=0.05)


def test_the_error_knows_no_margin(gaits: MotionGraph) -> None:
    for search in ("fast", "exact"):
        request = Request(shape("line:3"), prefer={"walk": 50.0}, search=search, bend=0.0, facing="any")
        found = follow(gaits, request)
        assert found.error == pytest.approx(reference.error(found.walk, request)[0], rel=0.05, abs=0.02)


def test_each_part_goes_on_from_the_one_before(gaits: MotionGraph) -> None:
    path = shape("circle:3")
    parts = [*follow_on(gaits, path)]
    assert len(parts) > 5
    for one, two in pairwise(parts):
        assert two.walk.edges[: len(one.walk)].tolist() == one.walk.edges.tolist()
        assert one.walk.start == two.walk.start
    whole = follow(gaits, path)
    assert whole.walk.edges.tolist() == parts[-1].walk.edges.tolist()
    assert np.isnan(parts[0].error)
    assert whole.error == parts[-1].error


def test_where_the_path_lies_does_not_matter(gaits: MotionGraph) -> None:
    path = shape("wave:8,1")
    moved = FloorTransform(1.1, 20.0, -7.0)
    here, there = follow(gaits, path), follow(gaits, path.place(moved))
    assert here.walk.edges.tolist() == there.walk.edges.tolist()
    flat = np.insert(reference.track(here.walk), 1, 0.0, axis=1)
    assert np.allclose(moved.apply(flat)[:, [0, 2]], reference.track(there.walk), atol=1e-6)


def test_a_corner_is_walked_not_lost(gaits: MotionGraph) -> None:
    path = Path([[0, 0], [0, 4], [3, 4]])
    away, along = path.track(reference.track(follow(gaits, path).walk))
    assert along[-1] > path.length - 0.2
    assert away.max() < 0.5


def test_a_path_that_crosses_itself_is_walked_all_round(gaits: MotionGraph) -> None:
    path = shape("eight:2.5")
    walk = follow(gaits, path).walk
    steps = np.linalg.norm(np.diff(reference.track(walk), axis=0), axis=1)
    assert steps.sum() > 0.95 * path.length


def test_arc_length_as_in_the_thesis(gaits: MotionGraph) -> None:
    path = shape("line:6")
    found = follow(gaits, path, measure="arc")
    points = reference.track(found.walk)
    gone = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    assert gone == pytest.approx(path.length, abs=0.15)


# -- the exact search -------------------------------------------------------------------------------------------------


def _all_walks(graph: MotionGraph, node: int, start: FloorTransform, horizon: int, gap: int) -> list[Walk]:
    """Every walk of ``horizon`` frames from a node, blends at least ``gap`` frames apart where there is another way."""
    found: list[Walk] = []

    def grow(edges: list[int], node: int, frames: int, free: int) -> None:
        if frames >= horizon:
            found.append(Walk(graph, np.array(edges), start, frames))
            return
        ways = graph.out(node)
        forced = all(graph.edges.kind[edge] for edge in ways)
        for edge in ways:
            moving = graph.edges.kind[edge] != 0
            if moving and frames < free and not forced:
                continue
            after = frames + int(graph.edges.length[edge])
            grow([*edges, edge], int(graph.edges.target[edge]), after, after + gap if moving else free)

    grow([], node, 0, 0)
    return found


@pytest.mark.parametrize("price", [0.0, 50.0])
def test_exact_equals_exhaustive_enumeration(gaits: MotionGraph, price: float) -> None:
    """Of all walks of a horizon none is better than the one that branch and bound gives."""
    horizon, looked = 20, 0
    for clip, frame in (("walk", 30), ("walk_left_tight", 50), ("walk_left_medium_mirrored", 40)):
        request = Request(
            shape("circle:2"),
            search="exact",
            horizon=horizon / 30,
            keep=horizon / 30,
            price=price,
            start=(clip, frame),
            bend=0.0,
            facing="any",
        )
        first = next(follow_on(gaits, request))
        node = int(gaits.edges.source[first.walk.edges[0]])
        every = _all_walks(gaits, node, first.walk.start, horizon, 6)
        looked += len(every)
        errors = np.array([reference.error(walk, request, horizon)[0] for walk in every])
        # all that begins within the horizon is kept; what lies beyond it does not count
        kept = first.walk.edges.tolist()
        near = [walk for walk, error in zip(every, errors, strict=True) if error <= errors.min() * 1.001 + 1e-9]
        assert any(walk.edges.tolist()[: len(kept)] == kept for walk in near)
        assert len(near) < len(every)
    assert looked > 300


def test_fast_is_about_as_good_as_exact(gaits: MotionGraph) -> None:
    errors = {"fast": 0.0, "exact": 0.0}
    for seed in range(2):
        for search in errors:
            errors[search] += follow(gaits, shape(f"drawn:10,{seed}"), search=search, horizon=4.0).error
    assert errors["fast"] < 1.5 * errors["exact"]


# -- wishes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", ["fast", "exact"])
def test_blends_keep_their_distance(gaits: MotionGraph, search: str) -> None:
    walk = follow(gaits, shape("circle:3"), gap=0.6, search=search, horizon=3.0).walk
    moving = walk.graph.edges.kind[walk.edges] != 0
    begins, ends = walk.begins[:-1][moving], walk.begins[1:][moving]
    assert len(begins) > 2
    edges, graph = walk.edges[moving], walk.graph
    forced = np.array([graph.edges.kind[graph.first[graph.edges.source[edge]]] != 0 for edge in edges])
    # only where a clip ends may one come sooner
    assert np.all((begins[1:] - ends[:-1] >= 0.6 * 30) | forced[1:])
    assert np.mean(begins[1:] - ends[:-1] >= 0.6 * 30) > 0.8


def test_dear_blends_are_fewer(gaits: MotionGraph) -> None:
    path = shape("drawn:20")
    cheap, dear = (follow(gaits, path, price=price).walk for price in (0.0, 1000.0))
    costs = [walk.graph.edges.cost[walk.edges].sum() for walk in (cheap, dear)]
    assert costs[1] < costs[0]


def test_it_begins_where_it_is_told(gaits: MotionGraph) -> None:
    walk = follow(gaits, shape("line:5"), start=("walk_left_medium", 20)).walk
    node = walk.graph.edges.source[walk.edges[0]]
    assert walk.graph.clips[walk.graph.node_clip[node]].name == "walk_left_medium"
    assert 20 <= walk.graph.node_frame[node] < 30
    begun = follow(gaits, shape("line:5"), start="run").walk
    assert play(begun).labels()["run"][0]
    faced = play(follow(gaits, shape("line:5"), start=("walk", 0), heading=0.3).walk).motion
    assert faced.heading()[0] == pytest.approx(0.3, abs=0.02)


def test_it_faces_at_the_end_where_it_is_told(gaits: MotionGraph) -> None:
    """Behind a straight line lies nothing: whoever ends it turned has turned for that reason."""
    path = shape("line:6")
    ends = [float(play(follow(gaits, path, end_heading=wish).walk).motion.heading()[-1]) for wish in (-0.6, 0.6)]
    assert ends[0] < -0.03
    assert ends[1] > 0.03


def test_speed_is_as_wished(gaits: MotionGraph) -> None:
    path = shape("line:12")
    slow, quick = (follow(gaits, path, speed=speed).walk.seconds for speed in (1.2, 3.0))
    assert path.length / slow < 1.6
    assert path.length / quick > 2.2


def test_time_is_kept_or_refused(gaits: MotionGraph) -> None:
    path = shape("line:12")
    assert follow(gaits, path, limit=6.0).walk.seconds <= 6.0
    for search in ("fast", "exact"):
        short = follow(gaits, shape("line:0.5"), limit=0.55, horizon=1.0, keep=0.5, search=search)
        assert short.walk.seconds <= 0.55
    with pytest.raises(GraphError, match=r"within 1 s"):
        follow(gaits, path, limit=1.0)


@pytest.mark.parametrize("search", ["fast", "exact"])
def test_a_label_is_borne_throughout(gaits: MotionGraph, search: str) -> None:
    for label in ("walk", "run"):
        walk = follow(gaits, shape("line:8"), label=label, search=search).walk
        assert play(walk).labels()[label].all()


@pytest.mark.parametrize("zone", [1.5, 2.5])
def test_sections_bear_their_labels(gaits: MotionGraph, zone: float) -> None:
    path = shape("line:20")
    sections = [Section(0, 7, "walk"), Section(7, 14, "run"), Section(14, 20, "walk")]
    walk = follow(gaits, path, sections=sections, zone=zone).walk
    _, along = path.track(reference.track(walk))
    labels = play(walk).labels()
    # where exactly a walker is along a path can be told in more than one way
    room = zone + 0.1
    for part in sections:
        inside = (along > part.first + room * (part.first > 0)) & (along < part.last - room * (part.last < 20))
        assert inside.sum() > 10
        assert labels[part.label][inside].all()


@pytest.mark.parametrize("thing", [Disc(0.15, 4.0, 0.2), Box(-0.2, 3.5, 0.3, 0.6)])
def test_obstacles_are_walked_around(gaits: MotionGraph, thing: Disc | Box) -> None:
    path = shape("line:8")
    walk = follow(gaits, path, obstacles=[thing], clearance=0.1).walk
    points = reference.track(walk)
    assert path.track(points)[1][-1] > 7.8
    assert not _inside(points, thing, 0.1 - 1e-6).any()
    # and without it the walk would have gone through
    assert _inside(reference.track(follow(gaits, path).walk), thing, 0.1).any()


def _inside(points: Array, thing: Disc | Box, room: float) -> Array:
    x, z = points.T
    if isinstance(thing, Disc):
        return np.asarray(np.hypot(x - thing.x, z - thing.z) < thing.radius + room)
    return np.asarray(
        (np.abs(x - thing.x - thing.width / 2) < thing.width / 2 + room)
        & (np.abs(z - thing.z - thing.depth / 2) < thing.depth / 2 + room)
    )


def test_obstacles_may_come_in_any_order(gaits: MotionGraph) -> None:
    """One of them only touches the beginning, which cannot be bent."""
    things = [Disc(0.55, 0, 0.2), Disc(0, 4, 0.2)]
    walks = [follow(gaits, shape("line:8"), obstacles=some).walk for some in (things, things[::-1])]
    assert walks[0].edges.tolist() == walks[1].edges.tolist()


def test_a_wall_across_the_path_is_told(gaits: MotionGraph) -> None:
    with pytest.raises(GraphError, match=r"no way around the obstacle at \(0.00, [\d.]+\) within 6 m"):
        follow(gaits, shape("line:8"), obstacles=[Box(-50, 4, 100, 1)])
    with pytest.raises(GraphError, match="ends in an obstacle"):
        follow(gaits, shape("line:8"), obstacles=[Disc(0, 8, 0.5)])


@pytest.mark.parametrize("search", ["fast", "exact"])
def test_a_preferred_clip_is_kept_to(gaits: MotionGraph, search: str) -> None:
    """The more it is preferred the more of it there is, and the less the path is kept to."""
    path = shape("drawn:15,3")
    shares, errors = [], []
    for margin in (0.0, 5.0, 60.0):
        walk = follow(gaits, path, prefer={"walk_left_medium": margin}, search=search, horizon=3.0).walk
        shares.append(sum(share for name, share in _shares(walk).items() if name.startswith("walk_left_medium")))
        errors.append(float(path.track(reference.track(walk))[0].mean()))
    assert shares[2] > shares[0] + 0.05
    assert errors[2] > errors[0]
    begun = follow(gaits, path, prefer={"walk_left_tight": 1.0}, search=search, horizon=3.0).walk
    first = gaits.node_clip[gaits.edges.source[begun.edges[0]]]
    assert gaits.clips[first].name.removesuffix("_mirrored") == "walk_left_tight"


# -- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ({"search": "slow"}, "unknown search"),
        ({"measure": "feet"}, "unknown measure"),
        ({"horizon": 0.0}, "horizon must be"),
        ({"keep": 9.0}, "keep"),
        ({"width": 2.5}, "whole number"),
        ({"price": -1.0}, "price must be"),
        ({"gap": float("nan")}, "gap must be"),
        ({"heading": float("inf")}, "heading must be"),
        ({"prefer": {"walk": -1.0}}, "margin of 'walk' must be 0"),
        ({"prefer": {"wlak": 1.0}}, "did you mean 'walk'"),
        ({"label": "runn"}, "did you mean 'run'"),
        ({"label": "run", "sections": [Section(0, 5, "walk")]}, "not both"),
        ({"sections": [Section(0, 2, "walk"), Section(3, 5, "run")]}, "close the hole"),
        ({"sections": [Section(0, 3, "walk"), Section(2, 5, "run")]}, "overlap from 2 to 3"),
        ({"sections": [Section(1, 5, "walk")]}, "begin at 0"),
        ({"sections": [Section(0, 4, "walk")]}, "the path is 5.00 m long"),
        ({"sections": [Section(2, 2, "walk")]}, "has no length"),
        ({"sections": [Section(0, 5, "fly")]}, "no label 'fly'"),
        ({"obstacles": [Disc(0, 0, -1)]}, "an obstacle needs"),
        ({"start": "nobody"}, "no clip or label 'nobody'"),
        ({"start": ("walk", 99_999)}, "has no frame"),
    ],
)
def test_wishes_that_cannot_be_are_refused(gaits: MotionGraph, wishes: dict[str, object], said: str) -> None:
    with pytest.raises(GraphError, match=said):
        follow(gaits, shape("line:5"), **wishes)


def test_a_label_without_an_endless_part_is_told(gaits: MotionGraph) -> None:
    lone = replace(gaits, labels={name: part for name, part in gaits.labels.items() if name != "run"})
    with pytest.raises(GraphError, match="no walk can keep to 'run'"):
        follow(lone, shape("line:5"), label="run")


def test_a_very_short_path_is_walked(gaits: MotionGraph) -> None:
    assert 1 <= follow(gaits, shape("line:0.05")).walk.frames < 60


def test_settings_are_cheap_to_make_again(gaits: MotionGraph) -> None:
    """Tables are made once a graph; a request makes only what belongs to its path."""
    first, second = (Setting.of(gaits, Request(shape("line:5"))) for _ in range(2))
    assert first.tables is second.tables
    assert next(exact(first)).walk.frames > 0


@pytest.mark.parametrize("search", ["fast", "exact"])
def test_a_watch_stops_a_search(gaits: MotionGraph, search: str) -> None:
    class Ending(Watch):
        checks = 0

        def check(self) -> None:
            self.checks += 1
            if self.checks == 3:
                raise Stopped("enough")

    watch = Ending()
    with pytest.raises(Stopped, match="enough"):
        follow(gaits, shape("circle:3"), search=search, watch=watch)
    assert watch.checks == 3
