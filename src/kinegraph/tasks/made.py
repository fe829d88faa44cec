"""`Made`: what comes of any task that makes motion."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import numpy as np

from kinegraph.arrays import Array, Bools, Ints
from kinegraph.feet.plants import Plant
from kinegraph.feet.slide import Slides
from kinegraph.formats.atomic import replacing
from kinegraph.formats.format import of_suffix
from kinegraph.formats.registry import save
from kinegraph.frozen import Frozen
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans
from kinegraph.notes import folded
from kinegraph.paths.bspline import Spline
from kinegraph.paths.path import Path
from kinegraph.tasks.task import Task

if TYPE_CHECKING:
    from kinegraph.characters import Character

ONE_LENGTH = "an AMC's bones have one length: the feet are cleaned without changing that of the legs"
"""What to say where a format holds no legs that change."""


# By what share legs may differ before the size of a path is worth a word.
_SAME_LEGS = 0.03


@dataclass(frozen=True)
class TransitionSpan:
    """Frames ``first`` … ``first + length − 1`` of a motion blend two clips."""

    first: int
    length: int
    cost: float
    """Distance of the two clips there, in metres."""
    source: str
    """The clip that it leaves."""
    target: str
    """The clip that it arrives at."""
    at: str = ""
    """Which transition of a graph it is, ``clip:frame>clip:frame``, as `avoid` takes it; nothing where it is none."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        cost = round(100 * self.cost, 4)
        told = {"first": self.first, "length": self.length, "cost_cm": cost, "from": self.source, "to": self.target}
        return told | ({"at": self.at} if self.at else {})


