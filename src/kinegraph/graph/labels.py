"""Labels that people give: by a clip's name, or in a TOML file; and how they go together with the automatic ones.

The file has a table for each clip, or for all clips that a pattern matches; times are seconds, ``from`` and ``to`` may be left out::

    ["16_15"]
    labels = ["walk"]                                  # the whole clip

    ["16_*"]
    spans = [{label = "careful", from = 0.5, to = 2.0}]

The rule. The file is believed over the name, and the name over what was found automatically: on frames for which one
of them says what the body does, what the next ones say is dropped. Turns (labels that begin with turn or veer),
backward and sideways lie over what the body does and drop nothing but the same. A name speaks for the whole clip; but
one with several gaits ("run_stop") does not say when each is done, nor does a turn in a name: there the automatic
spans stay, and only words that were not found automatically label the whole clip. A mirrored copy has left and right
exchanged.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from kinegraph import notes
from kinegraph.arrays import Bools
from kinegraph.errors import FormatError
from kinegraph.formats import trees
from kinegraph.graph.model import LabelSpan
from kinegraph.motion.spans import spans

WORDS = frozenset((
    "balance", "bend", "carry", "catch", "climb", "crawl", "crouch", "dance", "dive", "duck", "fall", "hop", "idle",
    "jog", "jump", "kick", "kneel", "leap", "lift", "limp", "lunge", "march", "pull", "punch", "push", "reach",
    "roll", "run", "shuffle", "sit", "skip", "sneak", "spin", "sprint", "squat", "stagger", "stand", "start", "step",
    "stop", "stretch", "strike", "stumble", "sweep", "swim", "throw", "turn", "veer", "wait", "walk", "wave",
))  # fmt: skip
"""The words of motion that `from_name` knows."""

_TURNS = ("turn", "veer")
_WAYS = ("backward", "sideways")
_SIDES = {"left": "right", "right": "left"}
_LABEL = re.compile(r"[a-z0-9_-]{1,40}")
_EXAMPLE = 'such as spans = [{label = "walk", from = 0.0, to = 2.5}], in seconds'


@dataclass(frozen=True)
class TimedLabel:
    """``label`` holds from ``start`` to ``end`` in seconds; None is the clip's end."""

    label: str
    start: float = 0.0
    end: float | None = None


@dataclass(frozen=True)
class Labels:
    """What a file says of the labels of clips."""

    path: Path
    tables: Mapping[str, tuple[TimedLabel, ...]]
    """Name or pattern of clips → their labels, in the file's order."""

    def of(self, name: str) -> list[TimedLabel]:
        """Everything that is said about the clip of that name."""
        return [label for pattern, said in self.tables.items() if _matches(name, pattern) for label in said]

    def notices(self, names: Iterable[str]) -> tuple[str, ...]:
        """A sentence for each table that fits none of the clips ``names``."""
        known = list(names)
        return tuple(
            notes.NOBODY.say(file=self.path, name=repr(pattern))
            for pattern in self.tables
            if not any(_matches(name, pattern) for name in known)
        )


