"""From takes to a `Space`: strikes are found (or given), cut out, and aligned with each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from kinegraph import notes
from kinegraph.errors import FewStrikesError, SpaceError
from kinegraph.formats.intake import Given, clips
from kinegraph.motion.clip import Motion
from kinegraph.motion.mirroring import mirror
from kinegraph.motion.retargeting import retarget_all
from kinegraph.strikes.blend import checked_rate
from kinegraph.strikes.finder import Found, find
from kinegraph.strikes.kinds import KINDS, kind_of
from kinegraph.strikes.placing import Forward, check_forward
from kinegraph.strikes.registered import Cut, cuts, paced, registered
from kinegraph.strikes.rounding import rounded
from kinegraph.strikes.space import FEWEST, Space, too_few
from kinegraph.strikes.strike import (
    SIDES,
    CapturedStrike,
    Side,
    Unused,
    at_frame,
    check_side,
    end_role,
    limb_name,
    other,
    top_role,
)
from kinegraph.watch import Watch, Watcher

RATE = 60.0
# Takes without strikes, beyond which they are named and no more is said of each.
_SEVERAL = 2


def build(
    takes: Given | Iterable[Given],
    kind: str,
    side: Side | None = None,
    *,
    strikes: Sequence[CapturedStrike] | None = None,
    fps: float = RATE,
    forward: Forward = "auto",
    name: str = "",
    mirrored: Given | Iterable[Given] = (),
    watch: Watcher = None,
) -> Space:
    """The space of the strikes in ``takes``: motions, files or folders of them.

    Its notices say what was left out, mirrored or retargeted; `Space.unused` lists the strikes that were. Too few strikes for a space,
    or strikes that all hit along one line, are a `FewStrikesError`.

    - side: of the striking hand or foot; by default the one that strikes more often in the first take
    - strikes: which frames to use, for example corrected by hand; by default they are found
    - mirrored: further takes, thrown with the other side, whose left and right are exchanged first
    - forward: which direction targets call ahead, see `placing.placed`
    - fps: the rate at which the strikes are kept
    - watch: told of the stages "read", "finding strikes" and "laying strikes on one another"

    >>> import kinegraph as kg
    >>> takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("kick")]
    >>> kg.strikes.build(takes, "kick", name="front kicks")
    Space('front kicks', 8 strikes of the right foot)
    """
    watch = Watch.of(watch)
    kind = kind_of(kind).name
    forward = check_forward(forward)
    side = None if side is None else check_side(side)
    checked_rate(fps)
    plain, turned = clips(takes, watch=watch), clips(mirrored, watch=watch)
    names = [take.motion.name for take in (*plain.takes, *turned.takes)]
    if not names:
        raise SpaceError("no take was given: a space is made from one or more takes of strikes")
    for name_of in names:
        if names.count(name_of) > 1:
            raise SpaceError(
                f"two takes are called {name_of!r}: a strike says by the name which one it is of; rename one, or leave it out"
            )
    motions, retargeted = _on_one_body([take.motion for take in plain.takes], [take.motion for take in turned.takes])
    notices = [*plain.repeated, *turned.repeated, *retargeted]
    if strikes is None:
        found = _found(motions, kind, side, watch)
        side, given = found.side, found.strikes
        notices.extend(found.notices)
        unused = list(found.unused)
    else:
        _check_given(motions, strikes)
        if side is None:
            raise SpaceError("strikes that are given need the side they are thrown with: left or right")
        given, unused = tuple(strikes), []
    watch.tell("laying strikes on one another", 0, 1)
    cut: list[Cut] = []
    misfits: list[tuple[CapturedStrike, str]] = []
    for motion in motions:
        some, brief = cuts(motion, [strike for strike in given if strike.clip == motion.name], fps)
        cut.extend(some)
        misfits.extend(brief)
    if cut:
        cut, differing = paced(cut)
        misfits.extend(differing)
    rates = {motion.name: motion.fps for motion in motions}
    for strike, why in misfits:
        unused.append(Unused(strike.clip, kind, side, strike.hit, strike.hit / rates[strike.clip], why, strike))
        notices.append(str(unused[-1]))
    if strikes is not None and cut:
        notices.extend(_doubts(cut, kind, side))
    space = _space(cut, kind, side, forward, name, notices, unused, rates)
    watch.tell("laying strikes on one another", 1, 1)
    return space


def _space(
    cut: Sequence[Cut],
    kind: str,
    side: Side,
    forward: Forward,
    name: str,
    notices: Sequence[str],
    unused: Sequence[Unused],
    rates: Mapping[str, float],
) -> Space:
    """The space of cut strikes; where they make none, a `FewStrikesError` names them and all that are left out."""
    try:
        if len(cut) < FEWEST:
            raise FewStrikesError(too_few(len(cut)))
        examples = rounded(registered(cut, kind, side, forward))
        return Space(name or f"{side} {kind}", examples, tuple(notices), tuple(unused))
    except FewStrikesError as error:
        used = ", ".join(
            f"{one.strike.clip} at {at_frame(one.strike.hit, one.strike.hit / rates[one.strike.clip])}" for one in cut
        )
        told = [str(error), *([f"usable with the {limb_name(kind, side)}: {used}"] if cut else []), *map(str, unused)]
        raise FewStrikesError("; ".join(told)) from error


def _on_one_body(plain: Sequence[Motion], turned: Sequence[Motion]) -> tuple[list[Motion], list[str]]:
    """All takes on the first one's skeleton, those of ``turned`` mirrored; and what to say of it."""
    first = next(iter([*plain, *turned]))
    skeleton = first.skeleton
    told = [
        notes.RETARGETED.say(name=motion.name, first=first.name)
        for motion in [*plain, *turned]
        if motion.skeleton != skeleton
    ]
    own = retarget_all([*plain, *turned], skeleton)
    unturned = own[len(plain) :]
    # a body whose sides differ becomes another one in the mirror; how its bones are rolled, the unmirrored take knows
    mirrored = retarget_all([mirror(motion) for motion in unturned], skeleton, like=unturned)
    return [*own[: len(plain)], *mirrored], told


