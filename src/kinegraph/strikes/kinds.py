"""Kinds of strike: which limb strikes, what its joints are called, and what the body stands on meanwhile.

A new kind is one more `KINDS.register`, here or elsewhere. Files can only contain punches and kicks.
"""

from __future__ import annotations

from dataclasses import dataclass

from kinegraph.catalogue import Catalogue
from kinegraph.errors import SpaceError


@dataclass(frozen=True)
class StrikingLimb:
    """What strikes. Joints are given by their body roles, without the side."""

    name: str
    top: str
    """Where it begins."""
    hinge: str
    """Where it bends."""
    end: str
    """Its position at the hit is the strike's target."""
    tip: str
    """What people say strikes."""


ARM = StrikingLimb("arm", top="shoulder", hinge="elbow", end="wrist", tip="hand")
LEG = StrikingLimb("leg", top="hip", hinge="knee", end="ankle", tip="foot")


@dataclass(frozen=True)
class StrikeKind:
    """What is known about a kind of strike.

    >>> KINDS["punch"].plural, KINDS["kick"].limb.end
    ('punches', 'ankle')
    """

    name: str
    plural: str
    limb: StrikingLimb
    """`ARM` or `LEG`."""
    help: str
    """What it is, in a sentence."""

    @property
    def lifts(self) -> bool:
        """Whether a foot leaves the floor to strike, so that the body stands only on the other one."""
        return self.limb == LEG


KINDS: Catalogue[StrikeKind] = Catalogue("kind of strike")
"""Every kind of strike, by name."""

KINDS.register(StrikeKind("punch", "punches", ARM, "A hand goes out from the shoulder; both feet stand."))
KINDS.register(StrikeKind("kick", "kicks", LEG, "A foot goes out from the hip; the other one stands."))


def kind_of(name: str) -> StrikeKind:
    """The kind of that name; otherwise a `SpaceError` that lists all kinds.

    >>> kind_of("kick").limb.tip
    'foot'
    """
    # a table of strikes may say anything here, a list too
    found = KINDS.get(name) if isinstance(name, str) else None
    if found is None:
        raise SpaceError(f"unknown kind of strike {name!r}: expected {' or '.join(KINDS)}")
    return found