def from_name(name: str) -> tuple[str, ...]:
    """The words of motion in a clip's name, in its order; a turn takes the side beside it. Other words and numbers say nothing.

    >>> from_name("walk_16_15"), from_name("run_veer_left_16_38"), from_name("RunningLeftTurn"), from_name("16_15")
    (('walk',), ('run', 'veer_left'), ('run', 'turn_left'), ())
    """
    tokens = [stem(token.lower()) for token in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    found: list[str] = []
    for index, token in enumerate(tokens):
        if token in _TURNS:
            beside = tokens[index + 1 : index + 2] + tokens[max(index - 1, 0) : index]
            found.append("_".join([token, *[side for side in beside if side in _SIDES][:1]]))
        elif token in WORDS:
            found.append(token)
    return tuple(dict.fromkeys(found))


def read(path: str | PathLike[str]) -> Labels:
    """The labels of a TOML file; a `FormatError` says what in it cannot be understood."""
    path = Path(path)
    try:
        content = trees.toml(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"this is no TOML file: {error}", path) from error
    return Labels(path, {name: _table(path, name, table) for name, table in content.items()})


def spans_for(
    name: str,
    frames: int,
    fps: float,
    mirrored: bool = False,
    labels_file: Labels | None = None,
    automatic: Iterable[LabelSpan] = (),
) -> tuple[LabelSpan, ...]:
    """All labels of a clip, by the rule above, in order of time.

    name: as in the file, also of a mirrored copy. frames, fps: of the clip as the graph has it. automatic: what was found in
    this very clip, so that of a mirrored copy it is not exchanged again. A label of the file that begins after the clip's end
    is a `FormatError`; one that overhangs it is cut.
    """
    by_file = _held(_timed_spans(name, frames, fps, labels_file) if labels_file else (), frames, mirrored)
    known = list(automatic)
    by_motion = _held(known, frames)
    words = from_name(name)
    several = sum(not lies_over(word) for word in words) > 1
    whole = [LabelSpan(word, 0, frames) for word in words]
    by_name = _held(whole, frames, mirrored)
    for label in [label for label in by_name if label in by_motion and (several or lies_over(label))]:
        del by_name[label]

    found: list[LabelSpan] = []
    nowhere = np.zeros(frames, np.bool_)
    turned: dict[str, Bools] = {}
    doing = nowhere
    for origin, layer in (("file", by_file), ("name", by_name), ("auto", by_motion)):
        sure = known if origin == "auto" else ()
        for label, held in layer.items():
            free = held & ~(turned.get(label, nowhere) if lies_over(label) else doing)
            found += [
                LabelSpan(label, first, last, origin, _confidence(label, first, last, sure))
                for first, last in spans(free)
            ]
        for label, held in layer.items():
            if lies_over(label):
                turned[label] = turned.get(label, nowhere) | held
            elif not (origin == "name" and several):
                doing = doing | held
    return tuple(sorted(found, key=lambda span: (span.first, span.last, span.label)))


def mirrored_label(label: str) -> str:
    """The label with left and right exchanged.

    >>> mirrored_label("turn_left"), mirrored_label("walk")
    ('turn_right', 'walk')
    """
    return "".join(_SIDES.get(part, part) for part in re.split(r"([_-])", label))


def _matches(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)


def lies_over(label: str) -> bool:
    """Whether a label says how a body goes, and not what it does: it lies over what it does."""
    return label.startswith(_TURNS) or label in _WAYS


def stem(token: str) -> str:
    """The word of motion of which ``token`` is a form in -ing, -s or -es, or the token itself."""
    forms = [token, token.removesuffix("s"), token.removesuffix("es")]
    if token.endswith("ing"):
        bare = token[:-3]
        forms += [bare, bare + "e", bare[:-1] if bare[-1:] == bare[-2:-1] else bare]
    return next((form for form in forms if form in WORDS), token)


def _held(given: Iterable[LabelSpan], frames: int, mirrored: bool = False) -> dict[str, Bools]:
    """Label → the frames ``(F,)`` that bear it."""
    held: dict[str, Bools] = {}
    for span in given:
        label = mirrored_label(span.label) if mirrored else span.label
        held.setdefault(label, np.zeros(frames, np.bool_))[span.first : span.last] = True
    return held


def _confidence(label: str, first: int, last: int, found: Iterable[LabelSpan]) -> float:
    """How sure a label is on some frames: as sure as those that were ``found`` there, and 1 where nothing was."""
    shares = [(min(last, span.last) - max(first, span.first), span.confidence) for span in found if span.label == label]
    frames = sum(share for share, _ in shares if share > 0)
    return round(sum(share * sure for share, sure in shares if share > 0) / frames, 2) if frames else 1.0


def _timed_spans(name: str, frames: int, fps: float, labels: Labels) -> list[LabelSpan]:
    found: list[LabelSpan] = []
    for said in labels.of(name):
        if said.start >= frames / fps:
            raise FormatError(
                f"clip {name!r}: {said.label!r} begins at {said.start:g} s, but the clip lasts {frames / fps:.2f} s; "
                "times are seconds from the clip's first frame",
                labels.path,
            )
        first = min(round(said.start * fps), frames - 1)
        last = frames if said.end is None else min(round(said.end * fps), frames)
        # what is shorter than a frame still has one
        found.append(LabelSpan(said.label, first, max(last, first + 1), "file"))
    return found


def _table(path: Path, name: str, table: Any) -> tuple[TimedLabel, ...]:
    if not isinstance(table, dict):
        raise FormatError(f'{name!r} is no table: expected a table for each clip, such as ["{name}"]', path)
    where = f"clip {name!r}"
    _check_keys(path, where, table, ("labels", "spans"), "a clip's name with dots in it is to be quoted")
    whole, timed = table.get("labels", []), table.get("spans", [])
    if not isinstance(whole, list):
        raise FormatError(f'{where}: labels must be a list of words, such as labels = ["walk"], got {whole!r}', path)
    if not isinstance(timed, list) or not all(isinstance(span, dict) for span in timed):
        raise FormatError(f"{where}: spans must be a list of tables, {_EXAMPLE}, got {timed!r}", path)
    return (
        *(TimedLabel(_label(path, where, label)) for label in whole),
        *(_span(path, where, span) for span in timed),
    )


def _span(path: Path, where: str, span: dict[str, Any]) -> TimedLabel:
    _check_keys(path, where, span, ("label", "from", "to"), "times are seconds")
    if "label" not in span:
        raise FormatError(f"{where}: the span {span!r} has no label; expected spans {_EXAMPLE}", path)
    label = _label(path, where, span["label"])
    start = _seconds(path, where, label, "from", span.get("from", 0.0))
    end = _seconds(path, where, label, "to", span["to"]) if "to" in span else None
    if end is not None and end <= start:
        raise FormatError(
            f"{where}: {label!r} ends at {end:g} s, not after its beginning at {start:g} s; exchange from and to", path
        )
    return TimedLabel(label, start, end)


def _check_keys(path: Path, where: str, table: Mapping[str, Any], known: tuple[str, ...], hint: str) -> None:
    for key in table:
        if key not in known:
            raise FormatError(f"{where}: unknown key {key!r}; expected {', '.join(known)} ({hint})", path)


def _label(path: Path, where: str, label: Any) -> str:
    if not isinstance(label, str) or not _LABEL.fullmatch(label):
        raise FormatError(
            f"{where}: {label!r} is no label; use up to 40 small letters, digits, underscores and hyphens, in quotes",
            path,
        )
    return label


def _seconds(path: Path, where: str, label: str, key: str, value: Any) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0:
        raise FormatError(f"{where}: {key} of {label!r} must be seconds, 0 or more, got {value!r}", path)
    return float(value)
