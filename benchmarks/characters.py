"""Characters of a folder, each with a walk, a punch and a hill: are roles found, do soles stand, do hands stay out, is the file the same?

    python benchmarks/characters.py FOLDER [--keep OUT]

The folder holds rigged meshes (.glb, .gltf, .vrm) of anybody's. Public ones: CesiumMan, RiggedFigure and BrainStem of the repository
KhronosGroup/glTF-Sample-Models, Soldier, Xbot, Michelle and RobotExpressive of mrdoob/three.js. What is written is looked at by
`tests.characters.viewer`, which knows the specification of glTF and nothing of kinegraph. Lengths are those of a body of 1.75 m. With
--keep the files that were written stay.

Least is the least stray that any other way of the same foot, turned as it is, would have: what its skin weights make of how it rolls.
Validator counts the kinds of message that the Khronos validator has of what was written, and of the character itself: none may be new.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, vstack
from tests.characters.viewer import Viewer

import kinegraph as kg
from kinegraph.arrays import Array, Bools
from kinegraph.characters import Character, Moved, core, hands, load, put, soles, write
from kinegraph.characters import ground as grounds
from kinegraph.characters.character import SUFFIXES
from kinegraph.characters.skating import BEARS, STATURE, skating
from kinegraph.errors import KinegraphError
from kinegraph.formats import gltf
from kinegraph.formats.options import ReadOptions
from kinegraph.motion import Motion
from kinegraph.motion.body import SIDES
from kinegraph.motion.spans import spans
from kinegraph.paths.ground import Ground
from kinegraph.paths.ground import ground as read_ground

NEAR, SLIDE, DEEP, APART, SECONDS = 5.0, 1.0, 20.0, 0.1, 0.3
HILL = "hill:0.5,3"


def motions() -> dict[str, tuple[Motion, Array | None]]:
    """The motions with their contacts, where they are known."""
    walk = kg.samples.make("walk").motion
    hill = kg.repath(walk, "line:6", ground=HILL, cycle=True)
    punch = kg.samples.make("punch_middle_centre").motion
    return {"walk": (walk, None), "punch": (punch, None), "hill": (hill.motion.renamed("hill"), hill.contacts)}


def least(skin: Array, over: Array, stands: Bools, bears: float) -> float:
    """The least stray that any translation of a foot with ``skin (F, V, 3)`` leaves, along x or z: a linear programme over its places."""
    most = 0.0
    for first, last in spans(stands):
        near = over[first:last] < bears
        both = near[1:] & near[:-1]
        episodes = [(point, *one) for point in np.flatnonzero(both.any(axis=0)) for one in spans(both[:, point])]
        if not episodes:
            continue
        count = last - first
        frames = np.concatenate([np.arange(begin, end + 1) for _, begin, end in episodes])
        lengths = [end + 1 - begin for _, begin, end in episodes]
        point = np.repeat([one[0] for one in episodes], lengths)
        middle = count + np.repeat(np.arange(len(episodes)), lengths)
        rows, unknowns = np.arange(len(frames)), count + len(episodes) + 1
        for axis in (0, 2):
            place = skin[first + frames, point, axis]
            parts = []
            for sign in (1.0, -1.0):
                values = np.concatenate([np.full(len(rows), one) for one in (sign, -sign, -0.5)])
                columns = np.concatenate([frames, middle, np.full(len(rows), unknowns - 1)])
                parts.append(coo_matrix((values, (np.tile(rows, 3), columns)), (len(rows), unknowns)).tocsr())
            found = linprog(
                np.eye(unknowns)[-1],
                A_ub=vstack(parts),
                b_ub=np.concatenate([-place, place]),
                bounds=[*[(None, None)] * (unknowns - 1), (0, None)],
            )
            most = max(most, float(found.fun or 0.0))
    return most


def messages(*files: Path) -> list[set[str]] | None:
    """The kinds of message that the Khronos validator has of each file; None where it is not installed (make node)."""
    folder = Path(__file__).parents[1] / "tests" / "node"
    if shutil.which("node") is None or not (folder / "node_modules" / "gltf-validator").is_dir():
        return None
    command = ["node", folder / "validate.mjs", folder / "node_modules", *files]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    return [{one["code"] for one in report["messages"]} for report in json.loads(done.stdout)]


def judged(file: Path, target: Path) -> str:
    """What the validator says of a file that was written, against that of the character."""
    found = messages(file, target)
    if found is None:
        return "not looked at"
    before, after = found
    new = sorted(after - before)
    return f"NEW {', '.join(new)}" if new else f"clean ({len(after)} of {len(before)})" if before else "clean"


def feet(
    moved: Moved, viewer: Viewer, worlds: dict[int, Array], down: Bools, ground: Ground | None
) -> tuple[float, ...]:
    """Millimetres by which soles drift and stray, the least by which they could stray, and millimetres by which they are off the ground
    while the source's feet stand (``down (F, 4)``), and sink at any time; then the worst frame and the share of those frames in which the
    character's feet stand too.
    """
    hero = moved.character
    size = 1000.0 * STATURE / hero.height
    found, bounds = [], []
    for column, side in enumerate(SIDES):
        skin = viewer.vertices(worlds, [hero.bones.nodes[joint] for joint in core.foot_joints(hero, side)])
        over = skin[..., 1] if ground is None else skin[..., 1] - ground(skin[..., [0, 2]])
        stands = down[:, 2 * column : 2 * column + 2].any(axis=1)
        found.append(skating(skin, over, stands, 1000.0 * BEARS / size))
        bounds.append(least(skin, over, stands, 1000.0 * BEARS / size))
    held = (moved.contacts & down).sum() / max(int(down.sum()), 1)
    worst = max(found, key=lambda one: one.stray)
    drift, stray, off, deep = (
        size * max(getattr(one, part) for one in found) for part in ("drift", "stray", "off", "deep")
    )
    return drift, stray, size * max(bounds), off, deep, worst.frame, held


def reaching(moved: Moved, motion: Motion, hero: Character) -> float:
    """Millimetres by which a hand is deeper in the trunk than the source's own, at most."""
    body = core.of(hero)
    shapes, own = hands.of_character(hero, body), hands.of_source(motion)
    index = [body.joints.get(role, 0) for role in body.skeleton.names]
    seen = moved.positions[:, index], moved.orientations[:, index]
    worst = 0.0
    for side in shapes.hands:
        allowed = (
            np.maximum(own.deep(motion.positions, motion.orientations, side)[0], 0.0) if side in own.hands else 0.0
        )
        worst = max(worst, float((shapes.deep(*seen, side)[0] * STATURE / hero.height - allowed).max()))
    return 1000.0 * worst


