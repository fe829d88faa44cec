"""Words in which the names of clips differ, as labels: of ``walk_happy_01`` and ``walk_sad_01``, happy and sad.

People write into names what clips are about: a style, a mood, a height. Words of motion are known (`labels.from_name`); of
all others a word is taken if some clips of a build have it and some have not, since only then it tells them apart. It
lies over the whole clip and drops no other label. Not taken are numbers, words that touch numbers on their left, words of fewer
than three letters or without a vowel, the sides, words that files of all kinds have in their names (take, final, export …),
and those that are found in the motion itself, which knows when they hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kinegraph.graph.labels import WORDS, stem
from kinegraph.graph.model import MIRRORED, Clip, LabelSpan

STYLE = "style"
"""The origin of labels that a name gives in this way."""

_NOISE = frozenset((
    "action", "actor", "and", "anim", "animation", "animations", "body", "bvh", "cam", "camera", "capture",
    "captured", "char", "character", "clean", "cleaned", "clip", "clips", "copy", "cut", "data", "dataset", "day",
    "done", "edit", "edited", "eight", "export", "exported", "fbx", "file", "final", "finals", "five", "fix",
    "fixed", "for", "four", "frame", "frames", "from", "glb", "gltf", "import", "into", "left", "loop", "maya",
    "mirror", "mirrored", "mixamo", "mocap", "motion", "motions", "new", "nine", "one", "orig", "original", "part",
    "performer", "person", "pose", "raw", "rec", "recording", "retarget", "retargeted", "rev", "rig", "right",
    "sample", "scene", "seq", "sequence", "session", "set", "seven", "shot", "six", "skeleton", "skin", "subject",
    "take", "takes", "temp", "ten", "test", "the", "three", "tpose", "trial", "two", "unity", "unnamed", "unreal",
    "untitled", "usd", "use", "version", "with",
))  # fmt: skip
# of how many words at most labels are made, and how long one may be
_MOST, _LONGEST = 60, 40
_PIECE = re.compile(r"([A-Za-z]+)[0-9]*")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def style_words(names: Iterable[str], found: Iterable[str] = ()) -> dict[str, tuple[str, ...]]:
    """Name → the words in it that tell the names apart, in their order. found: words that are found in the motion itself.

    >>> style_words(["dataset-1_walk_happy_001", "dataset-1_walk_sad_002", "dataset-1_run_sad_final"])
    {'dataset-1_walk_happy_001': ('happy',), 'dataset-1_walk_sad_002': ('sad',), 'dataset-1_run_sad_final': ('sad',)}
    >>> style_words(["16_15", "run_left_90d_16_41"])
    {'16_15': (), 'run_left_90d_16_41': ()}
    """
    known = frozenset(found)
    words = {
        name: [word for word in _words(name) if word not in known and word.rstrip("s") not in known] for name in names
    }
    count = Counter(word for each in words.values() for word in each)
    telling = [word for word, clips in count.most_common() if clips < len(words)][:_MOST]
    return {name: tuple(word for word in each if word in telling) for name, each in words.items()}


def styled(clips: Sequence[Clip]) -> list[Clip]:
    """The clips with the labels that `style_words` finds in their names, in place of those that they had so far: a clip that
    is added can change what tells the others apart.
    """
    plain = [replace(clip, spans=tuple(span for span in clip.spans if span.origin != STYLE)) for clip in clips]
    automatic = {span.label for clip in plain for span in clip.spans if span.origin == "auto"}
    words = style_words(dict.fromkeys(map(_name, plain)), automatic)
    return [replace(clip, spans=_with(clip, words)) for clip in plain]


def styles(clips: Iterable[Clip]) -> dict[str, int]:
    """Label that clips have by the words of their names → how many clips have it, mirrored copies aside; the commonest first."""
    count = Counter(
        span.label for clip in clips if not clip.source.mirrored for span in clip.spans if span.origin == STYLE
    )
    return dict(count.most_common())


def _words(name: str) -> list[str]:
    """The words of a name that could say what a clip is about, each once."""
    pieces = [_PIECE.fullmatch(piece) for piece in re.split(r"[^A-Za-z0-9]+", name)]
    words = [word.lower() for piece in pieces if piece is not None for word in _WORD.findall(piece[1])]
    able = [word for word in dict.fromkeys(words) if 3 <= len(word) <= _LONGEST and re.search("[aeiouy]", word)]
    return [word for word in able if word not in _NOISE and stem(word) not in WORDS]


def _name(clip: Clip) -> str:
    return clip.name.removesuffix(MIRRORED) if clip.source.mirrored else clip.name


def _with(clip: Clip, words: Mapping[str, tuple[str, ...]]) -> tuple[LabelSpan, ...]:
    has = {span.label for span in clip.spans}
    more = [LabelSpan(word, 0, len(clip), STYLE) for word in words[_name(clip)] if word not in has]
    return tuple(sorted([*clip.spans, *more], key=lambda span: (span.first, span.last, span.label)))
