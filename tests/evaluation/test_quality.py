from __future__ import annotations

import json
import time
from dataclasses import fields, replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import MotionError
from kinegraph.evaluation import Quality, evaluate
from kinegraph.evaluation.quality.figures import SourceFeet
from kinegraph.feet.contacts import contacts
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.motion.skeleton import Skeleton
from kinegraph.paths import Path, read
from kinegraph.walks.following import follow
from kinegraph.walks.performing import Finished, perform
from kinegraph.walks.wandering import wander

PROMISED = {"frames", "seconds", "deviation_cm", "slide_mm", "transitions", "cpu_per_second", "clips", "labels"}


def straight(length: float = 3.0, frames: int = 91) -> Motion:
    """A body that glides along +Z from the origin, stiff as a post."""
    body = samples.make("walk").motion.skeleton
    root = np.zeros((frames, 3))
    root[:, 2] = np.linspace(0.0, length, frames)
    root[:, 1] = 1.0
    still = np.zeros((frames, len(body), 4))
    still[..., 0] = 1.0
    return Motion(body, root, still, 30.0)


def test_every_name_is_there_and_plain() -> None:
    figures = evaluate(samples.make("walk").motion).to_dict()
    assert set(figures) == {field.name for field in fields(Quality)} >= PROMISED
    assert json.loads(json.dumps(figures)) == figures


def test_what_a_plain_file_cannot_tell_is_none() -> None:
    figures = evaluate(samples.make("walk").motion).to_dict()
    unknown = {name for name, value in figures.items() if value is None}
    assert unknown == {
        "deviation_cm", "deviation_raw_cm", "ends_cm", "path_length_m", "finished_path", "transitions", "transitions_per_10s",
        "transition_cost_cm", "velocity_jump", "clips", "labels", "cpu_per_second", "before", "bending", "warp", "cleaning",
        "held_slide_mm", "source_feet", "beyond",
    }  # fmt: skip
    assert figures["knee_speed"]["source_p999"] is None


def test_deviation_is_the_distance_from_the_path() -> None:
    aside = straight().place(FloorTransform(0.0, 0.07, 0.0))
    figures = evaluate(aside, path=Path([[0.0, 0.0], [0.0, 4.0]]))
    assert figures.deviation_cm is not None
    assert figures.deviation_raw_cm is not None
    assert figures.ends_cm is not None
    assert (figures.deviation_cm.mean, figures.deviation_cm.max) == pytest.approx((7.0, 7.0))
    assert figures.deviation_raw_cm.max == pytest.approx(7.0)
    assert (figures.finished_path, figures.path_length_m, figures.walked_m) == pytest.approx((0.75, 4.0, 3.0))
    assert figures.ends_cm.start == pytest.approx(7.0)
    assert figures.ends_cm.end == pytest.approx(100 * np.hypot(0.07, 1.0))


def test_going_on_past_the_end_counts() -> None:
    figures = evaluate(straight(3.0), path=Path([[0.0, 0.0], [0.0, 2.8]]))
    assert figures.deviation_cm is not None
    assert figures.deviation_cm.max == pytest.approx(20.0)
    assert figures.finished_path == pytest.approx(1.0)


def test_the_sway_of_steps_counts_in_the_raw_deviation_only() -> None:
    motion = straight(6.0, 181)
    root = motion.root.copy()
    root[:, 0] = 0.03 * np.sin(2 * np.pi * np.arange(181) / 30)
    figures = evaluate(replace(motion, root=root), path=read("line:6"))
    assert figures.deviation_cm is not None
    assert figures.deviation_raw_cm is not None
    assert figures.deviation_raw_cm.max == pytest.approx(3.0, abs=0.1)
    assert figures.deviation_cm.mean < 0.6


