"""What all tasks that walk through a graph share: the walk as motion, and all that is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from kinegraph.blending import blends
from kinegraph.errors import GraphError, Unsatisfied
from kinegraph.feet.plants import Plant, footing
from kinegraph.feet.slide import Slides
from kinegraph.feet.sole import has_legs
from kinegraph.graph.expressions import is_expression
from kinegraph.graph.model import Clip, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.paths.moving import track_of
from kinegraph.paths.path import Path
from kinegraph.tasks.made import ONE_LENGTH, Made, Provenance, TransitionSpan
from kinegraph.tasks.task import Rows, Task
from kinegraph.watch import Watcher
from kinegraph.wishes import wish

if TYPE_CHECKING:
    from kinegraph.evaluation.quality.figures import Quality
    from kinegraph.plots.walked import LabelsAlong
    from kinegraph.walks.performing import Finished


# metres before and after a border of sections in which a change of labels is no cause for a warning
_CHANGE = 2.5


def blend_wish(default: str) -> Any:
    """How transitions are blended: the same wish for all, with another default."""
    return wish("How transitions are blended.", default=default, choices=blends, by_name=True)


class Walked(Task):
    """A walk through a graph, and all that is told of it."""

    source = "graph"

    @staticmethod
    def finished(made: Made) -> Finished:
        """The finished walk that a result holds."""
        found: Finished = made.details
        return found

    def made(
        self, finished: Finished, title: str, cpu: float, *, path: Path | None = None, notices: Sequence[str] = ()
    ) -> Made:
        """All that is known of a finished walk."""
        from kinegraph.walks import arrival

        motion, played = finished.motion, finished.performance
        graph = played.walk.graph
        legs = has_legs(graph.skeleton)
        plants, slid = _feet(finished, legs)
        off = None if path is None else arrival.short_of(motion, path)
        used, both = np.unique(np.concatenate([played.clip, played.other_clip]), return_inverse=True)
        # outside transitions there is no other, which comes first
        none = int(used[0] < 0)
        clip, other = (part.astype(np.int32) - none for part in np.split(both, 2))
        used = used[none:]
        labels = {name: frames for name, frames in played.labels(self.asked_labels).items() if frames.any()}
        names = tuple(graph.clips[number].name for number in used.tolist())
        return Made(
            self,
            title,
            motion,
            contacts=finished.contacts if legs else None,
            plants=plants,
            slides=slid,
            transitions=_transitions(finished),
            path=path,
            notices=tuple(notices),
            reached=off is None,
            short="" if off is None else arrival.told(off),
            provenance=Provenance(
                names,
                clip,
                played.frame,
                labels,
                other,
                played.other_frame,
                np.where(other < 0, 1.0, np.maximum(played.weight, 1.0 - played.weight)),
                terms_told([graph.clips[number] for number in used.tolist()]),
            ),
            cpu=cpu,
            per_frame=None if path is None else {"deviation_cm": 100 * path.track(track_of(motion))[0]},
            details=finished,
        )

    @property
    def asked_labels(self) -> tuple[str, ...]:
        """The labels that are asked for, each as it was said."""
        return ()

    def given_labels(self, made: Made) -> dict[str, float]:
        """What is asked of labels → the share of the frames that are so."""
        borne = {} if made.provenance is None else made.provenance.labels
        return {text: float(borne[text].mean()) if text in borne else 0.0 for text in self.asked_labels}

    def judge(self, made: Made) -> Mapping[str, Any]:
        """The figures of `kinegraph.evaluate`, and how much of the walk is as labels were asked for."""
        given = {text: round(share, 4) for text, share in self.given_labels(made).items()}
        return {**self.figures(made).to_dict(), "asked_labels": given}

    def tell(self, made: Made) -> Sequence[tuple[str, Rows]]:
        """The figures as sentences."""
        from kinegraph.evaluation.quality.text import rows

        # of a single label the figures tell already
        several = {text: share for text, share in self.given_labels(made).items() if is_expression(text)}
        given = ", ".join(f"{text} on {100 * share:.0f} % of the frames" for text, share in several.items())
        return [(made.title, [*rows(self.figures(made)), *([("asked for", given)] if given else [])])]

    def figures(self, made: Made) -> Quality:
        """How good the motion is."""
        return _figures(self.finished(made), made.path if isinstance(made.path, Path) else None, made.cpu or None)

    def warn(self, made: Made) -> tuple[str, ...]:
        """Where it is worse than its clips, or bears other labels than were asked for."""
        from kinegraph.evaluation.quality.warnings import warnings

        return (*warnings(self.figures(made)), *self.unlabelled(made))

    def unlabelled(self, made: Made) -> tuple[str, ...]:
        """What to say where frames lack the label that was asked for, for the whole walk or by metres along the path."""
        from kinegraph.evaluation.quality.warnings import missing_label

        borne = {} if made.provenance is None else made.provenance.labels
        label, sections = getattr(self, "label", None), getattr(self, "sections", ())
        path = made.path if isinstance(made.path, Path) else None
        along = None if path is None else path.track(track_of(made.motion))[1]
        moving = np.ones(len(made.motion), np.bool_)
        if along is not None:
            # who pauses does something else, on the way to it and from it too
            for pause in getattr(self, "pause", ()):
                moving &= np.abs(along - pause.at) > _CHANGE
        if label is not None:
            return missing_label(label, borne.get(label), moving)
        if path is None or along is None:
            return ()
        said: list[str] = []
        for part in sections:
            # about its borders a section may be anything: as far as is allowed, or else as changing over may take
            zone = getattr(self, "zone", None)
            room = min(_CHANGE if zone is None else zone, 0.4 * (min(part.last, path.length) - part.first))
            last = min(part.last, path.length)
            within = moving & (along >= part.first + room) & (along <= last - room)
            whole = (along >= part.first) & (along <= last)
            where = f"from {part.first:g} to {last:.3g} m"
            if missing_label(part.label, borne.get(part.label), within):
                said += missing_label(part.label, borne.get(part.label), whole, where)
        return tuple(said)

    def draw(self, made: Made, file: str | PathLike[str]) -> str:
        """The way from above."""
        from kinegraph.plots.walked import walked_picture

        spans = [(one.first, one.first + one.length) for one in made.transitions]
        path = made.path if isinstance(made.path, Path) else None
        walked_picture(
            made.motion,
            self.finished(made).contacts,
            file,
            path=path,
            transitions=spans,
            obstacles=getattr(self, "obstacles", ()),
            labels=self.labels_along(made),
            title=made.title,
        )
        return "the way from above, with its footprints"

    def labels_along(self, made: Made) -> LabelsAlong | None:
        """The labels along the path, asked and given, where any were asked for."""
        return None

    def stretched(self, made: Made) -> float:
        """By which part of their length legs change at most."""
        report = self.finished(made).feet
        return report.longer if report else 0.0


# by name alone, so that the tasks that walk put what they must be told before it
@dataclass(frozen=True, kw_only=True)
class Walking(Walked):
    """How a walk that was found becomes motion."""

    blend: str = blend_wish("anticipation")
    clean: bool = wish("Keep feet that stand from sliding.", default=True)

    def finish(
        self,
        walk: Walk,
        title: str,
        cpu: float,
        *,
        path: Path | None = None,
        onto: Path | None = None,
        watch: Watcher = None,
    ) -> Made:
        """The walk as motion. cpu: seconds that finding it took. path: what it was to follow. onto: what it is bent onto."""
        from kinegraph.feet.giving import told
        from kinegraph.walks.performing import NO_LEGS, perform

        legs = has_legs(walk.graph.skeleton)
        finished = perform(walk, blend=self.blend, onto=onto, feet=self.clean and legs, watch=watch)
        notices = [NO_LEGS] if self.clean and not legs else []
        if finished.feet is not None:
            notices += told(finished.feet.eased, finished.motion.fps)
        return self.made(finished, title, cpu, path=path, notices=notices)

    def unstretched(self, made: Made) -> Made:
        """The same with legs of one length."""
        from kinegraph.walks.performing import perform

        done = self.finished(made)
        finished = perform(done.performance.walk, blend=self.blend, onto=done.onto, stretch=0.0)
        path = made.path if isinstance(made.path, Path) else None
        return self.made(finished, made.title, made.cpu, path=path, notices=made.notices).noting(ONE_LENGTH)


# figures, sentences and warnings are told of the same walk
@lru_cache(maxsize=2)
def _figures(finished: Finished, path: Path | None, cpu: float | None) -> Quality:
    from kinegraph.evaluation.quality.figures import evaluate

    return evaluate(finished.motion, path=path, finished=finished, cpu=cpu)


def as_graph(given: MotionGraph | str | PathLike[str]) -> MotionGraph:
    """A graph as people have it in hand: one already, or the file that holds it."""
    if isinstance(given, MotionGraph):
        return given
    from kinegraph.graph.store.files import load

    return load(given)


@contextmanager
def searching() -> Iterator[None]:
    """What is asked for was understood: where a search cannot give it all the same, that is `Unsatisfied`."""
    try:
        yield
    except Unsatisfied:
        raise
    except GraphError as error:
        raise Unsatisfied(str(error)) from error


def _feet(finished: Finished, legs: bool) -> tuple[tuple[Plant, ...], Slides | None]:
    """Where feet stand: what cleaning has held, else as the contacts tell it. And how far they slide, where they are seen to stand."""
    from kinegraph.evaluation.skating import look

    if not legs:
        return (), None
    stood = footing(finished.motion, finished.contacts).plants if finished.feet is None else finished.feet.plants
    seen = look(finished.motion)
    return stood, None if seen is None else seen.slides


def terms_told(clips: Sequence[Clip]) -> tuple[str, ...]:
    """What the folders of some clips say of licence and credit: a sentence for each of them."""
    said: dict[tuple[str, str], list[str]] = {}
    for clip in clips:
        if clip.source.licence or clip.source.credit:
            said.setdefault((clip.source.credit, clip.source.licence), []).append(clip.name)
    return tuple(
        f"{', '.join(names)}: {'; '.join(filter(None, (credit, licence and f'licence: {licence}')))}"
        for (credit, licence), names in said.items()
    )


def _transitions(finished: Finished) -> tuple[TransitionSpan, ...]:
    from kinegraph.walks.avoiding import named

    graph = finished.performance.walk.graph

    def clip(nodes: Any, edge: int) -> str:
        name: str = graph.clips[graph.node_clip[nodes[edge]]].name
        return name

    return tuple(
        TransitionSpan(
            one.first,
            one.length,
            one.cost,
            clip(graph.edges.source, one.edge),
            clip(graph.edges.target, one.edge),
            named(graph, one.edge),
        )
        for one in finished.performance.transitions
    )
