"""A motion on a character: feet stand on its own soles, limbs point where they pointed, whatever the rig looks like."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import Motion, characters
from kinegraph.arrays import Array
from kinegraph.characters import ground as grounds
from kinegraph.characters.moving import both
from kinegraph.characters.skating import BEARS, skating
from kinegraph.motion import rotation
from kinegraph.motion.body import ROLES, SIDES
from kinegraph.motion.spans import spans
from kinegraph.paths.ground import ground as read_ground
from tests.characters import rigs
from tests.characters.viewer import Viewer

WALK = kg.samples.make("walk").motion


def shown(
    made: rigs.Made, motion: Motion = WALK, **options: object
) -> tuple[Viewer, dict[int, Array], characters.Moved]:
    """What a viewer sees of a motion on a rig."""
    hero = characters.load(made.path)
    moved = characters.put(motion, hero)
    target = made.path.with_name("out.glb")
    characters.write(moved, target)
    viewer = Viewer(target)
    return viewer, viewer.moved(motion.name)[1], moved


def places(viewer: Viewer, worlds: dict[int, Array], made: rigs.Made) -> Array:
    """Where the joints with roles are, ``(F, R, 3)``, in the order of the roles."""
    names = [node.get("name") for node in viewer.tree["nodes"]]
    return np.stack([worlds[names.index(made.roles[role])][:, :3, 3] for role in ROLES], axis=1)


@pytest.mark.parametrize("name", ["walk", "run", "kick_low_left"])
def test_feet_are_said_to_stand_when_they_do(name: str, tmp_path: Path) -> None:
    """All the time that the source's do: what had to be let go while soles were guessed is set right by the skin."""
    motion = kg.samples.make(name).motion
    hero = characters.load(rigs.make(tmp_path / "hero.glb").path)
    moved = characters.put(motion, hero)
    assert not moved.notices
    assert np.array_equal(moved.contacts, grounds.stands(motion))


@pytest.mark.parametrize(
    "rig",
    [
        {"up": "z"},
        {"unit": 0.01},
        {"facing": 90},
        {"facing": -135, "up": "z", "unit": 0.01},
        {"posed": True},
        {"root": True},
        {"names": "numbers", "posed": True, "up": "z"},
    ],
    ids=str,
)
def test_it_is_the_same_walk_on_any_rig(rig: dict[str, object], tmp_path: Path) -> None:
    plain = rigs.make(tmp_path / "plain.glb")
    other = rigs.make(tmp_path / "other.glb", **rig)  # type: ignore[arg-type]
    one, two = (places(*shown(made)[:2], made) for made in (plain, other))
    assert np.abs(one - two).max() < 2e-4


def test_arms_of_an_a_pose_point_where_those_of_a_t_pose_do(tmp_path: Path) -> None:
    plain = rigs.make(tmp_path / "plain.glb")
    lowered = rigs.make(tmp_path / "lowered.glb", lowered=45)
    one, two = (places(*shown(made)[:2], made) for made in (plain, lowered))
    assert np.abs(one - two).max() < 2e-3


def test_limbs_point_where_they_did(tmp_path: Path) -> None:
    """On the body that walked they are where they were, but for what soles and spine make different."""
    made = rigs.make(tmp_path / "hero.glb", lowered=30, facing=60, unit=0.01)
    found = places(*shown(made)[:2], made)
    for top, end in (("shoulder", "elbow"), ("elbow", "wrist"), ("hip", "knee"), ("knee", "ankle")):
        for side in SIDES:
            here, there = ROLES.index(f"{side}_{top}"), ROLES.index(f"{side}_{end}")
            bone, own = (
                found[:, there] - found[:, here],
                WALK.position(f"{side}_{end}") - WALK.position(f"{side}_{top}"),
            )
            cosine = (bone * own).sum(axis=-1) / np.linalg.norm(bone, axis=-1) / np.linalg.norm(own, axis=-1)
            assert np.degrees(np.arccos(np.clip(cosine, -1, 1))).max() < 4.0


