"""How large the files are that motions leave in, and how fast they are written; what comes back from glTF; a whole subject in one command.

    python benchmarks/export.py [--clips FOLDER]

The motion is a minute at 30 frames/s, 1,800 frames. With a folder of CMU clips (``acclaim/16/*.amc``, ``acclaim/135/135_11.amc``) it is
135_11, repeated where it is shorter; without, a built-in walk is repeated. The baseline is the bare numbers, root and rotations in four
bytes each, written by NumPy. All formats are written in turn, and the median of the rounds after a first that does not count is told.
FBX is written where there is Blender, fewer times, since Blender is started for each.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

import kinegraph as kg
from kinegraph import samples
from kinegraph.errors import FormatError, MissingExtraError
from kinegraph.formats import blender, gltf
from kinegraph.motion import Motion

FPS, SECONDS = 30, 60
ROUNDS, ROUNDS_OF_BLENDER = 9, 1
MOST_BYTES, MOST_SECONDS = 1.5e6, 0.5
MOST_APART = 0.1  # mm


def minute(clip: Motion) -> Motion:
    """A minute of the clip, from its beginning again where it ends."""
    short = clip.resample(FPS)
    frames = np.arange(FPS * SECONDS) % len(short)
    return replace(short, root=short.root[frames], rotations=short.rotations[frames])


def bare(motion: Motion, path: Path) -> None:
    numbers = np.concatenate([motion.root, motion.rotations.reshape(len(motion), -1)], axis=1)
    np.save(path, numbers.astype(np.float32))


def mark(value: float, most: float) -> str:
    return "" if value <= most else " NOT met"


def sizes_and_times(motion: Motion, folder: Path) -> None:
    works: dict[str, Callable[[Path], object]] = {"npy": lambda path: bare(motion, path)}
    works |= {kind: lambda path: kg.save(motion, path) for kind in ("glb", "usdc", "bvh", "amc", "csv", "npz", "fbx")}
    try:
        blender.command("writing FBX")
    except (FormatError, MissingExtraError):
        print("no Blender here: FBX is left out")
        del works["fbx"]
    took: dict[str, list[float]] = {kind: [] for kind in works}
    for number in range(ROUNDS + 1):
        for kind, work in works.items():
            if kind == "fbx" and number > ROUNDS_OF_BLENDER:
                continue
            begun = time.perf_counter()
            work(folder / f"minute.{kind}")
            if number:
                took[kind].append(time.perf_counter() - begun)
    print(f"{'file':<6}{'MB':>8}{'by the bare':>13}{'written in s':>14}{'by the bare':>13}{'of play time':>14}")
    size, wait = (folder / "minute.npy").stat().st_size, float(np.median(took["npy"]))
    for kind, times in took.items():
        large, middle = (folder / f"minute.{kind}").stat().st_size, float(np.median(times))
        row = f"{kind:<6}{large / 1e6:>8.3f}{large / size:>12.2f}×{middle:>14.4f}{middle / wait:>12.1f}×{middle / SECONDS:>14.6f}"
        bars = (
            f"  bars {MOST_BYTES / 1e6:g} MB{mark(large, MOST_BYTES)}, {MOST_SECONDS:g} s{mark(middle, MOST_SECONDS)}"
        )
        print(row + (bars if kind == "glb" else ""))


def round_trips(motions: list[Motion], folder: Path) -> None:
    worst, rates = 0.0, True
    for motion in motions:
        gltf.write(motion, folder / "again.glb")
        back = kg.load(folder / "again.glb")
        order = [back.skeleton.index(name) for name in motion.skeleton.names]
        worst = max(worst, 1000 * float(np.linalg.norm(back.positions[:, order] - motion.positions, axis=-1).max()))
        rates &= back.fps == motion.fps and len(back) == len(motion)
    print(
        f"\nGLB and back, {len(motions)} clips: joints at most {worst:.6f} mm apart (bar {MOST_APART:g}{mark(worst, MOST_APART)}); "
        f"rates and lengths {'the same' if rates else 'differ: NOT met'}"
    )


def whole_folder(source: Path, folder: Path) -> None:
    """The command as a user runs it, its start included."""
    clips = len(list(source.glob("*.amc")))
    command = [sys.executable, "-m", "kinegraph", "convert", source, folder / "out", "--to", "glb", "--fps", FPS]
    begun = time.perf_counter()
    subprocess.run([str(part) for part in command], check=True, capture_output=True)
    took = time.perf_counter() - begun
    made = list((folder / "out").glob("*.glb"))
    size = sum(file.stat().st_size for file in made)
    fault = "" if len(made) == clips else " NOT met"
    print(f"\n{source.name}: {len(made)} of {clips} clips{fault} by one command in {took:.2f} s, {size / 1e6:.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, help="folder of CMU clips")
    clips = parser.parse_args().clips
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clip = kg.load(clips / "acclaim" / "135" / "135_11.amc") if clips else samples.make("walk").motion
        motion = minute(clip)
        print(f"{clip.name}: {len(motion)} frames at {motion.fps:g} frames/s, {len(motion.skeleton)} joints")
        sizes_and_times(motion, folder)
        real = sorted((clips / "acclaim" / "16").glob("*.amc")) if clips else []
        round_trips([kg.load(file) for file in real] or [samples.make(each).motion for each in samples.names()], folder)
        if clips:
            whole_folder(clips / "acclaim" / "16", folder)


if __name__ == "__main__":
    main()
