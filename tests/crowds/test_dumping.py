"""People on tracks: each is where its track is when its track is there."""

from __future__ import annotations

import numpy as np
import pytest

from kinegraph.crowds.dumping import _missed, dump
from kinegraph.crowds.tracks import Trajectory
from kinegraph.errors import KinegraphError
from kinegraph.graph.model import MotionGraph


@pytest.fixture
def graph(library: MotionGraph) -> MotionGraph:
    return library


def bend(radius: float, speed: float, seconds: float, begin: float = 0.0) -> Trajectory:
    times = np.arange(0.0, seconds, 0.1)
    angle = speed * times / radius
    return Trajectory(f"bend {radius:g}", begin + times, radius * np.stack([1 - np.cos(angle), np.sin(angle)], axis=-1))


def test_places_are_met_in_time(graph: MotionGraph) -> None:
    tracks = [bend(1e6, 1.3, 8.0), bend(4.0, 1.2, 10.0), bend(-3.0, 1.1, 6.0, begin=5.0)]
    made = dump(graph, tracks)
    assert [len(motion) for motion in made.motions] == pytest.approx(
        [8 * graph.fps, 10 * graph.fps, 6 * graph.fps], abs=6
    )
    assert made.starts == (0, 0, round(5 * graph.fps))
    for track, motion, miss in zip(tracks, made.motions, made.misses, strict=True):
        places = track.at(track.times[0] + np.arange(len(motion)) / graph.fps)
        assert np.allclose(miss, np.hypot(*(motion.root[:, [0, 2]] - places).T), atol=1e-6)
        assert miss.mean() < 0.1
        assert miss.max() < 0.4
    assert made.notices == ()


def test_the_same_tracks_give_the_same_bytes(graph: MotionGraph) -> None:
    first, second = (dump(graph, [bend(4.0, 1.2, 3.0)]).motions[0] for _ in range(2))
    assert first.rotations.tobytes() == second.rotations.tobytes()
    assert first.root.tobytes() == second.root.tobytes()


def test_who_was_far_off_is_named_the_worst_first(graph: MotionGraph) -> None:
    tracks = [Trajectory(name, [0.0, 4.0], [(0, 0), (0, 4)]) for name in ("anna", "ben", "cleo")]
    (sentence,) = _missed(graph, tracks, [np.array([0.1, 0.45]), np.array([0.39]), np.array([0.6, 0.0])])
    assert "cleo (60 cm), anna (45 cm)" in sentence
    assert "ben" not in sentence
    assert _missed(graph, tracks[1:2], [np.array([0.39])]) == ()


def test_who_turns_round_at_once_is_found_again(graph: MotionGraph) -> None:
    """They stop, turn on their feet and walk back: without the turn they walk a bow, and are 56 cm off."""
    there = [(0.0, 1.2 * t) for t in range(5)]
    waits = [(0.0, 4.8)] * 3
    track = Trajectory("back", np.arange(12.0), [*there, *waits, *there[:4][::-1]])
    made = dump(graph, [track])
    assert made.largest_miss < 0.5
    assert made.misses[0][-30:].mean() < 0.3


def test_who_is_too_fast_is_named(graph: MotionGraph) -> None:
    made = dump(graph, [bend(1e6, 1.2, 3.0), Trajectory("car", [0.0, 3.0], [(0, 0), (0, 30)])])
    assert len(made.notices) == 1
    assert "car (10.0 m/s)" in made.notices[0]
    assert "fall behind" in made.notices[0]


def test_who_was_annotated_late_is_named(graph: MotionGraph) -> None:
    """1.3 m/s all along, but for one place that was read half a metre behind."""
    times = np.arange(0.0, 6.0, 0.4)
    z = 1.3 * times
    z[7] -= 0.5
    made = dump(graph, [Trajectory("late", times, np.stack([0 * z, z], axis=-1)), bend(4.0, 1.3, 5.0)])
    assert "change their speed by more than 5 m/s²" in made.notices[-1]
    assert made.notices[-1].endswith("late at 2.8 s")


def test_who_stands_stands(graph: MotionGraph) -> None:
    made = dump(graph, [Trajectory("waits", [0.0, 4.0], [(2.0, 3.0), (2.0, 3.0)])])
    assert np.ptp(made.motions[0].root[:, [0, 2]], axis=0).max() < 0.3


def test_nobody_is_refused(graph: MotionGraph) -> None:
    with pytest.raises(KinegraphError, match="no track"):
        dump(graph, [])


def test_it_can_be_stopped(graph: MotionGraph) -> None:
    from kinegraph.watch import Stopped

    def stop(stage: str, done: int, total: int | None) -> None:
        if done == 5:
            raise Stopped("enough")

    with pytest.raises(Stopped):
        dump(graph, [bend(4.0, 1.2, 3.0)], watch=stop)
