from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph.formats import load
from kinegraph.mannequin import Mesh, deformed, mannequin
from kinegraph.motion import Motion, Skeleton, retarget
from kinegraph.samples import make, skeleton
from tests.mannequin.figure_bodies import areas, creature, is_closed, mixamo, volume, with_other_rest

LIMBS = [f"{side} {limb}" for side in ("left", "right") for limb in ("arm", "hand", "leg", "foot")]


def check(mesh: Mesh, body: Skeleton) -> None:
    """What holds of every figure."""
    count = len(mesh.vertices)
    assert mesh.bind.shape == (len(body), 4)
    assert mesh.vertices.shape == mesh.normals.shape == (count, 3)
    assert mesh.joints.shape == mesh.weights.shape == (count, 4)
    assert all(np.isfinite(part).all() for part in (mesh.bind, mesh.vertices, mesh.normals, mesh.weights))
    assert np.linalg.norm(mesh.normals, axis=-1) == pytest.approx(1.0)
    assert mesh.weights.sum(axis=1) == pytest.approx(1.0)
    assert mesh.weights.min() >= 0
    assert (mesh.joints[mesh.weights == 0] == 0).all()
    assert 0 <= mesh.joints.min() <= mesh.joints.max() < len(body)
    assert np.unique(mesh.faces).tolist() == list(range(count))
    assert [part.first for part in mesh.parts] == [0, *(part.last for part in mesh.parts)][:-1]
    assert mesh.parts[-1].last == len(mesh.faces)
    for part in mesh.parts:
        faces = mesh.faces[part.first : part.last]
        assert is_closed(faces), part
        assert volume(mesh.vertices, faces) > 0, part
    corners = mesh.vertices[mesh.faces]
    face_normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert areas(mesh.vertices, mesh.faces).min() > 1e-9
    assert (np.einsum("ti,tci->tc", face_normals, mesh.normals[mesh.faces]).mean(axis=1) > 0).all()
    still = Motion(body, body.offsets[:1], mesh.bind[None], 30)
    assert deformed(mesh, body, still, 0) == pytest.approx(mesh.vertices, abs=1e-9)


def check_person(mesh: Mesh, body: Skeleton) -> None:
    check(mesh, body)
    assert [part.name for part in mesh.parts] == ["torso", "head", *LIMBS]
    assert 2000 <= len(mesh.faces) <= 6200
    assert np.ptp(mesh.vertices[:, 1]) == pytest.approx(body.stature, rel=0.10)


def part_of(mesh: Mesh, name: str) -> np.ndarray:
    part = next(part for part in mesh.parts if part.name == name)
    return mesh.faces[part.first : part.last]


class TestPerson:
    @pytest.mark.parametrize("body", [skeleton(), mixamo()], ids=["samples", "mixamo"])
    def test_is_sound(self, body: Skeleton) -> None:
        check_person(mannequin(body), body)

    @pytest.mark.parametrize("body", [skeleton(), mixamo()], ids=["samples", "mixamo"])
    def test_left_mirrors_right(self, body: Skeleton) -> None:
        mesh = mannequin(body)
        for limb in ("arm", "hand", "leg", "foot"):
            left, right = (mesh.vertices[np.unique(part_of(mesh, f"{side} {limb}"))] for side in ("left", "right"))
            gaps = np.linalg.norm(left[:, None] - right * [-1, 1, 1], axis=-1)
            assert gaps.min(axis=0).max() < 1e-9, limb
            assert gaps.min(axis=1).max() < 1e-9, limb

    def test_has_a_face_in_front(self) -> None:
        mesh = mannequin(skeleton())
        head = mesh.vertices[np.unique(part_of(mesh, "head"))]
        nose = head[np.argmax(head[:, 2])]
        assert nose[0] == pytest.approx(0.0, abs=1e-9)
        assert head[:, 1].min() + 0.04 < nose[1] < head[:, 1].max() - 0.08

    def test_stands_on_the_floor(self) -> None:
        mesh = mannequin(skeleton())
        assert mesh.vertices[:, 1].min() == pytest.approx(0.0, abs=0.005)

    def test_limbs_are_rigid_in_the_middle_of_bones_and_soft_at_joints(self) -> None:
        body = skeleton()
        mesh = mannequin(body)
        leg = np.unique(part_of(mesh, "left leg"))
        height = mesh.vertices[leg, 1]
        hip, knee, ankle = (
            body.rest[body.joint(f"left_{p}"), 1] + body.offsets[0, 1] for p in ("hip", "knee", "ankle")
        )
        for top, bottom, joint in ((hip, knee, "hip"), (knee, ankle, "knee")):
            middle = leg[np.abs(height - 0.5 * (top + bottom)) < 0.08]
            assert len(middle) > 10
            assert (mesh.weights[middle, 0] == 1).all()
            assert (mesh.joints[middle, 0] == body.joint(f"left_{joint}")).all()
        near = leg[np.abs(height - knee) < 0.015]
        assert 0.2 < mesh.weights[near, 1].max() <= 0.5

    @pytest.mark.parametrize("clip", ["walk", "run", "sneak", "kick_high_centre", "punch_middle_left"])
    def test_no_part_collapses_in_motion(self, clip: str) -> None:
        motion = make(clip).motion
        mesh = mannequin(motion.skeleton)
        before = {part.name: volume(mesh.vertices, part_of(mesh, part.name)) for part in mesh.parts}
        for frame in range(0, len(motion), 12):
            moved = deformed(mesh, motion.skeleton, motion, frame)
            for name, held in before.items():
                assert volume(moved, part_of(mesh, name)) == pytest.approx(held, rel=0.12), (name, frame)

    def test_fingers_follow_their_own_joints(self) -> None:
        body = mixamo()
        mesh = mannequin(body)
        followed = set(mesh.joints[np.unique(part_of(mesh, "left hand"))].ravel().tolist())
        for finger in ("Thumb", "Index", "Middle", "Ring", "Pinky"):
            assert body.index(f"mixamorig:LeftHand{finger}2") in followed

    def test_made_from_the_motion_where_the_rest_pose_is_a_tangle(self) -> None:
        upright = make("walk").motion
        tangled = with_other_rest(upright, 5)
        mesh, usual = mannequin(tangled.skeleton, tangled), mannequin(upright.skeleton)
        check(mesh, tangled.skeleton)
        for frame in (10, 70):
            here = deformed(mesh, tangled.skeleton, tangled, frame)
            there = deformed(usual, upright.skeleton, upright, frame)
            assert here.min(axis=0) == pytest.approx(there.min(axis=0), abs=0.06)
            assert here.max(axis=0) == pytest.approx(there.max(axis=0), abs=0.06)
        check(mannequin(tangled.skeleton), tangled.skeleton)

    def test_is_the_same_every_time(self) -> None:
        one, other = mannequin(mixamo()), mannequin(mixamo())
        assert (one.vertices == other.vertices).all()
        assert (one.weights == other.weights).all()


