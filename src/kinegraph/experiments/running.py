"""Experiments run one after another. One that lacks its clips is told, and the others go on."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from kinegraph.errors import KinegraphError
from kinegraph.experiments import page
from kinegraph.experiments.clips import AbsentClipError, Clips
from kinegraph.experiments.experiment import EXPERIMENTS, Experiment, Outcome
from kinegraph.formats.atomic import made_folder
from kinegraph.watch import Watch, Watcher


@dataclass(frozen=True)
class Repeated:
    """An experiment that was run."""

    experiment: Experiment
    outcome: Outcome | None
    """None where a clip was absent."""
    absent: str
    """Then, which one."""
    clips: tuple[str, ...]
    """Those that it was repeated on."""
    seconds: float
    """How long it took, pictures included."""
    pictures: tuple[tuple[str, str], ...] = ()
    """Files, relative to the page, and what they show."""

    def row(self, what: str) -> list[str]:
        """A published figure and ours, or ours alone: one for each column."""
        assert self.outcome is not None
        said = self.outcome.ours.get(what, "")
        ours = [said] * len(self.outcome.columns) if isinstance(said, str) else list(said)
        return [self.experiment.published.get(what, "–"), *ours]

    @property
    def rows(self) -> list[list[str]]:
        """What, published, ours: first what was published, then what was not."""
        if self.outcome is None:
            return [[what, theirs] for what, theirs in self.experiment.published.items()]
        every = dict.fromkeys((*self.experiment.published, *self.outcome.ours))
        return [[what, *self.row(what)] for what in every]


def chosen(names: Iterable[str]) -> list[Experiment]:
    """The experiments of these names, or all of them where there are none.

    A name may be the beginning of several: ``dirican`` gives all of Dirican's.
    """
    wanted = list(names)
    found: dict[str, Experiment] = {}
    for name in wanted or list(EXPERIMENTS):
        matching = [one for one in EXPERIMENTS if one == name] or [one for one in EXPERIMENTS if one.startswith(name)]
        if not matching:
            raise KinegraphError(
                f"there is no experiment called {name!r}: `kinegraph experiments --list` names them all"
            )
        found |= {one: EXPERIMENTS[one] for one in matching}
    return [found[name] for name in EXPERIMENTS if name in found]


def repeat(
    names: Sequence[str] | str = (),
    *,
    clips: str | PathLike[str] = ".",
    out: str | PathLike[str] | None = None,
    watch: Watcher = None,
) -> list[Repeated]:
    """Run experiments by name, or all of them.

    clips: a folder of CMU clips, see `Clips`. out: a folder for the page ``experiments.md`` and its pictures. watch: told, as the stage
    of its name, of each experiment.

    >>> import kinegraph as kg
    >>> [weights] = kg.experiments.repeat("dirican-weights")     # needs no clips
    >>> weights.row("anticipation, C = 2, at half of the time")
    ['quick', '0.866']
    """
    watch = Watch.of(watch)
    asked = chosen([names] if isinstance(names, str) else names)
    folder = None if out is None else made_folder(Path(out))
    done = []
    for number, one in enumerate(asked):
        watch.tell(one.name, number, len(asked))
        done.append(_run(one, Clips(Path(clips)), folder, watch))
    watch.tell("done", len(asked), len(asked))
    if folder is not None:
        page.write(done, folder / page.NAME)
    return done


def _run(one: Experiment, clips: Clips, folder: Path | None, watch: Watch) -> Repeated:
    begun = time.perf_counter()
    try:
        outcome = one.run(clips, watch)
    except AbsentClipError as error:
        return Repeated(one, None, str(error.path), tuple(clips.used), time.perf_counter() - begun)
    pictures = []
    if folder is not None:
        made_folder(folder / page.IMAGES)
        for picture in outcome.pictures:
            file = Path(page.IMAGES, f"{one.name}-{picture.name}.png")
            picture.save(folder / file)
            page.shrink(folder / file)
            pictures.append((file.as_posix(), picture.caption))
    return Repeated(one, outcome, "", tuple(clips.used), time.perf_counter() - begun, tuple(pictures))