@pytest.mark.parametrize("name", ["walk", "run", "punch_middle_centre", "stand", "jump"])
@pytest.mark.parametrize("size", [0.6, 1.0, 1.3])
def test_soles_are_on_the_floor_and_do_not_slide(name: str, size: float, tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb", size=size, lowered=30)
    assert_stands(made, kg.samples.make(name).motion)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("ground", ["hill:0.5,3", "hill:-0.4,3", "slope:10%"])
def test_soles_are_on_the_ground_of_a_hill(ground: str, known: bool, tmp_path: Path) -> None:
    """The ground is not told: it is where the source's feet stood, whether it is said when they do or has to be found."""
    made = rigs.make(tmp_path / "hero.glb")
    hill = kg.repath(WALK, "line:6", ground=ground, cycle=True)
    hero = characters.load(made.path)
    moved = characters.put(hill.motion, hero, hill.contacts if known else None)
    characters.write(moved, tmp_path / "out.glb")
    viewer = Viewer(tmp_path / "out.glb")
    worlds = viewer.moved(hill.motion.name)[1]
    high = read_ground(ground)
    for column, side in enumerate(SIDES):
        skin = viewer.vertices(worlds, foot(made, side))
        # the body is the source's own but for its soles, so that the ground is where it was
        over = skin[..., 1] - high(skin[..., [0, 2]])
        down = both(hill.contacts if known else grounds.stands(hill.motion))[:, column]
        assert down.mean() > 0.3
        found = skating(skin, over, down, BEARS)
        # where the ground is but guessed, skin bears by a guess
        assert found.drift < 0.003
        assert np.quantile(np.abs(over.min(axis=1)[down]), 0.5) < 0.008
        assert found.off < 0.02


@pytest.mark.parametrize("ground", ["hill:0.5,3", "slope:10%"])
def test_soles_stand_on_a_ground_that_is_told(ground: str, tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb", lowered=30)
    hill = kg.repath(WALK, "line:6", ground=ground, cycle=True)
    moved = characters.put(hill.motion, characters.load(made.path), hill.contacts, read_ground(ground))
    characters.write(moved, tmp_path / "out.glb")
    viewer = Viewer(tmp_path / "out.glb")
    worlds = viewer.moved(hill.motion.name)[1]
    for column, side in enumerate(SIDES):
        skin = viewer.vertices(worlds, foot(made, side))
        over = skin[..., 1] - read_ground(ground)(skin[..., [0, 2]])
        found = skating(skin, over, both(hill.contacts)[:, column], BEARS)
        assert found.drift < 0.001
        assert found.off < 0.005
        assert found.deep < 0.005


def test_legs_that_do_not_reach_are_told(tmp_path: Path) -> None:
    """A step of two metres: whoever's legs are too short for it slides, and is told so."""
    made = rigs.make(tmp_path / "hero.glb")
    assert not characters.put(WALK, characters.load(made.path)).notices
    far = Motion(WALK.skeleton, WALK.root * [1.0, 1.0, 3.0], WALK.rotations, WALK.fps, name="far")
    told = characters.put(far, characters.load(made.path), grounds.stands(WALK)).notices
    assert any("slide" in sentence for sentence in told)


def assert_stands(made: rigs.Made, motion: Motion) -> None:
    viewer, worlds, moved = shown(made, motion)
    stature = characters.load(made.path).height / 1.75
    assert not moved.notices
    down = both(grounds.stands(motion))
    assert down.any()
    for column, side in enumerate(SIDES):
        skin = viewer.vertices(worlds, foot(made, side))
        found = skating(skin, skin[..., 1], down[:, column], BEARS * stature)
        assert found.off < 0.005 * stature
        assert found.deep < 0.005 * stature
        assert found.drift < 0.001 * stature
        if not turns(motion, side, down[:, column]):
            assert found.stray < 0.001 * stature


def turns(motion: Motion, side: str, down: Array) -> bool:
    """Whether a source's foot turns about the vertical while it stands, as that of a punch does on its ball."""
    ahead = rotation.rotate(motion.orientations[:, motion.skeleton.joint(f"{side}_ankle")], np.array([0.0, 0.0, 1.0]))
    heading = np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 2]))
    return any(np.ptp(heading[first:last]) > np.deg2rad(1.0) for first, last in spans(down))


def foot(made: rigs.Made, side: str) -> list[str]:
    return [made.roles[f"{side}_ankle"], made.roles[f"{side}_toe"]]


