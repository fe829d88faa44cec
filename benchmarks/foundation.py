"""The figures on which everything stands: agreement of formats, round trips, samples, retargeting.

    python benchmarks/foundation.py --clips FOLDER

FOLDER holds CMU clips: ``acclaim/SUBJECT/``, ``bvh/`` and ``labeled/``. Without it only the samples are measured.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

import kinegraph as kg
from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.formats import asf
from kinegraph.motion import Motion, Skeleton
from kinegraph.motion.angles import beyond_limits
from kinegraph.motion.spans import spans

TWICE = ("16_15", "16_17", "16_19", "16_35", "16_45", "16_47", "02_05")
TRUNK_AND_LEGS = (
    "hips",
    "spine",
    "chest",
    *(f"{s}_{p}" for s in ("left", "right") for p in ("hip", "knee", "ankle", "toe")),
)
VECTORS = [
    *(
        (f"{side}_{a}", f"{side}_{b}")
        for side in ("left", "right")
        for a, b in (("shoulder", "elbow"), ("elbow", "wrist"))
    ),
    ("neck", "head"),
]


def two_formats(clips: Path) -> None:
    print("\nThe same recording read from ASF/AMC and from BVH, largest difference at any frame (bar 0.1 mm)")
    print(f"{'clip':<8}{'frames':>8}{'hips, legs, spine to chest':>28}{'arm and head vectors':>24}")
    for clip in TWICE:
        a = kg.load(clips / "acclaim" / clip[:2] / f"{clip}.amc")
        b = kg.load(clips / "bvh" / f"{clip}.bvh")
        places = max(np.linalg.norm(a.position(r) - b.position(r), axis=-1).max() for r in TRUNK_AND_LEGS)
        vectors = max(
            np.linalg.norm((a.position(q) - a.position(p)) - (b.position(q) - b.position(p)), axis=-1).max()
            for p, q in VECTORS
        )
        assert len(a) == len(b)
        print(f"{clip:<8}{len(a):>8}{1000 * places:>25.4f} mm{1000 * vectors:>21.4f} mm")


def round_trips(clips: Path) -> None:
    worst: dict[str, list[float]] = {"BVH": [], "AMC": [], "AMC, original ASF": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in sorted([*clips.rglob("*.bvh"), *clips.rglob("*.amc")]):
            own = clips / "acclaim" / "16" / "16.asf" if path.parent.name == "labeled" else None
            motion = kg.load(path, skeleton=own)
            target = folder / f"again{path.suffix}"
            kg.save(motion, target)
            worst[path.suffix[1:].upper()].append(apart(motion, kg.load(target)))
            if path.suffix == ".amc":
                original = own or next(path.parent.glob("*.asf"))
                kg.save(motion, target, skeleton=original)
                worst["AMC, original ASF"].append(apart(motion, kg.load(target, skeleton=original)))
    print("\nFile → Motion → file → Motion over every clip, largest joint displacement (bar 0.1 mm)")
    for kind, values in worst.items():
        print(f"{kind:<20}{len(values):>4} files{1000 * max(values):>14.6f} mm")


def apart(a: Motion, b: Motion) -> float:
    assert len(a) == len(b)
    assert a.fps == b.fps
    order = [b.skeleton.index(name) for name in a.skeleton.names]
    return float(np.linalg.norm(a.positions - b.positions[:, order], axis=-1).max())


def performer() -> None:
    drift, slowest, lowest, outside = 0.0, 0.0, 0.0, 0
    for name in samples.names():
        start = time.perf_counter()
        sample = samples.make(name)
        slowest = max(slowest, time.perf_counter() - start)
        motion, skeleton = sample.motion, sample.motion.skeleton
        heels = {
            side: next(
                index
                for index, parent in enumerate(skeleton.tip_parents)
                if parent == skeleton.joint(f"{side}_ankle") and skeleton.tip_offsets[index][2] < 0
            )
            for side in ("left", "right")
        }
        points = [
            motion.tips[:, heels["left"]],
            motion.position("left_toe"),
            motion.tips[:, heels["right"]],
            motion.position("right_toe"),
        ]
        for column, track in enumerate(points):
            for a, b in spans(sample.contacts[:, column]):
                drift = max(drift, float(np.linalg.norm(track[a:b] - track[a], axis=-1).max()))
        lowest = min(lowest, float(motion.positions[..., 1].min()), float(motion.tips[..., 1].min()))
        outside += bool(beyond_limits(motion))
    print(f"\nSamples: {len(samples.names())} clips")
    print(
        f"a planted heel or ball moves at most {1000 * drift:.2e} mm (bar 0.1 mm); lowest point {1000 * lowest:.2e} mm"
    )
    print(f"clips beyond human joint limits: {outside}; slowest to make: {slowest:.3f} s (bar 1 s)")


def retargeting(clips: Path) -> None:
    print(
        "\nWalks on other subjects' skeletons: the ball of the foot while planted (bars: slide as in the source, 1 cm)"
    )
    print(
        f"{'clip':<8}{'to':>5}{'scale':>8}{'plants':>8}{'source slide × scale':>22}{'slide':>10}{'height off the scaled floor':>30}"
    )
    for clip in ("16_15", "16_47", "02_01"):
        motion = kg.load(clips / "acclaim" / clip[:2] / f"{clip}.amc")
        for other in ("02", "05", "09", "16", "127", "135"):
            if other == clip[:2]:
                continue
            skeleton = subject(clips, other)
            moved = kg.retarget(motion, skeleton)
            scale = skeleton.leg_length / motion.skeleton.leg_length
            before, after, height = [], [], []
            for side in ("left", "right"):
                a, b = motion.position(f"{side}_toe"), moved.position(f"{side}_toe")
                speed = np.linalg.norm(np.gradient(a, axis=0), axis=-1) * motion.fps
                for i, j in spans((speed < 0.25) & (a[:, 1] < np.percentile(a[:, 1], 5) + 0.03)):
                    if j - i > 0.05 * motion.fps:
                        before.append(scale * strayed(a[i:j]))
                        after.append(strayed(b[i:j]))
                        height.append(np.abs(b[i:j, 1] - scale * a[i:j, 1]).max())
            print(
                f"{clip:<8}{other:>5}{scale:>8.3f}{len(after):>8}{1000 * np.mean(before):>19.2f} mm"
                f"{1000 * np.mean(after):>7.2f} mm{1000 * max(height):>27.4f} mm"
            )


def strayed(track: Array) -> float:
    floor = track[:, [0, 2]]
    return float(np.linalg.norm(floor - floor.mean(axis=0), axis=-1).max())


def subject(clips: Path, name: str) -> Skeleton:
    return asf.read(clips / "acclaim" / name / f"{name}.asf").in_metres()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, help="folder of CMU clips")
    clips = parser.parse_args().clips
    performer()
    if clips:
        two_formats(clips)
        retargeting(clips)
        round_trips(clips)


if __name__ == "__main__":
    main()