def _found(motions: Sequence[Motion], kind: str, side: Side | None, watch: Watch) -> Found:
    """The strikes of all takes, with one limb: that of the first take which has any, unless ``side`` says it."""
    found: list[Found] = []
    nothing: dict[str, str] = {}
    for number, motion in enumerate(motions):
        watch.tell("finding strikes", number, len(motions))
        wanted = found[0].side if found and side is None else side
        try:
            found.append(find(motion, kind, wanted))
        except FewStrikesError as error:
            if found and side is None:
                _refuse_mixed(motion, kind, found[0].side)
            nothing[motion.name] = str(error)
    if not found:
        more = f" (and {len(nothing) - 1} more takes without)" if len(nothing) > 1 else ""
        raise FewStrikesError(f"{next(iter(nothing.values()))}{more}; a space takes at least {FEWEST} strikes")
    told = [notice for one in found for notice in one.notices]
    if len(nothing) > _SEVERAL:
        told.append(f"left out, no {kind} found: {', '.join(nothing)}")
    else:
        told.extend(f"left out: {fault}" for fault in nothing.values())
    return Found(
        strikes=tuple(strike for one in found for strike in one.strikes),
        kind=kind,
        side=found[0].side,
        notices=tuple(told),
        unused=tuple(strike for one in found for strike in one.unused),
    )


def _refuse_mixed(motion: Motion, kind: str, side: Side) -> None:
    """A `SpaceError` for a take whose strikes are of the other side than those of the takes before it."""
    try:
        count = len(find(motion, kind, other(side)).strikes)
    except SpaceError:
        return
    raise SpaceError(
        f"{motion.name} strikes with the {limb_name(kind, other(side))} ({count} found), the takes before it with the "
        f"{limb_name(kind, side)}: give it as mirrored, say which side is meant, or make a space of each"
    )


def _doubts(cut: Sequence[Cut], kind: str, side: Side) -> list[str]:
    """A notice if another hand or foot goes out much further, from ready pose to hit, than the one that should strike."""
    out = {limb_name(each, hand): _out(cut, each, hand) for each in KINDS for hand in SIDES}
    own, most = limb_name(kind, side), max(out, key=lambda limb: out[limb])
    if out[own] >= 0.6 * out[most]:
        return []
    return [
        f"from ready pose to hit the {most} goes out by {out[most]:.2f} m, the {own} by {out[own]:.2f}: are kind and side of these "
        "strikes right?"
    ]


def _out(cut: Sequence[Cut], kind: str, side: Side) -> float:
    """Metres by which a hand goes out from its shoulder, or a foot up, from ready pose to hit; 0 where a body has no such limb."""
    end, top = end_role(kind, side), top_role(kind, side)
    if not cut[0].motion.skeleton.has_roles(end, top):
        return 0.0
    gained = []
    for one in cut:
        ends = one.motion.position(end)[[0, one.hit]]
        out = ends[:, 1] if KINDS[kind].lifts else np.linalg.norm(ends - one.motion.position(top)[[0, one.hit]], axis=1)
        gained.append(out[1] - out[0])
    return float(np.mean(gained))


def _check_given(motions: Sequence[Motion], strikes: Sequence[CapturedStrike]) -> None:
    known = {motion.name for motion in motions}
    for strike in strikes:
        if strike.clip not in known:
            raise SpaceError(
                f"a strike of {strike.clip!r} is given, but the takes are {', '.join(sorted(known))}: give its take too, or leave it out"
            )
