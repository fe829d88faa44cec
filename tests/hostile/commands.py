"""Every command of the command line that takes a file, by the kinds of files that it takes, and what becomes of it with a hostile one."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import kinegraph as kg
from kinegraph.errors import KinegraphError
from tests.cli.inprocess import call
from tests.hostile.goods import PUNCHES, good

CLIPS = ("walk", "walk_left_medium", "stand", "start", "stop")
MOTION, GRAPH, SPACE, CHARACTER, CURVE = "motion", "graph", "space", "character", "curve"
# FILE is the hostile one, FOLDER the folder in which it lies with a good clip; the others are good files beside it, and what is written
_COMMANDS = {
    MOTION: """
        info FILE --json
        convert FILE out.npz
        convert FILE out.bvh
        convert FILE out.glb --fps 15 --mirror --in-place
        convert FILE out.csv
        convert FILE out.usda
        convert FILE out.amc
        convert walk.bvh out.npz --onto FILE
        convert FILE out.glb --character hero.glb
        convert FOLDER outs --to npz
        convert FOLDER out.glb
        render FILE -o out.png --width 200 --height 64
        render FILE -o out.html
        render FILE -o out.gif --width 48 --height 48 --fps 4
        distance FILE walk.bvh -o out.npz
        build FILE walk.bvh -o out.mog --strict
        build FOLDER -o out.mog
        build walk.bvh stand.bvh -o out.mog --onto FILE
        add good.mog FILE -o out.mog
        clean FILE out.npz
        evaluate FILE
        evaluate walk.bvh --source FILE
        repath FILE line:2 -o out.npz
        paths show FILE
        paths fit FILE -o out.json
        space build FILE punches --kind punch -o out.mog
    """,
    GRAPH: """
        inspect FILE
        inspect FILE --json
        inspect FILE --transitions
        inspect FILE --clips
        inspect FILE --duplicates
        inspect FILE --flaws
        inspect FILE --adds
        inspect FILE --threshold auto
        inspect FILE --check
        inspect FILE --plot out.png
        inspect FILE --capability
        add FILE punches/punch_low_left.bvh -o out.mog
        remove FILE walk -o out.mog
        walk FILE --seconds 2 -o out.npz
        walk FILE --sequence walk,stand -o out.npz
        follow FILE line:2 -o out.npz
        direct FILE scene.toml -o out.npz
        live FILE --stick stick.csv -o out.npz
        crowd FILE circle:2 --seconds 1 -o out.npz
        dump FILE tracks.csv -o out.npz
        evaluate walk.bvh --source FILE
        space join good.mog 0.1,1.2 FILE -o out.npz
    """,
    SPACE: """
        space show FILE
        space show FILE --json --plot out.png
        space reach FILE 0.1,1.2 -o out.npz
        space join FILE 0.1,1.2 good.mog -o out.npz
        space evaluate FILE --targets 3
        direct good.mog scene.toml --spaces FILE -o out.npz
        live good.mog --stick stick.csv --spaces FILE -o out.npz
        space build punches --kind punch -o FILE
    """,
    CHARACTER: """
        character FILE
        character FILE --json --plot out.png
        convert walk.bvh out.glb --character FILE
        convert walk.bvh out.html --character FILE
        walk good.mog --seconds 1 -o out.glb --character FILE --events out.json
        crowd good.mog circle:2 --seconds 1 -o out.glb --character FILE
    """,
    CURVE: """
        follow good.mog FILE -o out.npz
        repath walk.bvh FILE -o out.npz
        paths show FILE
        paths show FILE --plot out.png
        evaluate walk.bvh --path FILE
    """,
    "scene": """
        direct good.mog FILE -o out.npz
        direct good.mog scene.toml --of FILE --stretch 0.4-2.6 -o out.npz
        direct good.mog FOLDER -o outs
    """,
    "crowd": "crowd good.mog FILE --seconds 1 -o out.npz\ncrowd good.mog FILE --seconds 1 --report --json",
    "labels": "build walk.bvh stand.bvh --labels FILE -o out.mog\nadd good.mog punches/punch_low_left.bvh --labels FILE -o out.mog",
    "strikes": "space build punches --strikes FILE -o out.mog",
    "roles": """
        info walk.bvh --roles FILE
        convert walk.bvh out.npz --roles FILE
        clean walk.bvh out.npz --roles FILE
        repath walk.bvh line:2 --roles FILE -o out.npz
        build walk.bvh stand.bvh --roles FILE -o out.mog
    """,
    "ground": """
        repath walk.bvh line:2 --ground FILE -o out.npz
        live good.mog --stick stick.csv --ground FILE -o out.npz
    """,
    "tracks": "dump good.mog FILE -o out.npz\ndump good.mog FILE --fps 5",
    "stick": "live good.mog --stick FILE -o out.npz",
    "kept": "info FILE\nconvert FILE out.bvh",
    "skeleton": """
        info walk.amc --skeleton FILE
        convert walk.amc out.amc --skeleton elsewhere.asf --target-skeleton FILE
        convert walk.bvh out.npz --onto FILE
        build walk.bvh stand.bvh --onto FILE -o out.mog
    """,
}
_KINDS = {
    "clip": (MOTION,),
    "both": (GRAPH, SPACE),
    "hero": (CHARACTER, MOTION),
    "path": (CURVE,),
    "spline": (CURVE,),
    "body": ("skeleton",),
}
NO_FILES = ("samples", "fetch cmu", "demo", "studio", "experiments")
"""Commands that read none of these files, or read them by what others do: the studio's routes are tried apart."""


