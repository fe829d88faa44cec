"""Offline: from clips to a pruned motion graph, kept in one `.mog` file.

>>> from kinegraph import graph, samples
>>> made = graph.build([samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])
>>> made.record.report.kept > 0.9 * made.record.report.attainable
True
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.graph.making.builder import add as add
    from kinegraph.graph.making.builder import build as build
    from kinegraph.graph.making.builder import rechoose as rechoose
    from kinegraph.graph.making.builder import remove as remove
    from kinegraph.graph.making.parameters import Parameters as Parameters
    from kinegraph.graph.making.record import Record as Record
    from kinegraph.graph.model import Clip as Clip
    from kinegraph.graph.model import EdgeKind as EdgeKind
    from kinegraph.graph.model import MotionGraph as MotionGraph
    from kinegraph.graph.store.files import check as check
    from kinegraph.graph.store.files import digest as digest
    from kinegraph.graph.store.files import load as load
    from kinegraph.graph.store.files import save as save
    from kinegraph.graph.summary.curation import contributions as contributions
    from kinegraph.graph.summary.curation import duplicates as duplicates
    from kinegraph.graph.summary.curation import flaws as flaws
    from kinegraph.graph.walk import Walk as Walk

__getattr__, __dir__, __all__ = lazy.attach(__name__)