class TestOddBodies:
    @pytest.mark.parametrize(
        "body",
        [
            creature(),
            Skeleton(("only",), np.array([-1]), np.zeros((1, 3))),
            Skeleton(("a", "b"), np.array([-1, 0]), np.zeros((2, 3))),
            replace(skeleton(), offsets=np.zeros((24, 3)), tip_offsets=np.zeros((7, 3))),
        ],
        ids=["creature", "one joint", "one place", "body of no size"],
    )
    def test_has_plain_bones(self, body: Skeleton) -> None:
        mesh = mannequin(body)
        check(mesh, body)
        assert [part.name for part in mesh.parts] == ["bones"]

    @pytest.mark.parametrize("lost", ["left_shoulder", "right_wrist", "head", "neck", "left_toe", "left_hip", "chest"])
    def test_joints_in_the_place_of_their_parents(self, lost: str) -> None:
        body = skeleton()
        offsets = body.offsets.copy()
        offsets[body.joint(lost)] = 0.0
        squeezed = replace(body, offsets=offsets)
        check(mannequin(squeezed), squeezed)

    def test_without_arms_and_head(self) -> None:
        body = skeleton()
        legs = [
            j for j, name in enumerate(body.names) if name == "hips" or any(p in name for p in ("hip", "knee", "ankle"))
        ]
        cut = Skeleton(
            tuple(body.names[j] for j in legs),
            np.array([-1, *(legs.index(int(body.parents[j])) for j in legs[1:])]),
            body.offsets[legs],
        )
        mesh = mannequin(cut)
        check(mesh, cut)
        assert [part.name for part in mesh.parts] == ["torso", "left leg", "left foot", "right leg", "right foot"]

    def test_a_tail_is_shown_and_a_helper_is_not(self) -> None:
        body = skeleton()
        for length, shown in ((0.4, True), (0.05, False)):
            tailed = replace(
                body,
                names=(*body.names, "tail"),
                parents=np.array([*body.parents, 0]),
                offsets=np.array([*body.offsets, (0, 0, -length)]),
            )
            mesh = mannequin(tailed)
            check(mesh, tailed)
            assert ("bones" in [part.name for part in mesh.parts]) is shown


class TestRealBodies:
    @pytest.mark.parametrize(
        "clip", ["acclaim/02/02_05.amc", "acclaim/16/16_15.amc", "acclaim/49/49_03.amc", "bvh/16_15.bvh"]
    )
    def test_is_sound(self, cmu: Path, clip: str) -> None:
        motion = load(cmu / clip)
        mesh = mannequin(motion.skeleton)
        check_person(mesh, motion.skeleton)
        before = {part.name: volume(mesh.vertices, part_of(mesh, part.name)) for part in mesh.parts}
        for frame in range(0, len(motion), max(1, len(motion) // 8)):
            moved = deformed(mesh, motion.skeleton, motion, frame)
            assert moved[:, 1].min() > -0.05
            for name, held in before.items():
                assert volume(moved, part_of(mesh, name)) == pytest.approx(held, rel=0.15), (name, frame)

    def test_every_subject(self, cmu: Path) -> None:
        for folder in sorted((cmu / "acclaim").iterdir()):
            clip = min(folder.glob("*.amc"), key=lambda path: path.stat().st_size)
            body = load(clip).skeleton
            check_person(mannequin(body), body)

    def test_hands_begin_where_fingers_part(self, cmu: Path) -> None:
        body = load(cmu / "acclaim/16/16_15.amc").skeleton
        mesh = mannequin(body)
        hand = mesh.vertices[np.unique(part_of(mesh, "left hand"))]
        assert hand[:, 0].min() > body.rest[body.index("lhand"), 0] - 0.03

    def test_on_mixamo(self, cmu: Path) -> None:
        motion = retarget(load(cmu / "acclaim/16/16_15.amc")[::8], mixamo())
        mesh = mannequin(motion.skeleton, motion)
        heights = [np.ptp(deformed(mesh, motion.skeleton, motion, frame)[:, 1]) for frame in range(0, len(motion), 10)]
        assert heights == pytest.approx([motion.skeleton.stature] * len(heights), rel=0.08)