def same_file(before: Viewer, after: Viewer) -> bool:
    """Whether all that was there is there: the bytes of the buffer, meshes, materials, textures and skins."""
    parts = ("meshes", "materials", "textures", "images", "samplers", "skins", "scenes", "extensions")
    length = before.tree["buffers"][0]["byteLength"]
    return before.blob[:length] == after.blob[:length] and all(
        before.tree.get(part) == after.tree.get(part) for part in parts
    )


def round_trip(moved: Moved, file: Path, name: str) -> float:
    """Millimetres by which joints that are read back are elsewhere, at most."""
    back = next(one for one in gltf.read_all(file, ReadOptions(units="m")) if one.name == name)
    names = list(moved.character.skeleton.names)
    unique = [joint for joint, one in enumerate(back.skeleton.names) if names.count(one) == 1]
    apart = max(
        float(np.abs(back.positions[:, joint] - moved.positions[:, names.index(back.skeleton.names[joint])]).max())
        for joint in unique
    )
    return 1000.0 * apart * STATURE / moved.character.height


def returned(moved: Moved, file: Path, name: str) -> str:
    """The same as text; a file whose bind pose is compressed is written, but not read."""
    try:
        return mark(round_trip(moved, file, name), APART)
    except KinegraphError:
        return "not read"


def minute(hero: Character) -> float:
    """Seconds of CPU to put a minute at 30 frames/s on a character, the median of five."""
    walk = kg.samples.make("walk").motion.resample(30)
    long = kg.concatenate([walk] * (1800 // len(walk) + 1))[:1800]
    took = []
    for _ in range(6):
        begun = time.process_time()
        put(long, hero)
        took.append(time.process_time() - begun)
    return float(np.median(took[1:]))


def mark(value: float, most: float) -> str:
    return f"{value:.2f}" + ("" if value <= most else " NOT met")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keep", type=Path, default=None)
    asked = parser.parse_args()
    made = motions()
    files = sorted(file for file in asked.folder.iterdir() if file.suffix.lower() in SUFFIXES)
    with tempfile.TemporaryDirectory() as temporary:
        out = asked.keep or Path(temporary)
        out.mkdir(exist_ok=True)
        columns = [
            "character",
            "joints",
            "roles",
            "motion",
            "held%",
            "sole_mm",
            "sinks_mm",
            "drift_mm",
            "stray_mm",
            "least_mm",
            "at",
            "hand_mm",
            "same_file",
            "validator",
            "round_trip_mm",
            "minute_s",
        ]
        print(f"| {' | '.join(columns)} |")
        print("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
        found = 0
        for file in files:
            try:
                hero = load(file)
            except KinegraphError as error:
                print(f"| {file.name} | | none: {str(error)[:200]} |")
                continue
            found += 1
            ways = ", ".join(
                f"{list(hero.roles.how.values()).count(how)} {how}" for how in dict.fromkeys(hero.roles.how.values())
            )
            for name, (motion, contacts) in made.items():
                moved = put(motion, hero, contacts, read_ground(HILL) if name == "hill" else None)
                target = out / f"{file.stem}.{name}.glb"
                write(moved, target)
                viewer = Viewer(target)
                called = viewer.tree["animations"][-1]["name"]
                factor = core.of(hero).skeleton.leg_length / motion.skeleton.leg_length
                figures = [""] * 7
                if len(hero.points) and all(len(skin.points) for skin in soles.of(hero, core.of(hero))):
                    down = grounds.stands(motion) if contacts is None else contacts
                    high = grounds.scaled(read_ground(HILL), factor, 1.0).heights if name == "hill" else None
                    drift, stray, bound, off, deep, frame, share = feet(
                        moved, viewer, viewer.moved(called)[1], down, high
                    )
                    # the source of the punch turns on the ball of its foot: by 40 mm, as its own skin has it
                    point = f"{stray:.2f}" if name == "punch" else mark(stray, SLIDE)
                    figures = [
                        f"{100 * share:.0f}",
                        mark(off, NEAR),
                        mark(deep, NEAR),
                        mark(drift, SLIDE),
                        point,
                        f"{bound:.2f}",
                        f"{frame:.0f}",
                    ]
                same = "not looked at" if file.suffix == ".gltf" else "yes" if same_file(Viewer(file), viewer) else "NO"
                row = [
                    *figures,
                    mark(reaching(moved, motion, hero), DEEP),
                    same,
                    judged(file, target),
                    returned(moved, target, called),
                ]
                took = mark(minute(hero), SECONDS) if name == "walk" else ""
                print(
                    f"| {file.name} | {len(hero.skeleton)} | {ways} | {name} | {' | '.join(row)} | {took} |", flush=True
                )
                for told in moved.notices:
                    print(f"  {told}")
        print(f"\nroles found in {found} of {len(files)}")


if __name__ == "__main__":
    main()