@dataclass(frozen=True, eq=False)
class Provenance(Frozen):
    """Where every frame came from; in a transition, from the clip that weighs more."""

    clips: tuple[str, ...]
    """Names of the clips that were used."""
    clip: Ints
    """``(F,)``: which of them."""
    frame: Ints
    """``(F,)``: which frame of it."""
    labels: Mapping[str, Bools]
    """Label → the frames ``(F,)`` that bear it."""
    other: Ints | None = None
    """``(F,)``: in a transition, which clip is blended with it, −1 elsewhere; None where that is not known."""
    other_frame: Ints | None = None
    """``(F,)``: which frame of that."""
    weight: Array | None = None
    """``(F,)``: how much the clip that weighs more weighs at the root; 1 outside transitions."""
    terms: tuple[str, ...] = ()
    """What the clips' folders say of licence and credit, and of which clips: a sentence each."""

    def save(self, file: str | PathLike[str]) -> None:
        """Write where every frame came from to an .npz file: clips, clip, frame, other, other_frame, weight, as here; and labels with
        ``borne (L, F)``.
        """
        blended: dict[str, Any] = {
            name: value
            for name, value in (("other", self.other), ("other_frame", self.other_frame), ("weight", self.weight))
            if value is not None
        }
        borne = np.array(list(self.labels.values()), bool).reshape(len(self.labels), len(self.clip))
        with replacing(file) as target, target.open("wb") as out:
            np.savez_compressed(
                out,
                clips=np.array(self.clips, np.str_),
                clip=self.clip,
                frame=self.frame,
                labels=np.array(list(self.labels), np.str_),
                borne=borne,
                terms=np.array(self.terms, np.str_),
                **blended,
            )

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it, by stretches of frames, each told by its first and by that after its last.

        clip_spans: clip, first, last, and which frame of the clip the first is. label_spans: label, first, last.
        """
        begins = np.flatnonzero(np.append(True, (np.diff(self.clip) != 0) | (np.diff(self.frame) != 1)))
        ends = np.append(begins[1:], len(self.clip))
        clips = [
            [self.clips[self.clip[first]], first, last, int(self.frame[first])]
            for first, last in zip(begins.tolist(), ends.tolist(), strict=True)
        ]
        labels = [[label, *span] for label, borne in self.labels.items() for span in spans(borne)]
        told = {"terms": list(self.terms)} if self.terms else {}
        return {"clip_spans": clips, "label_spans": sorted(labels, key=lambda one: (one[1], one[0])), **told}


@dataclass(frozen=True, eq=False, repr=False)
class Made(Frozen):
    """A motion that was asked for, and all that is known of it.

    >>> import kinegraph as kg
    >>> made = kg.repath(kg.samples.make("walk").motion, "circle:2", cycle=True)
    >>> made
    Made(repath 'walk on circle:2': 10.1 s, 39 plants, 3 transitions)
    >>> made.reached, made.quality["deviation_cm"]["max"]
    (True, 0.0)
    """

    task: Task
    """What was asked for."""
    title: str
    """What to call it, for people."""
    motion: Motion
    contacts: Bools | None = None
    """``(F, 4)``: when left heel, left ball, right heel and right ball stand; None where the body's legs are not known."""
    plants: tuple[Plant, ...] = ()
    """Every time that a heel or ball stands."""
    slides: Slides | None = None
    """How far feet stray wherever they are seen to stand in the motion."""
    transitions: tuple[TransitionSpan, ...] = ()
    path: Path | Spline | None = None
    """The path that was to be followed."""
    notices: tuple[str, ...] = ()
    """What the user should know."""
    reached: bool = True
    """Whether it came where it was to come: to the end of the path, to the target."""
    short: str = ""
    """What to say where it did not."""
    provenance: Provenance | None = None
    cpu: float = 0.0
    """Seconds of CPU that finding it took."""
    per_frame: Mapping[str, Array] | None = None
    """Further figures of every frame ``(F,)``, by name: deviation_cm, altitude."""
    marks: Mapping[int, str] = field(default_factory=dict)
    """Frames that are worth a look, each with a word for it: the hit of a strike."""
    details: Any = None
    """What the method itself gave: a `Finished`, a `Repathed`, a `Struck` …"""

    def __repr__(self) -> str:
        plants = f", {len(self.plants)} plants" if self.plants else ""
        blends = f", {len(self.transitions)} transitions" if self.transitions else ""
        missed = "" if self.reached else ", not reached"
        return f"Made({self.task.name} {self.title!r}: {self.motion.seconds:.1f} s{plants}{blends}{missed})"

    def __str__(self) -> str:
        lines = []
        for heading, rows in self.task.tell(self):
            lines += [heading, *(f"  {what:<13} {sentence}" for what, sentence in rows)]
        lines += [f"⚠ {sentence}" for sentence in self.warnings]
        lines += [f"note: {sentence}" for sentence in folded(self.notices)]
        return "\n".join([*lines, *([self.short] if self.short else [])])

    def _repr_html_(self) -> str | None:
        return self.motion._repr_html_()  # notebooks play it

    @cached_property
    def quality(self) -> Mapping[str, Any]:
        """Its figures by name, as ``--json`` gives them."""
        return self.task.judge(self)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Where it is worse than what it was made of, or than what was asked for: a sentence each, with both figures."""
        return self.task.warn(self)

    def save(
        self,
        file: str | PathLike[str],
        *,
        character: Character | str | PathLike[str] | None = None,
        roles: Mapping[str, str] | None = None,
        **options: Any,
    ) -> Made:
        """Write the motion; options are those of `kinegraph.save`. What is written: the same, or what the format can hold of it.

        character: put it on this rigged mesh, or on that of this file, and write that with one more animation; roles: as for
        `kinegraph.characters.load`, options as for `kinegraph.characters.save`.
        """
        if character is not None:
            from kinegraph.characters import save as save_on
            from kinegraph.characters.saving import of

            hero, motion = of(character, roles), self.motion.renamed(FilePath(file).stem)
            known: dict[str, Any] = {"contacts": self.contacts, "floor": self.task.floor(), "marks": self.marks}
            return self.noting(*save_on(motion, hero, file, **known, **options), *self._at_other_size(hero))
        ready = self.ready_for(file)
        terms = () if self.provenance is None else self.provenance.terms
        save(ready.motion.renamed(FilePath(file).stem).noting(*terms), file, **options)
        if not terms:
            return ready
        # few formats hold such words, so that they stand beside the file, too
        beside = FilePath(file).with_name(f"{FilePath(file).name}.terms.txt")
        with replacing(beside) as target:
            target.write_text("".join(f"{line}\n" for line in terms), encoding="utf-8")
        return ready.noting(f"made from clips with terms of use: {beside.name} says which")

    def _at_other_size(self, hero: Character) -> list[str]:
        """What to say of a path that a character with other legs walks at another size."""
        from kinegraph.characters import core

        factor = core.of(hero).skeleton.leg_length / self.motion.rigid().skeleton.leg_length
        if self.path is None or abs(factor - 1.0) < _SAME_LEGS:
            return []
        longer = f"the legs of {hero.name} are {factor:.2f} times as long as the performer's"
        return [f"{longer}: it walks the path at {factor:.2f} of its size"]

    def ready_for(self, file: str | PathLike[str]) -> Made:
        """The same as a format can hold it, with a notice of what that changes."""
        suffix = FilePath(file).suffix.lower()
        longer = self.task.stretched(self) if self.motion.translations is not None else 0.0
        if not longer:
            return self
        format = of_suffix(suffix)
        if format is not None and format.rigid:
            return self.task.unstretched(self)
        channels = ", so that every joint has position channels in this BVH" if suffix == ".bvh" else ""
        return self.noting(f"legs change length by up to {100 * longer:.1f} % to keep planted feet in place{channels}")

    def plot(self, file: str | PathLike[str]) -> str:
        """Draw where it went, to a .png, .svg or .pdf; says what the picture shows."""
        return self.task.draw(self, file)

    def show(self) -> Any:
        """Play it: in a notebook where it stands, elsewhere as a page in the browser."""
        from kinegraph.player.page import write

        if "ipykernel" in sys.modules:
            return self.motion
        page = FilePath(tempfile.mkdtemp(prefix="kinegraph-")) / "made.html"
        write(self.motion, page)
        webbrowser.open(page.as_uri())
        return None

    def noting(self, *notices: str) -> Made:
        """The same with further notices."""
        return replace(self, notices=(*self.notices, *notices))

    def to_dict(self) -> dict[str, Any]:
        """What was asked and what came of it, and where every frame came from, ready for JSON."""
        short = [] if self.reached else [self.short]
        frames = {} if self.provenance is None else self.provenance.to_dict()
        told = {"warnings": list(self.warnings), "notices": [*self.notices, *short]}
        return {**self.task.echo(), **self.quality, **frames, **told}
