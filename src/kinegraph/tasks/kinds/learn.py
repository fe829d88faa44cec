"""`Learn`: the space of the strikes in takes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from kinegraph.errors import FormatError, KinegraphError, SpaceError
from kinegraph.motion.body import SIDES
from kinegraph.strikes.kinds import KINDS, kind_of
from kinegraph.strikes.placing import FORWARDS
from kinegraph.tasks.task import Task, register
from kinegraph.watch import Watch, Watcher
from kinegraph.wishes import check, wish

if TYPE_CHECKING:
    from kinegraph.formats.intake import Take
    from kinegraph.strikes.space import Space
    from kinegraph.strikes.table import StrikesFile


@register
@dataclass(frozen=True)
class Learn(Task):
    """Find the punches or kicks in takes, lay them on one another, and make a space of what lies between them.

    >>> import kinegraph as kg
    >>> takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    >>> Learn(kind="punch").run(takes)
    Space('right punch', 9 strikes of the right hand)
    """

    name = "learn"
    command = "space build"
    source = "clips"
    summary = "Find the punches or kicks in takes, lay them on one another, and save the space between them."

    kind: str | None = wish("What the strikes are; --strikes says it too.", default=None, choices=lambda: tuple(KINDS))
    side: str | None = wish("Hand or foot that strikes.", default=None, choices=SIDES, usual="the one that does")
    called: str = wish(
        "What to call the space.", default="", option="name", key="name", metavar="NAME", usual="such as 'right punch'"
    )
    strikes: Any = wish("Which frames are strikes, as corrected by hand.", default=None, form="file", metavar="F.toml")
    write_strikes: Any = wish(
        "Write which frames were found, to correct them by hand.", default=None, form="file", metavar="F.toml"
    )
    fps: float = wish("Frames per second of the space.", default=60.0, unit="frames/s", served=(10.0, 240.0))
    forward: str = wish(
        "What targets call ahead: where the ready pose faces, or where strikes go.", default="auto", choices=FORWARDS
    )
    mirrored: Any = wish("Further takes, of the other side, to be mirrored first.", default=(), form="takes")

    def __post_init__(self) -> None:
        if self.kind is not None:
            kind_of(self.kind)
        check(self, SpaceError)
        if self.write_strikes is not None:
            from pathlib import Path

            if Path(self.write_strikes).exists():
                raise FormatError(
                    "this file is there already, and may have been corrected by hand: read it with --strikes, or remove it first",
                    self.write_strikes,
                )

    def run(self, source: Any, watch: Watcher = None) -> Space:  # type: ignore[override]
        """The space of takes: motions, files, or folders of them."""
        from kinegraph.formats.intake import clips as take_in
        from kinegraph.graph.model import MIRRORED
        from kinegraph.strikes import table
        from kinegraph.strikes.builder import build

        watch = Watch.of(watch)
        given = table.read(self.strikes) if isinstance(self.strikes, str | PathLike) else self.strikes
        kind, side = self._what(given)
        plain, turned = take_in(source, watch=watch).takes, take_in(self.mirrored, watch=watch).takes
        other = [replace(take, motion=take.motion.renamed(f"{take.name}{MIRRORED}")) for take in turned]
        try:
            space = build(
                plain,
                kind,
                side,  # type: ignore[arg-type]  # checked
                strikes=None if given is None else given.strikes,
                fps=self.fps,
                forward=self.forward,  # type: ignore[arg-type]  # checked
                name=self.called,
                mirrored=other,
                watch=watch,
            )
        except SpaceError as error:
            if self.write_strikes is None or given is not None or not self._rescued(plain, other, kind, side):
                raise
            told = f"{self.write_strikes} holds the strikes that were found: correct them, then build with --strikes {self.write_strikes}"
            raise SpaceError(f"{error} ({told})") from error
        if self.write_strikes is not None:
            examples = space.examples
            left = tuple(one.strike for one in space.unused if one.strike is not None)
            skipped = (*(given.skipped if given else ()), *left)
            found = table.StrikesFile(examples.kind, examples.side, examples.strikes, skipped)
            table.write(self.write_strikes, found, space.notices)
        return space

    def _what(self, given: StrikesFile | None) -> tuple[str, str | None]:
        """What the strikes are and which side they are of, by the wishes and by the file, which may not contradict each other."""
        if given is None:
            if self.kind is None:
                raise SpaceError(f"say what the strikes are: {' or '.join(f'--kind {each}' for each in KINDS)}")
            return self.kind, self.side
        for option, said, written in (("--kind", self.kind, given.kind), ("--side", self.side, given.side)):
            if said is not None and said != written:
                raise SpaceError(
                    f"{option} {said} contradicts {self.strikes}, which says {written}: leave one of them out or mend it"
                )
        return given.kind, given.side

    def _rescued(self, plain: Sequence[Take], other: Sequence[Take], kind: str, side: str | None) -> bool:
        """Where no space comes of them, the strikes that were found are written all the same: they may be what is to be corrected."""
        from kinegraph.motion import mirror
        from kinegraph.strikes import table
        from kinegraph.strikes.finder import find

        found = []
        for motion in [*(take.motion for take in plain), *(mirror(take.motion) for take in other)]:
            with suppress(KinegraphError):
                found.append(find(motion, kind, side))  # type: ignore[arg-type]  # checked
        if not found or len({each.side for each in found}) > 1:
            return False
        strikes = tuple(strike for each in found for strike in each.strikes)
        notices = [sentence for each in found for sentence in each.notices]
        table.write(self.write_strikes, table.StrikesFile(kind, found[0].side, strikes), notices)
        return True
