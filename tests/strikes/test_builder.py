from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.errors import FewStrikesError, RoleError, SpaceError
from kinegraph.motion.clip import Motion
from kinegraph.strikes.builder import build
from kinegraph.strikes.finder import find
from kinegraph.strikes.space import Space


def takes(kind: str) -> list[Motion]:
    return [samples.make(name).motion for name in samples.names() if name.startswith(kind)]


def test_all_strikes_of_all_takes_are_in(punches: Space, kicks: Space) -> None:
    assert [strike.clip for strike in punches.examples.strikes] == [take.name for take in takes("punch")]
    assert len(kicks.examples) == 8
    assert (punches.name, kicks.name) == ("right punch", "right kick")


def test_strikes_correspond_in_time(punches: Space, kicks: Space) -> None:
    for space in (punches, kicks):
        examples = space.examples
        assert np.all(np.diff(examples.times, axis=1) > 0)
        assert np.all(examples.times[:, examples.hit] == 0.0)
        # the base is one of them, at its own pace
        assert any(np.allclose(np.diff(times), 1 / examples.fps) for times in examples.times)


def test_mirrored_takes_of_the_other_hand_make_the_same_space(punches: Space) -> None:
    left = [kg.mirror(take) for take in takes("punch")]
    other = build([], "punch", mirrored=left)
    assert other.examples.side == "right"
    assert np.allclose(other.examples.hits, punches.examples.hits, atol=1e-6)
    own = build(left, "punch")
    assert own.examples.side == "left"
    assert np.allclose(own.examples.hits, punches.examples.hits * [-1.0, 1.0, 1.0], atol=1e-6)
    target = np.array([0.1, 1.3])
    made, mirrored = punches.reach(target), own.reach(target * [-1.0, 1.0])
    assert np.allclose(mirrored.hit * [-1.0, 1.0, 1.0], made.hit, atol=1e-4)
    assert len(mirrored.motion) == len(made.motion)


def test_strikes_may_be_given_by_hand() -> None:
    clips = takes("punch")
    found = [find(clip, "punch").strikes[0] for clip in clips]
    space = build(clips, "punch", "right", strikes=found[:5])
    assert space.examples.strikes == tuple(found[:5])
    with pytest.raises(SpaceError, match="give its take too"):
        build(clips[:3], "punch", "right", strikes=found)
    with pytest.raises(SpaceError, match="side"):
        build(clips, "punch", strikes=found)


def test_a_take_without_strikes_is_left_out_and_said() -> None:
    built = build([*takes("kick"), samples.make("walk").motion], "kick")
    assert len(built.examples) == 8
    assert any("walk" in notice for notice in built.notices)


@pytest.mark.parametrize(
    ("motions", "says"),
    [
        ([], "no take"),
        ([samples.make("walk").motion], "no punch"),
        ([samples.make("punch_low_left").motion], "1 strike is no space"),
        ([samples.make("punch_low_left").motion, kg.mirror(samples.make("punch_low_right").motion)], "left hand"),
    ],
)
def test_what_makes_no_space_is_refused(motions: list[Motion], says: str) -> None:
    with pytest.raises(SpaceError, match=says):
        build(motions, "punch")


def test_a_body_without_arms_is_refused() -> None:
    take = samples.make("punch_low_left").motion
    nameless = replace(
        take, skeleton=replace(take.skeleton, names=tuple(f"bone{i}" for i in range(len(take.skeleton))))
    )
    with pytest.raises(RoleError):
        build([nameless], "punch")


def test_rates_that_make_no_sense_are_refused() -> None:
    for fps in (0.0, -5.0, float("nan"), 1e6):
        with pytest.raises(SpaceError, match="frames per second"):
            build(takes("punch"), "punch", fps=fps)
    with pytest.raises(SpaceError, match="higher rate"):
        build(takes("punch"), "punch", fps=2.0)


def test_both_readings_of_one_recording_make_the_same_space(cmu: Path) -> None:
    """02_05 as ASF/AMC and as somebody else's BVH: the same nine punches, at targets that differ by the conversion's shorter chest."""
    bvh = build([kg.load(cmu / "bvh" / "02_05.bvh")], "punch").examples
    amc = build([kg.load(cmu / "acclaim" / "02" / "02_05.amc")], "punch").examples
    assert len(bvh) == len(amc) == 9
    assert [strike.hit for strike in bvh.strikes] == pytest.approx([strike.hit for strike in amc.strikes], abs=4)
    apart = amc.hits - bvh.hits
    assert np.abs(apart - apart.mean(axis=0)).max() < 0.06


def test_progress_is_told() -> None:
    said: list[tuple[str, int, int]] = []
    build(takes("kick"), "kick", watch=lambda what, done, total: said.append((what, done, total)))
    assert {what for what, _, _ in said} == {"read", "finding strikes", "laying strikes on one another"}
    assert said[-1][1] == said[-1][2]


def test_kind_or_side_that_do_not_fit_given_strikes_are_doubted() -> None:
    clips = takes("punch")
    found = [find(clip, "punch").strikes[0] for clip in clips]
    assert not build(clips, "punch", "right", strikes=found).notices
    with pytest.raises(SpaceError, match="one line"):
        build(clips, "kick", "right", strikes=found)
    assert any("right hand" in notice for notice in build(clips, "punch", "left", strikes=found).notices)


