"""Real recordings: the same one in two formats, and every one through our writers and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinegraph import Motion, load, save

WITHIN = 1e-4  # metres
PARTS = 8  # of the folder, so that several processes can share it

# joints of the Acclaim skeleton and of its BVH conversion that are the same places
SAME = {
    "root": "Hips",
    "lhipjoint": "LHipJoint",
    "lfemur": "LeftUpLeg",
    "ltibia": "LeftLeg",
    "lfoot": "LeftFoot",
    "ltoes": "LeftToeBase",
    "rhipjoint": "RHipJoint",
    "rfemur": "RightUpLeg",
    "rtibia": "RightLeg",
    "rfoot": "RightFoot",
    "rtoes": "RightToeBase",
    "lowerback": "LowerBack",
    "upperback": "Spine",
    "thorax": "Spine1",
}
# bones above the chest: the conversion moved their joints, but not where they point
SAME_BONES = {
    ("lhumerus", "lradius"): ("LeftArm", "LeftForeArm"),
    ("lradius", "lwrist"): ("LeftForeArm", "LeftHand"),
    ("rhumerus", "rradius"): ("RightArm", "RightForeArm"),
    ("rradius", "rwrist"): ("RightForeArm", "RightHand"),
    ("lowerneck", "upperneck"): ("Neck", "Neck1"),
    ("upperneck", "head"): ("Neck1", "Head"),
}


def at(motion: Motion, *names: str) -> np.ndarray:
    return motion.positions[:, [motion.skeleton.index(name) for name in names]]


def skeleton_of(clip: Path, cmu: Path) -> Path:
    if clip.parent.name == "labeled":
        return cmu / "acclaim" / "16" / "16.asf"
    return clip.with_name(f"{clip.stem.partition('_')[0]}.asf")


def clips(cmu: Path, part: int) -> list[Path]:
    found = sorted(path for suffix in ("bvh", "amc") for path in cmu.rglob(f"*.{suffix}"))
    assert found
    return found[part::PARTS]


@pytest.mark.parametrize("clip", ["16_15", "16_17", "16_19", "16_35", "16_45", "16_47", "02_05"])
def test_a_recording_is_the_same_in_both_formats(cmu: Path, clip: str) -> None:
    acclaim = load(cmu / "acclaim" / clip[:2] / f"{clip}.amc")
    bvh = load(cmu / "bvh" / f"{clip}.bvh")
    assert len(acclaim) == len(bvh)
    assert acclaim.fps == bvh.fps == 120.0
    apart = np.linalg.norm(at(acclaim, *SAME) - at(bvh, *SAME.values()), axis=-1)
    assert apart.max() < WITHIN
    for one, other in SAME_BONES.items():
        vectors = [np.diff(at(motion, *bone), axis=1) for motion, bone in ((acclaim, one), (bvh, other))]
        assert np.abs(vectors[0]).max() > 0.01
        assert np.linalg.norm(vectors[0] - vectors[1], axis=-1).max() < WITHIN


@pytest.mark.parametrize("part", range(PARTS))
def test_every_clip_survives_our_writers(cmu: Path, tmp_path: Path, part: int) -> None:
    for clip in clips(cmu, part):
        skeleton = skeleton_of(clip, cmu) if clip.suffix == ".amc" else None
        motion = load(clip, skeleton=skeleton)
        again = tmp_path / f"again{clip.suffix}"
        save(motion, again)
        _assert_same(motion, load(again), clip)
        if skeleton is not None:
            save(motion, again, skeleton=skeleton)
            _assert_same(motion, load(again, skeleton=skeleton), clip)


def _assert_same(motion: Motion, back: Motion, clip: Path) -> None:
    assert len(back) == len(motion), clip
    assert back.fps == motion.fps, clip
    assert np.linalg.norm(at(back, *motion.skeleton.names) - motion.positions, axis=-1).max() < WITHIN, clip
    assert np.linalg.norm(back.tips - motion.tips, axis=-1).max() < WITHIN, clip


@pytest.mark.parametrize("half", range(2))
def test_the_tpose_of_the_conversion_is_found_and_can_be_kept(cmu: Path, half: int) -> None:
    for clip in sorted((cmu / "bvh").glob("*.bvh"))[half::2]:
        trimmed, whole = load(clip), load(clip, trim_tpose=False)
        assert any("T-pose" in notice for notice in trimmed.notices), clip
        assert not any("T-pose" in notice for notice in whole.notices), clip
        assert len(whole) == len(trimmed) + 1, clip
        np.testing.assert_array_equal(whole.root[1:], trimmed.root)
        assert f"Frames: {len(whole)}".encode() in b" ".join(clip.read_bytes().split()), clip


@pytest.mark.parametrize("part", range(PARTS))
def test_units_are_those_of_a_person(cmu: Path, part: int) -> None:
    for clip in clips(cmu, part):
        motion = load(clip, skeleton=skeleton_of(clip, cmu) if clip.suffix == ".amc" else None)
        assert 1.4 < motion.skeleton.stature < 2.1, clip
        assert not any("unusual" in notice for notice in motion.notices), clip
        if clip.suffix == ".bvh":
            assert any("CMU units" in notice for notice in motion.notices), clip


def test_original_amc_clips_have_no_tpose_to_trim(cmu: Path) -> None:
    for clip in sorted((cmu / "acclaim" / "16").glob("*.amc"))[:10]:
        assert not any("T-pose" in notice for notice in load(clip).notices), clip
