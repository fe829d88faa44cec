"""What the names of Bandai Namco's clips say that they show, and which of them are held out; for `labels.py`.

A file is called ``dataset-1_walk-back_tired_001.bvh``: the motion is ``walk-back``, the style ``tired``. What each motion must be found as
was written down before any was judged. Who goes left (``walk-left``) does so as the stage is seen, and turns half towards where he goes, as
clips of two opened styles showed: to walk there or to go sideways is both right. What has no label of its own (bows, slashes, raised hands)
is a ``gesture``: it is right where it is a stand, a reach, a wave or something else, and wrong where any other deed is claimed.

Styles are split, not clips: who runs in the style of a giant does so in the held part alone. Four styles had been used in other
parts of this project, and are opened. Of the others, in the order of the alphabet, every second one is opened, and the first is held out.
Punches, kicks, slashes and dances are there in the style ``normal`` only, which is opened: in the held part nobody should be found to do
them, and nothing is said about how many of them are found.
"""

from __future__ import annotations

import re
from pathlib import Path

# motion → what it must be found as
MOTIONS = {
    **dict.fromkeys(("walk", "walk-left", "walk-right", "walk-turn-left", "walk-turn-right"), "walk"),
    **dict.fromkeys(("run", "dash"), "run"),
    "walk-back": "backward",
    "punch": "punch",
    "kick": "kick",
    **dict.fromkeys(("dance-long", "dance-short"), "dance"),
    **dict.fromkeys(("byebye", "wave-left-hand", "wave-right-hand"), "wave"),
    **dict.fromkeys(("bow", "bye", "guide", "call", "respond", "slash", "wave-both-hands"), "gesture"),
    **dict.fromkeys(("raise-up-both-hands", "raise-up-left-hand", "raise-up-right-hand"), "gesture"),
}
# what is right besides: of a motion, and of a kind
AS_WELL = dict.fromkeys(("walk-left", "walk-right"), frozenset({"sideways"}))
GESTURES = frozenset({"stand", "reach", "wave", "dance"})

USED = ("childish", "normal", "old", "proud")
OTHERS = (
    *("active", "angry", "chimpira", "elderly", "exhausted", "feminine", "giant", "happy", "masculine", "masculinity"),
    *("musical", "not-confident", "sad", "tired", "youthful"),
)
HELD = OTHERS[::2]
# clips of one motion in one style that count, the first by their names
MOST = 10


def said_by(name: str) -> tuple[str, frozenset[str], str]:
    """What a clip must be found as, what else is right, and its part: ``opened`` or ``held``.

    >>> said_by("dataset-1_walk-back_tired_001"), said_by("dataset-2_run_youthful_007")[2]
    (('backward', frozenset(), 'opened'), 'held')
    """
    row = re.fullmatch(r"dataset-\d_(?P<motion>[a-z-]+)_(?P<style>[a-z-]+)_\d+", name)
    if row is None or row["motion"] not in MOTIONS or row["style"] not in (*USED, *OTHERS):
        raise ValueError(f"{name} is not the name of a clip of Bandai Namco's")
    kind = MOTIONS[row["motion"]]
    right = GESTURES if kind == "gesture" else AS_WELL.get(row["motion"], frozenset())
    return kind, right, "held" if row["style"] in HELD else "opened"


def names_in(folder: Path) -> list[str]:
    """The names of the clips that count, of those in a folder."""
    taken: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("dataset-*.bvh")):
        taken.setdefault(file.stem.rsplit("_", 1)[0], []).append(file.stem)
    return [name for names in taken.values() for name in names[:MOST]]