def test_a_path_that_crosses_itself_is_kept_in_order(round_trip: Finished) -> None:
    """Round the circle once is not done at the first frame, though the end of the path is where it began."""
    half = round_trip.motion[: len(round_trip.motion) // 2]
    figures = evaluate(half, path=read("circle:2"))
    assert figures.finished_path == pytest.approx(0.5, abs=0.1)
    assert evaluate(round_trip.motion, path=read("circle:2")).finished_path == pytest.approx(1.0, abs=0.02)


def test_a_finished_walk_has_all_figures(round_trip: Finished) -> None:
    figures = evaluate(round_trip.motion, path=read("circle:2"), finished=round_trip, cpu=0.5)
    assert {name for name, value in figures.to_dict().items() if value is None} <= {"beyond"}
    played = round_trip.performance
    assert figures.transitions == len(played.transitions) > 0
    assert figures.transitions_per_10s == pytest.approx(10 * len(played.transitions) / figures.seconds)
    assert figures.transition_cost_cm is not None
    assert figures.transition_cost_cm.max == pytest.approx(100 * max(told.cost for told in played.transitions))
    assert figures.cpu_per_second == pytest.approx(0.5 / figures.seconds)
    assert figures.before is not None
    assert figures.slide_mm is not None
    assert figures.slide_mm.max < figures.before.slide_mm.max
    assert figures.warp is not None
    assert figures.warp.after_cm.mean <= figures.warp.before_cm.mean
    assert figures.velocity_jump is not None
    assert figures.velocity_jump.source_p99 is not None
    assert figures.velocity_jump.ratio == pytest.approx(figures.velocity_jump.worst / figures.velocity_jump.source_p99)
    assert figures.velocity_jump.p99 <= figures.velocity_jump.worst


def test_shares_are_of_the_frames(round_trip: Finished) -> None:
    figures = evaluate(round_trip.motion, finished=round_trip)
    played = round_trip.performance
    graph = played.walk.graph
    assert figures.clips is not None
    assert figures.labels is not None
    assert sum(figures.clips.values()) == pytest.approx(1.0)
    assert list(figures.clips.values()) == sorted(figures.clips.values(), reverse=True)
    for name, share in figures.clips.items():
        assert share == pytest.approx(np.mean(played.clip == graph.clip_index[name]))
    assert figures.labels["walk"] == pytest.approx(played.labels()["walk"].mean())


def test_a_jolt_in_a_transition_is_seen_and_one_elsewhere_is_not(round_trip: Finished) -> None:
    played = round_trip.performance
    usual = evaluate(round_trip.motion, finished=round_trip).velocity_jump
    assert usual is not None
    near = np.zeros(len(played), bool)
    for told in played.transitions:
        near[max(told.first - 2, 0) : told.first + told.length + 2] = True
    middle = played.transitions[0].first + played.transitions[0].length // 2
    for frame, is_seen in ((middle, True), (int(np.flatnonzero(~near)[5]), False)):
        root = round_trip.motion.root.copy()
        root[frame, 1] += 0.5
        jolted = evaluate(replace(round_trip.motion, root=root), finished=round_trip).velocity_jump
        assert jolted is not None
        assert (jolted.worst > usual.worst + 5.0) is is_seen


def test_slides_of_a_skating_foot() -> None:
    sample = samples.make("walk")
    still = evaluate(sample.motion, contacts=sample.contacts)
    root = sample.motion.root + np.linspace(0.0, 0.3, len(sample.motion))[:, None] * [1.0, 0.0, 0.0]
    skating = evaluate(replace(sample.motion, root=root), contacts=sample.contacts)
    assert still.slide_mm is not None
    assert skating.slide_mm is not None
    assert skating.slide_mm.mean > still.slide_mm.mean + 5.0
    assert still.plants == skating.plants != 0


def test_feet_in_the_floor() -> None:
    sample = samples.make("walk")
    root = sample.motion.root.copy()
    root[30:33, 1] -= 0.05
    down = evaluate(replace(sample.motion, root=root), contacts=sample.contacts)
    assert down.penetration_mm == pytest.approx(50, abs=15)


def test_the_source_can_be_told() -> None:
    motion = samples.make("walk").motion
    knee = evaluate(motion, source=[motion]).knee_speed
    assert knee is not None
    assert knee.source_p999 is not None
    assert 0 < knee.source_p999 <= knee.worst


def test_a_skeleton_without_roles_has_no_feet() -> None:
    bare = Skeleton(names=("a", "b"), parents=(-1, 0), offsets=np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    still = np.zeros((5, 2, 4))
    still[..., 0] = 1.0
    figures = evaluate(Motion(bare, np.zeros((5, 3)), still, 30.0), path=read("line:2"))
    assert (figures.slide_mm, figures.penetration_mm, figures.plants, figures.knee_speed) == (None, None, None, None)
    assert figures.finished_path == 0.0


def test_one_frame_is_enough() -> None:
    figures = evaluate(samples.make("walk").motion[:1], path=read("line:2")).to_dict()
    assert figures["frames"] == 1
    assert figures["walked_m"] == 0.0


def test_without_feet_cleaned_there_is_no_before(strolling: MotionGraph) -> None:
    finished = perform(wander(strolling, 5.0), feet=False)
    figures = evaluate(finished.motion, finished=finished)
    assert (figures.before, figures.cleaning, figures.warp) == (None, None, None)
    assert figures.plants


def test_a_walk_without_transitions(strolling: MotionGraph) -> None:
    finished = perform(wander(strolling, 1 / 30))
    figures = evaluate(finished.motion, finished=finished)
    assert (figures.transitions, figures.transition_cost_cm, figures.velocity_jump) == (0, None, None)


def test_another_motion_is_refused(round_trip: Finished) -> None:
    with pytest.raises(MotionError, match="not the finished walk"):
        evaluate(round_trip.motion[:-1], finished=round_trip)


def test_what_cleaning_measured_is_what_is_measured_again(round_trip: Finished) -> None:
    """The same motion as another object, so that its feet are looked at anew."""
    reported = evaluate(round_trip.motion, finished=round_trip)
    again = evaluate(round_trip.motion.renamed("again"), contacts=round_trip.contacts)
    assert reported.slide_mm is not None
    assert again.slide_mm is not None
    assert again.slide_mm.mean == pytest.approx(reported.slide_mm.mean, abs=0.5)
    assert again.plants == pytest.approx(reported.plants, abs=2)
    assert contacts(round_trip.motion).shape == round_trip.contacts.shape


def test_the_slide_is_what_is_seen_and_not_what_was_held(round_trip: Finished) -> None:
    """A walk that was carried too far after its feet were held still calls its plants held; its feet skate all the same."""
    drift = np.linspace(0.0, 1.0, len(round_trip.motion))[:, None] * [1.0, 0.0, 0.0]
    carried = replace(round_trip.motion, root=round_trip.motion.root + drift)
    walk = replace(round_trip, motion=carried)
    figures, file = evaluate(carried, finished=walk), evaluate(carried.renamed("file"))
    honest = evaluate(round_trip.motion, finished=round_trip)
    assert figures.held_slide_mm is not None
    assert honest.slide_mm is not None
    assert figures.slide_mm is not None
    assert honest.held_slide_mm is not None
    assert max(honest.held_slide_mm.max, honest.slide_mm.max) < 1
    assert figures.held_slide_mm.max < 1
    assert figures.slide_mm.mean > honest.slide_mm.mean + 3
    assert (file.slide_mm, file.skating_cm_s, file.skating_ratio) == (
        figures.slide_mm, figures.skating_cm_s, figures.skating_ratio,
    )  # fmt: skip
    assert file.held_slide_mm is None


def test_the_source_is_measured_as_the_walk_is(round_trip: Finished, strolling: MotionGraph) -> None:
    own = evaluate(round_trip.motion, finished=round_trip).source_feet
    used = [strolling.clips[number].motion for number in np.unique(round_trip.performance.clip)]
    assert own is not None
    assert own == evaluate(round_trip.motion, source=used).source_feet
    (first,) = (evaluate(motion) for motion in used[:1])
    assert evaluate(used[0], source=used[:1]).source_feet == SourceFeet(
        first.slide_mm,
        first.skating_cm_s,
        first.skating_ratio,  # type: ignore[arg-type]
    )


def test_forty_seconds_are_judged_quickly(walking: MotionGraph) -> None:
    path = read("drawn:45")
    finished = perform(follow(walking, path).walk, onto=path)
    assert finished.motion.seconds > 30
    evaluate(finished.motion, path=path, finished=finished)
    begun = time.process_time()
    figures = evaluate(finished.motion, path=path, finished=finished)
    assert time.process_time() - begun < 0.5
    assert figures.deviation_cm is not None
    assert figures.deviation_cm.mean < 5.0