def kinds(file: str) -> tuple[str, ...]:
    """What a file of that name is taken for."""
    stem = Path(file).stem
    return _KINDS.get(stem, (stem,))


def said(kind: str) -> list[str]:
    """The commands that take a file of a kind."""
    return [line.strip() for line in _COMMANDS[kind].strip().splitlines()]


def tried() -> set[str]:
    """All commands that are tried, by their first words."""
    lines = [line.split() for kind in _COMMANDS for line in said(kind)]
    return {" ".join(words[:2]) if words[0] in ("space", "paths") else words[0] for words in lines}


class Commands:
    """A folder with good files of every kind, and one of its own for what is hostile."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.given = folder, folder / "given"
        self.given.mkdir()
        motions = [kg.samples.make(name).motion for name in CLIPS]
        for name, motion in zip(CLIPS, motions, strict=True):
            if name in ("walk", "stand"):
                kg.save(motion[:60], folder / f"{name}.bvh")
        kg.save(motions[0][:20], folder / "walk.amc")
        (folder / "walk.asf").rename(folder / "elsewhere.asf")
        (folder / "punches").mkdir()
        punches = [kg.samples.make(name).motion for name in PUNCHES]
        for punch in punches:
            kg.save(punch, folder / "punches" / f"{punch.name}.bvh")
        kg.graph.build(motions, path=folder / "good.mog")
        kg.strikes.save(kg.strikes.build(punches, "punch"), folder / "good.mog")
        for name in ("hero.glb", "scene.toml", "stick.csv", "tracks.csv"):
            (folder / name).write_bytes(good(name))

    def put(self, path: Path) -> None:
        """Lay what a file needs beside it, and nothing else."""
        for other in self.given.iterdir():
            if other != path:
                other.unlink()
        if path.suffix == ".amc":
            (self.given / "clip.asf").write_bytes(good("body.asf"))
        if kinds(path.name) != ("scene",):
            (self.given / "walk.bvh").write_bytes((self.folder / "walk.bvh").read_bytes())

    def answers(self, path: Path, each: int = 1, first: int = 0) -> Iterator[tuple[str, str]]:
        """What becomes of each command, or of every so many-th: its words, and ``done``, ``refused: …`` or ``fault: …``."""
        self.put(path)
        data = path.read_bytes()
        lines = [line for kind in kinds(path.name) for line in said(kind)]
        for line in lines[first % each :: each]:
            words = [{"FILE": str(path), "FOLDER": str(self.given)}.get(word, word) for word in line.split()]
            yield line, self._answer(words)
            if "-o FILE" in line:
                path.write_bytes(data)
        gc.unfreeze()  # what the command line leaves alone for its short life
        gc.collect()

    def _answer(self, words: list[str]) -> str:
        try:
            done = call(*words, folder=self.folder)
        except KinegraphError as error:
            return f"fault: the command let through: {error}"
        except Exception as error:
            return f"fault: {type(error).__name__}: {error}"
        told = done.err[-300:]
        if "Traceback" in done.err or done.code not in (0, 1, 2, 3):
            return f"fault: exit {done.code}: {told}"
        # 3: done, but not all that was asked
        return "done" if done.code in (0, 3) else f"refused: {told}" if told.strip() else "fault: not a word"
