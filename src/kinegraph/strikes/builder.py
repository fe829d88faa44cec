"""From takes to a `Space`: strikes are found (or given), cut out, and aligned with each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from kinegraph.errors import SpaceError
from kinegraph.formats.intake import Given, clips
from kinegraph.motion.clip import Motion
from kinegraph.motion.mirroring import mirror
from kinegraph.motion.retargeting import retarget_all
from kinegraph.strikes.blend import checked_rate
from kinegraph.strikes.finder import find
from kinegraph.strikes.kinds import KINDS, kind_of
from kinegraph.strikes.placing import Forward, check_forward
from kinegraph.strikes.registered import Cut, cuts, registered
from kinegraph.strikes.rounding import rounded
from kinegraph.strikes.space import Space
from kinegraph.strikes.strike import (
    SIDES,
    CapturedStrike,
    Side,
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

    Its notices say what was left out, mirrored or retargeted.

    - side: of the striking hand or foot; by default the one that strikes in the first take
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
    motions = [*(take.motion for take in plain.takes), *(mirror(take.motion) for take in turned.takes)]
    if not motions:
        raise SpaceError("no take was given: a space is made from one or more takes of strikes")
    names = [motion.name for motion in motions]
    for name_of in names:
        if names.count(name_of) > 1:
            raise SpaceError(
                f"two takes are called {name_of!r}: a strike says by the name which one it is of; rename one, or leave it out"
            )
    notices = [*plain.repeated, *turned.repeated]
    told = side is not None
    skeleton = motions[0].skeleton
    for motion in motions[1:]:
        if motion.skeleton != skeleton:
            notices.append(f"{motion.name} has another body than {motions[0].name} and was retargeted onto it")
    motions = retarget_all(motions, skeleton)
    found: list[tuple[Motion, Sequence[CapturedStrike]]] = []
    nothing: dict[str, str] = {}
    for number, motion in enumerate(motions):
        watch.tell("finding strikes", number, len(motions))
        if strikes is None:
            try:
                some = find(motion, kind, side)
            except SpaceError as error:
                if found and not told:
                    _refuse_mixed(motion, kind, some.side)
                nothing[motion.name] = str(error)
                continue
            side = some.side
            notices.extend(some.notices)
            found.append((motion, some.strikes))
        else:
            found.append((motion, [strike for strike in strikes if strike.clip == motion.name]))
    if strikes is not None:
        _check_given(motions, strikes)
        if side is None:
            raise SpaceError("strikes that are given need the side they are thrown with: left or right")
    if not found:
        more = f" (and {len(nothing) - 1} more takes without)" if len(nothing) > 1 else ""
        raise SpaceError(next(iter(nothing.values())) + more)
    if len(nothing) > _SEVERAL:
        notices.append(f"left out, no {kind} found: {', '.join(nothing)}")
    else:
        notices.extend(f"left out: {fault}" for fault in nothing.values())
    assert side is not None  # found or given
    watch.tell("laying strikes on one another", 0, 1)
    cut = [one for motion, some in found for one in cuts(motion, some, fps)]
    if not cut:
        raise SpaceError("no strike is left to make a space from")
    if strikes is not None:
        notices.extend(_doubts(cut, kind, side))
    space = Space(name or f"{side} {kind}", rounded(registered(cut, kind, side, forward)), tuple(notices))
    watch.tell("laying strikes on one another", 1, 1)
    return space


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
