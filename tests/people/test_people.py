"""People who are steered go where they are asked to, at once, and their feet stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.arrays import Array
from kinegraph.errors import GraphError
from kinegraph.feet import knees
from kinegraph.feet.sole import underfoot
from kinegraph.graph.model import LabelSpan, MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans
from kinegraph.people import People, Person, stepped
from kinegraph.people.body import legs_of, soles_of
from kinegraph.people.rows import jumps, rows
from kinegraph.people.ways import with_ways

Wished = tuple[float, float]


def steered(graph: MotionGraph, parts: list[tuple[float, Wished]]) -> Person:
    """Somebody who was steered for so many seconds by each of some velocities."""
    person = Person(graph)
    for seconds, velocity in parts:
        for _ in range(round(seconds * graph.fps)):
            person.step(velocity)
    return person


def velocity(motion: Motion, first: float, last: float) -> Array:
    """m/s ``(2,)`` on average between two moments."""
    a, b = round(first * motion.fps), round(last * motion.fps)
    mean: Array = (motion.root[b] - motion.root[a])[[0, 2]] / (last - first)
    return mean


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_walk_played_frame_by_frame_is_what_it_is_as_a_whole(library: MotionGraph, seed: int) -> None:
    walk = kg.walks.wander(library, 20.0, seed=seed)
    whole = kg.blending.play(walk).motion
    np.testing.assert_allclose(stepped(walk).positions, whole.positions, atol=1e-5)


def test_a_bent_walk_too(straight: MotionGraph) -> None:
    """It is bent about where the body is without the sway of its steps; a part tells that a little differently from the whole."""
    walk = kg.follow(straight, "circle:3", clean=False).details.performance.walk
    walk = replace(walk, pace=None)
    whole = kg.blending.play(walk).motion
    assert np.linalg.norm(stepped(walk).positions - whole.positions, axis=-1).max() < 0.05


@pytest.mark.parametrize("speed", [1.2, 3.0])
@pytest.mark.parametrize("turn", [-180, -90, -45, 45, 90, 135])
def test_who_is_asked_to_turns(library: MotionGraph, speed: float, turn: int) -> None:
    towards = speed * np.array([np.sin(np.radians(turn)), np.cos(np.radians(turn))])
    motion = steered(library, [(5.0, (0.0, speed)), (3.0, tuple(towards))]).motion
    ahead, after = velocity(motion, 3.5, 4.5), velocity(motion, 6.8, 7.8)
    assert abs(np.degrees(np.arctan2(*ahead))) < 10
    off = np.degrees(np.arctan2(*after)) - turn
    assert abs((off + 180) % 360 - 180) < 15
    assert np.hypot(*after) == pytest.approx(speed, rel=0.25)


def test_who_is_left_alone_stands_still(library: MotionGraph) -> None:
    motion = steered(library, [(4.0, (0.0, 1.3)), (6.0, (0.0, 0.0))]).motion
    assert np.hypot(*velocity(motion, 8.0, 10.0)) < 0.05


PUNCHES = ("punch_high_left", "punch_middle_centre", "punch_low_right")


@pytest.mark.parametrize(
    "names", [("stand", "jump"), ("jump", "stand"), ("stand", "walk", "jump"), ("stand", *PUNCHES)]
)
@pytest.mark.parametrize("walks", [False, True])
def test_who_is_not_asked_neither_jumps_nor_strikes(names: tuple[str, ...], walks: bool) -> None:
    """On the spot neither has a speed along the floor, and so looks like rest."""
    graph = kg.graph.build([kg.samples.make(name).motion for name in names])
    people = People(graph, 8, seed=1)
    for _ in range(60 if walks else 0):
        people.step((0.0, 1.2))
    for _ in range(60 if walks else 0):
        people.step((0.0, 0.0))
    roots, poses = [people.root.copy()], [people.rotations.copy()]
    for _ in range(600):
        people.step((0.0, 0.0))
        roots.append(people.root.copy())
        poses.append(people.rotations.copy())
    for person in range(8):
        motion = Motion(graph.skeleton, np.array(roots)[:, person], np.array(poses)[:, person], graph.fps, name="live")
        assert np.ptp(motion.root[:, 1]) < 0.05
        assert np.linalg.norm(np.diff(motion.positions, axis=0), axis=-1).max() * graph.fps < 1.0


def test_who_is_asked_for_punches_all_the_while_punches() -> None:
    graph = kg.graph.build([kg.samples.make(name).motion for name in ("stand", *PUNCHES)])
    punches = tuple(
        replace(clip, spans=(LabelSpan("punch" if clip.name in PUNCHES else "stand", 0, len(clip)),))
        for clip in graph.clips
    )
    person = Person(replace(graph, clips=punches))
    for _ in range(300):
        person.step((0.0, 0.0), label="punch")
    assert np.linalg.norm(np.diff(person.motion.positions[150:], axis=0), axis=-1).max() * graph.fps > 3.0


def test_even_a_single_straight_walk_turns(straight: MotionGraph) -> None:
    motion = steered(straight, [(3.0, (0.0, 1.2)), (4.0, (1.2, 0.0))]).motion
    after = velocity(motion, 5.5, 6.9)
    assert abs(np.degrees(np.arctan2(*after)) - 90) < 15


def test_a_wish_is_seen_at_the_next_frame(library: MotionGraph) -> None:
    """The same past, and two futures: they part within a tenth of a second."""
    begun = [(5.0, (0.0, 1.3))]
    on, aside = steered(library, [*begun, (1.0, (0.0, 1.3))]), steered(library, [*begun, (1.0, (1.3, 0.0))])
    apart = np.abs(on.motion.rotations - aside.motion.rotations).max(axis=(1, 2)) > 1e-4
    first = int(np.argmax(apart))
    assert apart.any()
    assert first - 150 <= 0.1 * library.fps


def test_who_stands_sets_out_at_once_and_soon_walks_and_stops(library: MotionGraph) -> None:
    """At 16 moments of standing, and of walking. Speed is averaged over 0.2 s, as in the benchmark."""
    fps, count = library.fps, 16
    when = np.repeat(round(4.0 * fps) + np.arange(count), 2)
    steered_too = np.arange(2 * count) % 2 == 0
    for before, after, near in ((0.0, 1.3, 0.39), (1.3, 0.0, 0.2)):
        people = People(library, 2 * count, seed=3)
        for array in (*people.cursors, *people._feet, people.root, people.rotations, people.contacts):
            array[1::2] = array[::2]
        places, poses = [], []
        for frame in range(round(7.0 * fps)):
            speed = np.where(steered_too & (frame >= when), after, before)
            people.step(np.stack([np.zeros(2 * count), speed], axis=1))
            places.append(people.root[:, [0, 2]].copy())
            poses.append(people.root[::2] - people.root[1::2])
        path, apart = np.array(places), np.linalg.norm(poses, axis=-1)
        first = [int(np.argmax(apart[when[2 * k] :, k] > 1e-3)) + 1 for k in range(count)]
        assert max(first) <= round(0.1 * fps)
        speeds = np.linalg.norm(path[6:] - path[:-6], axis=-1) * fps / 6
        there = np.lib.stride_tricks.sliding_window_view(np.abs(speeds - after) <= near, round(0.3 * fps), axis=0).all(
            axis=-1
        )
        took = [int(np.argmax(there[when[n] - 3 :, n])) / fps for n in range(0, 2 * count, 2)]
        assert np.median(took) <= 0.8


def test_what_is_held_stands_still_and_knees_are_no_faster_than_in_the_clips(library: MotionGraph) -> None:
    person = Person(library)
    rng = np.random.default_rng(3)
    stands, places = [], []
    legs = legs_of(person.graph)
    for _ in range(20):
        angle, speed = rng.uniform(-np.pi, np.pi), rng.choice([0.0, 1.3, 3.0])
        for _ in range(45):
            person.step((speed * np.sin(angle), speed * np.cos(angle)))
            stands.append(person.people.stands[0])
    motion = person.motion
    held = np.array([np.zeros(4, bool), *stands])
    for side, name in enumerate(("left", "right")):
        ball = motion.position(f"{name}_toe")[:, [0, 2]]
        for first, last in spans(held[:, 2 * side + 1]):
            places.append(np.hypot(*(ball[first:last] - ball[first]).T).max())
    assert len(places) > 20
    assert max(places) < 0.001
    assert knees.speed(motion).max() <= 1.001 * legs.knee


def turned_about(graph: MotionGraph) -> tuple[Motion, Array, Array]:
    """Somebody who is turned all the while, by which part its feet are held ``(F, 2)``, and how high their heels are ``(F, 2)``."""
    person = Person(graph)
    rng = np.random.default_rng(5)
    held = [np.zeros(2, int)]
    for _ in range(30):
        angle = rng.uniform(-np.pi, np.pi)
        for _ in range(20):
            person.step((1.3 * np.sin(angle), 1.3 * np.cos(angle)))
            held.append(person.people._feet.held[0].copy())
    heels = underfoot(person.motion, soles_of(person.graph))[:, :, 0]
    return person.motion, np.array(held), heels


def test_a_foot_rolls_from_its_heel_to_its_ball_and_does_not_slip(library: MotionGraph) -> None:
    motion, held, heels = turned_about(library)
    rolls = [
        np.hypot(*(heels[frame, side] - heels[frame - 1, side])[[0, 2]])
        for side in range(2)
        for frame in np.flatnonzero((held[1:, side] == 2) & (held[:-1, side] == 1)) + 1
    ]
    assert len(rolls) > 10
    assert max(rolls) < 0.002
    assert len(motion) == len(held)


def test_who_pivots_does_so_on_the_ball(library: MotionGraph) -> None:
    """A heel that is on the floor while its foot is held is hardly ever dragged about: in a fifth of these frames if it does not lift."""
    motion, held, heels = turned_about(library)
    low = heels[..., 1] < heels[..., 1].min(axis=0) + 0.01
    on = (held[1:] > 0) & (held[:-1] == held[1:]) & low[1:] & low[:-1]
    dragged = np.linalg.norm(np.diff(heels[..., [0, 2]], axis=0), axis=-1)[on] * motion.fps
    assert len(dragged) > 100
    assert (dragged > 0.3).mean() < 0.06


def test_no_joint_is_hurried_through_a_transition(library: MotionGraph) -> None:
    graph = kg.graph.build([kg.samples.make(name).motion for name in ("stand", "jump", *PUNCHES)])
    for one in (library, graph):
        grown = with_ways(one)
        own = rows(grown)
        new = np.flatnonzero(own.tables.blended)
        own.mix(new)
        usual = np.percentile(jumps(grown), 99)
        for edge in new:
            some = slice(own.tables.begin[edge], own.tables.begin[edge] + own.tables.length[edge])
            motion = Motion(
                grown.skeleton,
                own.root[some].astype(float),
                own.rotations[some].astype(float),
                grown.fps,
                name="way",
            )
            if len(motion) > 2:
                change = np.linalg.norm(np.diff(motion.positions, n=2, axis=0), axis=-1).max()
                assert change < 2.5 * usual


def test_the_same_stick_gives_the_same_bytes(library: MotionGraph) -> None:
    parts = [(2.0, (0.0, 1.3)), (2.0, (1.0, 0.5)), (2.0, (0.0, 0.0))]
    first, second = (steered(library, parts).motion for _ in range(2))
    assert first.rotations.tobytes() == second.rotations.tobytes()
    assert first.root.tobytes() == second.root.tobytes()


def test_many_do_what_each_would_alone(library: MotionGraph) -> None:
    """Wishes do not mix: of several people who begin alike, each goes its own way."""
    people = People(library, 4, seed=1)
    wished = np.array([(0.0, 1.3), (1.3, 0.0), (0.0, 0.0), (-1.3, 0.0)])
    for _ in range(240):
        people.step(wished)
    away = people.root[:, [0, 2]]
    for place, wish in zip(away, wished, strict=True):
        if wish.any():
            assert place @ wish / np.linalg.norm(wish) > 3.0
        else:
            assert np.hypot(*place) < 0.5


def test_an_action_is_done_once(library: MotionGraph) -> None:
    person = Person(library)
    for _ in range(30):
        person.step((0.0, 0.0))
    person.step((0.0, 0.0), action="jump")
    assert person.acting == "jump"
    for _ in range(300):
        person.step((0.0, 0.0))
        if not person.acting:
            break
    assert person.acting == ""
    done = len(person)
    motion = person.motion
    assert motion.root[:, 1].max() > motion.root[0, 1] + 0.15
    for _ in range(200):
        person.step((0.0, 0.0))
    assert person.motion.root[done:, 1].max() < motion.root[0, 1] + 0.1


def test_a_label_is_kept_to(library: MotionGraph) -> None:
    person = Person(library)
    for _ in range(240):
        person.step((0.0, 2.2), label="run")
    borne = person.finished().performance.labels()
    assert borne["run"][120:].mean() > 0.9


def test_more_ways_out_lead_through_the_same_clips(library: MotionGraph) -> None:
    grown = with_ways(library)
    assert with_ways(grown) is grown
    assert grown.clips is library.clips
    assert len(grown.edges) > len(library.edges)
    # every edge of the graph is still there
    assert set(np.round(library.edges.cost, 9)) <= set(np.round(grown.edges.cost, 9))


@pytest.mark.parametrize(
    ("wished", "says"),
    [
        ({"velocity": (0.0, np.nan)}, "finite"),
        ({"velocity": (0.0, 1.0, 2.0)}, "wished velocities"),
        ({"velocity": (0.0, 1.0), "label": "swim"}, "swim"),
        ({"velocity": (0.0, 1.0), "action": "fly"}, "fly"),
    ],
)
def test_what_makes_no_sense_is_refused(library: MotionGraph, wished: dict[str, object], says: str) -> None:
    person = Person(library)
    with pytest.raises(GraphError, match=says):
        person.step(**wished)  # type: ignore[arg-type]
    assert len(person) == 1


def test_there_must_be_somebody(library: MotionGraph) -> None:
    with pytest.raises(GraphError, match="one person at least"):
        People(library, 0)