def test_toes_of_a_foot_without_toes_do_not_sink(tmp_path: Path) -> None:
    """Its front edge, not the ball that it does not have, is what it rolls over."""
    names = {role: name for role, name in rigs.NAMES["Mixamo"].items() if not role.endswith("_toe")}
    made = rigs.make(tmp_path / "hero.glb", names=names)
    made.roles = names
    viewer, worlds, moved = shown(made)
    rest = [f"{name}" for name in ("extra_19", "extra_23")]
    for side in SIDES:
        below = viewer.vertices(worlds, [names[f"{side}_ankle"], *rest])[..., 1].min(axis=1)
        assert below.min() > -0.005
    assert not moved.notices


def test_a_wrist_shares_its_twist(tmp_path: Path) -> None:
    """A hand that is turned by 120° about the forearm: twist bones along it turn by a third and two thirds, the elbow not at all."""
    still = kg.samples.make("stand").motion[:2]
    turned = np.array(still.rotations)
    skeleton = still.skeleton
    elbow, wrist = (skeleton.joint(role) for role in ("left_elbow", "left_wrist"))
    along = skeleton.offsets[skeleton.chain(elbow, wrist)[1:]].sum(axis=0)
    turned[:, wrist] = rotation.multiply(turned[:, wrist], rotation.from_axis_angle(along, np.deg2rad(120.0)))
    wrung = Motion(skeleton, still.root, turned, still.fps, name="wrung")
    angles = {}
    for twists in (False, True):
        made = rigs.make(tmp_path / f"{twists}.glb", twists=twists)
        hero = characters.load(made.path)
        plain, moved = characters.put(still, hero), characters.put(wrung, hero)
        change = np.degrees(rotation.angle_between(plain.orientations, moved.orientations))[0]
        angles[twists] = {name: float(angle) for name, angle in zip(hero.skeleton.names, change, strict=True)}
    arm = "mixamorig:Left"
    assert angles[True][f"{arm}Hand"] == pytest.approx(120.0, abs=0.5)
    assert angles[True][f"{arm}ForeArm_twist_03"] == pytest.approx(40.0, abs=0.5)
    assert angles[True][f"{arm}ForeArm_twist_07"] == pytest.approx(80.0, abs=0.5)
    assert angles[True][f"{arm}ForeArm"] == pytest.approx(0.0, abs=0.5)
    assert angles[False][f"{arm}Hand"] == pytest.approx(120.0, abs=0.5)
    assert angles[False][f"{arm}ForeArm"] == pytest.approx(60.0, abs=0.5)


def test_further_joints_of_the_spine_bend_along(tmp_path: Path) -> None:
    """The samples' spine has a joint between spine and chest that has no role: it turns by what lies between."""
    made = rigs.make(tmp_path / "hero.glb")
    hero = characters.load(made.path)
    roles = hero.roles.joints
    chain = hero.skeleton.chain(roles["spine"], roles["chest"])
    assert len(chain) > 2
    moved = characters.put(kg.samples.make("punch_middle_centre").motion, hero)
    whole = rotation.angle_between(moved.orientations[:, chain[0]], moved.orientations[:, chain[-1]])
    part = rotation.angle_between(moved.orientations[:, chain[0]], moved.orientations[:, chain[1]])
    assert whole.max() > np.deg2rad(3.0)
    bent = whole > np.deg2rad(2.0)
    assert ((part / np.maximum(whole, 1e-9))[bent] > 0.2).all()
    assert ((part / np.maximum(whole, 1e-9))[bent] < 0.8).all()


def test_hands_of_long_arms_stay_above_the_ground(tmp_path: Path) -> None:
    walk = kg.samples.make("walk").motion
    made = rigs.make(tmp_path / "hero.glb", arms=2.6)
    hero = characters.load(made.path)
    arms = [joint for role, joint in hero.roles.joints.items() if role.endswith(("elbow", "wrist"))]
    hands = sorted({hero.bones.nodes[one] for joint in arms for one in (joint, *hero.skeleton.below(joint))})
    # hanging straight down they would reach well below the floor
    shoulder, wrist = (hero.places[hero.roles.joints[f"left_{part}"]] for part in ("shoulder", "wrist"))
    assert shoulder[1] - np.linalg.norm(wrist - shoulder) < 0.1
    characters.save(walk, hero, tmp_path / "out.glb")
    viewer = Viewer(tmp_path / "out.glb")
    skin = viewer.vertices(viewer.moved("walk")[1], hands)
    assert skin[..., 1].min() > -0.005
    # and without a jerk: no hand is thrown up from one frame to the next
    assert np.abs(np.diff(skin, axis=0)).max() < 0.1