def test_two_takes_of_one_name_are_refused() -> None:
    first, *others = takes("punch")
    with pytest.raises(SpaceError, match="two different clips are called"):
        build([first, *others, first[1:]], "punch")
    with pytest.raises(SpaceError, match="two takes are called"):
        build([first, *others], "punch", mirrored=first)


def test_a_take_given_twice_is_used_once() -> None:
    space = build([*takes("punch"), takes("punch")[0]], "punch")
    assert len(space.examples) == len(takes("punch"))
    assert space.notices == (f"{takes('punch')[0].name} is given twice: used once",)


def test_a_folder_of_takes_is_enough(tmp_path: Path) -> None:
    for take in takes("kick"):
        kg.save(take, tmp_path / f"{take.name}.npz")
    assert {strike.clip for strike in build(tmp_path, "kick").examples.strikes} == {take.name for take in takes("kick")}


def test_bodies_without_toes_strike_too() -> None:
    bare = []
    for take in takes("kick"):
        names = tuple(
            "bone" if "toe" in name.lower() or "ball" in name.lower() else name for name in take.skeleton.names
        )
        bare.append(replace(take, skeleton=replace(take.skeleton, names=names)))
    assert not bare[0].skeleton.has_roles("left_toe")
    space = build(bare, "kick")
    assert space.reach(space.region.corners.mean(axis=0)).miss < 0.005


def paced(take: Motion, times: float) -> Motion:
    """The take with a way out that lasts ``times`` as long, by name ``other pace``."""
    hit = find(take, "punch").strikes[0].hit / take.fps
    before = np.arange(0.0, hit, 1.0 / take.fps / times)
    after = np.arange(hit, take.seconds - 0.5 / take.fps, 1.0 / take.fps)
    return take.sample(np.concatenate([before, after])).renamed("other pace")


def test_strikes_of_another_pace_are_left_out_by_name_and_the_rest_makes_the_space() -> None:
    clips = takes("punch")
    other = paced(clips[4], 0.28)
    (strike,) = find(other, "punch").strikes
    space = build([*clips, other], "punch")
    assert [one.clip for one in space.examples.strikes] == [take.name for take in clips]
    (left,) = space.unused
    assert (left.clip, left.hit, left.side) == ("other pace", strike.hit, "right")
    assert left.seconds == pytest.approx(strike.hit / other.fps)
    assert "pace" in left.why
    assert str(left) in space.notices
    assert f"frame {strike.hit} (" in str(left)
    # what is left is what a space of these alone is
    assert np.array_equal(space.examples.rotations, build(clips, "punch").examples.rotations)


def test_where_too_few_are_left_all_strikes_are_named_and_how_many_it_takes() -> None:
    clips = takes("punch")
    other = paced(clips[4], 0.28)
    (strike,) = find(other, "punch").strikes
    with pytest.raises(FewStrikesError) as told:
        build([clips[0], clips[8], other], "punch")
    says = str(told.value)
    assert "2 strikes are no space: it takes at least 3" in says
    assert f"other pace: the punch of the right hand at frame {strike.hit} (" in says
    assert all(f"{clip.name} at frame {find(clip, 'punch').strikes[0].hit} (" in says for clip in (clips[0], clips[8]))


def test_a_strike_that_is_over_at_once_is_left_out_by_name() -> None:
    clips = takes("punch")
    found = [find(clip, "punch").strikes[0] for clip in clips]
    brief = replace(found[0], end=found[0].hit + 2)
    space = build(clips, "punch", "right", strikes=[brief, *found[1:]])
    assert len(space.examples) == len(clips) - 1
    assert [(one.clip, one.hit) for one in space.unused] == [(brief.clip, brief.hit)]


def test_a_base_that_fits_all_strikes_is_taken_though_its_target_is_not_the_most_central() -> None:
    """Of a long, a middling and a short way out, the outer ones fit the middling one only."""
    clips = takes("punch")
    long = [paced(clip, 1.8).renamed(f"{clip.name} slow") for clip in clips[:3]]
    hits = [find(clip, "punch").strikes[0] for clip in clips[3:]]
    short = [replace(strike, start=strike.hit - (strike.hit - strike.start) // 2) for strike in hits[2:]]
    given = [*(find(clip, "punch").strikes[0] for clip in long), *hits[:2], *short]
    space = build([*long, *clips[3:]], "punch", "right", strikes=given)
    assert len(space.examples) == len(given)
    assert not space.unused


def test_mirrored_takes_keep_the_body_they_were_captured_on() -> None:
    """A body whose sides differ is another one in the mirror; the space is still of the performer's."""
    uneven = []
    for take in takes("punch"):
        offsets = take.skeleton.offsets.copy()
        offsets[take.skeleton.joint("left_elbow")] *= 1.05
        uneven.append(kg.mirror(replace(take, skeleton=replace(take.skeleton, offsets=offsets))))
    space = build([], "punch", mirrored=uneven)
    assert space.examples.skeleton == uneven[0].skeleton
    assert space.examples.side == "right"
    assert space.reach(space.region.corners.mean(axis=0)).miss < 0.001
