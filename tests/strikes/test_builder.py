from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.errors import RoleError, SpaceError
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
    from dataclasses import replace

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
    from dataclasses import replace

    bare = []
    for take in takes("kick"):
        names = tuple(
            "bone" if "toe" in name.lower() or "ball" in name.lower() else name for name in take.skeleton.names
        )
        bare.append(replace(take, skeleton=replace(take.skeleton, names=names)))
    assert not bare[0].skeleton.has_roles("left_toe")
    space = build(bare, "kick")
    assert space.reach(space.region.corners.mean(axis=0)).miss < 0.005
