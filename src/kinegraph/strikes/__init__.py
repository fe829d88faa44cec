"""Parametric motion: punch or kick any target, within and beyond what was captured.

>>> import kinegraph as kg
>>> takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
>>> space = kg.strikes.build(takes, "punch")
>>> made = space.reach((0.1, 1.4))
>>> made.reached, made.hit[:2].round(3).tolist()
(True, [0.1, 1.4])
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.strikes.builder import build as build
    from kinegraph.strikes.finder import Found as Found
    from kinegraph.strikes.finder import find as find
    from kinegraph.strikes.joining.join import Joined as Joined
    from kinegraph.strikes.joining.join import joined as joined
    from kinegraph.strikes.kinds import ARM as ARM
    from kinegraph.strikes.kinds import KINDS as KINDS
    from kinegraph.strikes.kinds import LEG as LEG
    from kinegraph.strikes.kinds import StrikeKind as StrikeKind
    from kinegraph.strikes.space import Reach as Reach
    from kinegraph.strikes.space import Space as Space
    from kinegraph.strikes.store.files import check as check
    from kinegraph.strikes.store.files import load as load
    from kinegraph.strikes.store.files import names as names
    from kinegraph.strikes.store.files import save as save

__getattr__, __dir__, __all__ = lazy.attach(__name__)
