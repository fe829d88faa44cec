"""`Direct`: a scene, which says what happens where and when, as motion."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from kinegraph.errors import GraphError
from kinegraph.feet.sole import has_legs
from kinegraph.graph.model import MotionGraph
from kinegraph.tasks import scene_words as words
from kinegraph.tasks.made import ONE_LENGTH, Made
from kinegraph.tasks.task import Rows, register, shortened
from kinegraph.tasks.walking import Walking, as_graph, searching
from kinegraph.walks.performing import NO_LEGS, Finished
from kinegraph.watch import Watch, Watcher
from kinegraph.wishes import check, wish

if TYPE_CHECKING:
    from kinegraph.scenes.finish import Directed
    from kinegraph.scenes.scene import Scene

# metres by which a body leans to a target before that is told
_LEANS = 0.05
# the share of an interval's frames that bear its label, below which that is told
_KEPT = 0.98


@register
@dataclass(frozen=True)
class Direct(Walking):
    """Direct a scene: labels, places, headings, waits, poses and strikes, each at its time.

    >>> import kinegraph as kg
    >>> graph = kg.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])
    >>> scene = {"seconds": 6, "key": [{"time": 1, "at": [0, 0], "heading": 0}, {"time": 5, "at": [1, 4]}]}
    >>> made = kg.direct(graph, scene)
    >>> made.reached, [one["place_cm"] < 2 for one in made.quality["keys"]]
    (True, [True, True])
    """

    name = command = "direct"
    summary = "Make the motion of a scene that says what happens where and when: labels, places, headings, waits, poses, strikes."
    examples = (
        "kinegraph direct g.mog scene.toml -o out.glb --plot out.png",
        "kinegraph direct g.mog scene.toml --draft --json",
        "kinegraph direct g.mog scene.toml --stretch 20-23 --seed 2 -o out.glb",
    )
    echoed = ("seed", "blend")

    scene: Any = wish("The scene: a .toml or .json file.", form="scene", metavar="SCENE.toml")
    draft: bool = wish("Make do with the draft, which takes a few hundredths of a second.", default=False)
    width: int = wish("Walks kept at a time by the last search.", default=400, least=1, served=(1, 2000))
    seed: int = wish("Another seed gives another variation; 0 the best there is.", default=0, least=0)
    spaces: Any = wish(
        "What is struck from: a .mog with spaces.",
        default=None,
        form="file",
        metavar="S.mog",
        usual="those in the graph's own file",
    )
    stretch: str | None = wish(
        "Make only this stretch anew, in seconds; all else stays as it comes without this wish.",
        default=None,
        metavar="T0-T1",
    )
    of: Any = wish("Stretch: the scene as it was, if it is another.", default=None, form="file", metavar="SCENE.toml")
    of_seed: int = wish("Stretch: the seed by which all else was made.", default=0, least=0)
    without: Sequence[str] = wish(
        "Clips that are not used, or transitions, such as walk:30>run:12.", default=(), form="names", metavar="A,B"
    )
    report: bool = wish("Say more of how it was found: costs, bounds, rates.", default=False)

    def __post_init__(self) -> None:
        if isinstance(self.scene, PathLike):
            object.__setattr__(self, "scene", str(self.scene))
        check(self, GraphError)

    def run(self, source: MotionGraph | str | PathLike[str], watch: Watcher = None) -> Made:
        """The motion of the scene."""
        graph = as_graph(source)
        _load(graph)
        begun = time.thread_time()
        spaces = source if self.spaces is None and not isinstance(source, MotionGraph) else self.spaces
        done = self._done(graph, watch, spaces)
        return self._made(done, time.thread_time() - begun)

    def _done(self, graph: MotionGraph, watch: Watcher, spaces: Any = None, **how: Any) -> Directed:
        """What is found and performed. how: as `kinegraph.scenes.finish.perform_scene` takes it."""
        from kinegraph.scenes.plan import make_plan, varied
        from kinegraph.scenes.reading import as_scene
        from kinegraph.scenes.stretch import again

        watch = Watch.of(watch)
        scene = as_scene(self.scene)
        wished = replace(scene, without=tuple(dict.fromkeys((*scene.without, *self.without))))
        how = {"blend": self.blend, "feet": self.clean and has_legs(graph.skeleton), **how}
        if self.stretch is None:
            return self._whole(graph, wished, self.seed, spaces, watch, how)
        first, last = _span(self.stretch)
        if isinstance(self.of, Made):
            done = self.of.details
        else:
            done = self._whole(graph, scene if self.of is None else as_scene(self.of), self.of_seed, spaces, watch, how)
        if not done.plan.strikes:
            plan = make_plan(graph, wished, seed=self.seed)
        elif wished == done.plan.scene:
            # the same strikes, struck from the same stances
            plan = varied(done.plan, self.seed)
        else:
            raise GraphError(
                "stretch: of a scene with strikes a stretch can be made anew by another seed only, not by another scene; "
                "make all of it anew"
            )
        with searching():
            return again(done, plan, first, last, width=self._widths[-1], watch=watch, **how)

    @property
    def _widths(self) -> tuple[int, ...]:
        from kinegraph.scenes.solver import DRAFT

        return (DRAFT,) if self.draft else (DRAFT, self.width)

    def _whole(
        self, graph: MotionGraph, scene: Scene, seed: int, spaces: Any, watch: Watch, how: Mapping[str, Any]
    ) -> Directed:
        """All of a scene."""
        from kinegraph.scenes.loop import perform_loop
        from kinegraph.scenes.plan import make_plan
        from kinegraph.scenes.trying import best_of, perform_best

        spaces = spaces if scene.strikes else None
        with searching():
            if scene.loop:
                return best_of(
                    lambda lesson: perform_loop(
                        make_plan(graph, scene, seed, spaces, lesson=lesson), width=self._widths[-1], watch=watch, **how
                    )
                )
            return perform_best(graph, scene, self._widths, seed=seed, spaces=spaces, watch=watch, **how)

    def _made(self, done: Directed, cpu: float) -> Made:
        from kinegraph.feet.giving import told
        from kinegraph.scenes.misses import bumps

        plan = done.plan
        notices = [NO_LEGS] if self.clean and not has_legs(plan.graph.skeleton) else []
        if done.finished.feet is not None:
            notices += told(done.finished.feet.eased, plan.graph.fps)
        title = f"{plan.scene.name or 'a scene'} of {plan.scene.seconds:g} s"
        asked = replace(self, scene=plan.scene)
        made = asked.made(done.finished, shortened(title), cpu, notices=notices)
        made = replace(made, details=done)
        if done.hilly is not None:
            made = _laid(made, done.hilly)
        short = "; ".join(
            [
                *(
                    words.missed(number, miss)
                    for number, miss in enumerate(done.misses, 1)
                    if miss.hard and not miss.met
                ),
                *(words.wide(number, one) for number, one in enumerate(done.strikes, 1) if not one.met),
                *(words.bumped(one) for one in bumps(done.finished.motion, plan.scene) if one.counts),
            ]
        )
        more = (
            *asked.lacking(made),
            *(words.missed(n, miss) for n, miss in enumerate(done.misses, 1) if not miss.hard and not miss.met),
            *(words.leaning(n, one) for n, one in enumerate(done.strikes, 1) if one.struck and one.brought > _LEANS),
        )
        marks = {one.frame: "hit" for one in done.strikes}
        return replace(made, task=self, notices=(*made.notices, *more), reached=not short, short=short, marks=marks)

    def floor(self) -> Any:
        """The scene's ground; None for a flat floor."""
        from kinegraph.scenes.hills import ground_of
        from kinegraph.scenes.reading import as_scene

        ground = as_scene(self.scene).ground
        return None if ground is None else ground_of(ground)

    @staticmethod
    def finished(made: Made) -> Finished:
        """The finished walk that a result holds."""
        details = made.details
        return details if isinstance(details, Finished) else details.finished

    @property
    def asked_labels(self) -> tuple[str, ...]:
        """Those of the scene."""
        from kinegraph.scenes.scene import Scene

        return tuple(dict.fromkeys(one.asked for one in self.scene.demands)) if isinstance(self.scene, Scene) else ()

    def given_labels(self, made: Made) -> dict[str, float]:
        """What is asked of labels → the share of the frames for which it is asked, away from borders, that are so."""
        from kinegraph.scenes.kept import kept

        asked: dict[str, int] = {}
        given: dict[str, float] = {}
        for one in kept(made.details):
            asked[one.asked] = asked.get(one.asked, 0) + int(one.within.sum())
            given[one.asked] = given.get(one.asked, 0.0) + float((one.within & one.borne).sum())
        return {text: given[text] / max(count, 1) for text, count in asked.items()}

    def lacking(self, made: Made) -> tuple[str, ...]:
        """What to say where labels were not given when they were asked for."""
        from kinegraph.scenes.kept import kept

        said = []
        fps = made.motion.fps
        for one in kept(made.details):
            if one.share < _KEPT:
                frames = np.flatnonzero(one.within)
                said.append(
                    f"from {frames[0] / fps:.1f} to {frames[-1] / fps:.1f} s {100 * one.share:.0f} % of the frames are {one.asked!r}"
                )
        return tuple(said)

    def judge(self, made: Made) -> Mapping[str, Any]:
        """The misses of the keys, the figures of any walk, and how it was found."""
        done: Directed = made.details
        solved = done.solved
        return {
            "keys": [one.to_dict() for one in done.misses],
            "strikes": [one.to_dict() for one in done.strikes],
            **super().judge(made),
            "cost": round(solved.cost, 4),
            "bound": round(solved.bound, 4),
            "gap": round(solved.gap, 4),
            "rates": [round(float(done.rates.min()), 4), round(float(done.rates.max()), 4)],
            "shift_cm_s": round(100 * done.shifted, 3),
        }

    def tell(self, made: Made) -> Sequence[tuple[str, Rows]]:
        """The same as sentences."""
        done: Directed = made.details
        keys = [(f"key {number}", words.told(miss)) for number, miss in enumerate(done.misses, 1)]
        keys += [(f"strike {number}", words.struck(one)) for number, one in enumerate(done.strikes, 1)]
        found = []
        if self.report:
            solved = done.solved
            found = [
                (
                    "cost",
                    f"{solved.cost:.2f}, {100 * solved.gap:.0f} % of it above what labels and speeds alone cost at least "
                    f"({solved.bound:.2f}); {solved.width} walks at a time",
                ),
                ("rates", f"played {done.rates.min():.2f} to {done.rates.max():.2f} times as fast as captured"),
                ("shift", f"{100 * done.shifted:.1f} cm/s at most"),
            ]  # fmt: skip
        return [*super().tell(made), *([("keys", keys)] if keys else []), *([("search", found)] if found else [])]

    def draw(self, made: Made, file: str | PathLike[str]) -> str:
        """The floor with the keys, and the labels by time."""
        from kinegraph.plots.directed import directed_picture
        from kinegraph.plots.walked import LabelsAlong
        from kinegraph.scenes.striking import StrikeKey

        done: Directed = made.details
        scene: Scene = done.plan.scene
        borne = {} if made.provenance is None else made.provenance.labels
        asked = [(one.asked, one.first, one.last) for one in scene.demands]
        given = {name: borne[name] for name, _, _ in asked if name in borne}
        directed_picture(
            made.motion,
            done.finished.contacts,
            [key for key in done.plan.keys if not isinstance(key, StrikeKey)],
            file,
            labels=LabelsAlong(asked, given) if asked else None,
            transitions=[(one.first, one.first + one.length) for one in made.transitions],
            obstacles=scene.obstacles,
            strikes=scene.strikes,
            title=made.title,
        )
        return "the way through the keys from above, and the labels by time"

    def unstretched(self, made: Made) -> Made:
        """The same with legs of one length."""
        done: Directed = made.details
        return self._made(self._done(done.plan.graph, None, stretch=0.0), made.cpu).noting(ONE_LENGTH)

    def echo(self) -> dict[str, Any]:
        """The scene by its name."""
        from kinegraph.scenes.scene import Scene

        given = self.scene
        named = given.name if isinstance(given, Scene) else None if isinstance(given, Mapping) else str(given)
        return {"scene": named, **super().echo()}


_loaded: set[str] = set()


def _load(graph: MotionGraph) -> None:
    """Have what was compiled loaded, and the tables of the graph made: that is no part of what a search costs."""
    from kinegraph.scenes.plan import make_plan
    from kinegraph.scenes.scene import Scene
    from kinegraph.scenes.solver import solve
    from kinegraph.walks.tables import tables

    tables(graph)
    if not _loaded:
        _loaded.add("search")
        solve(make_plan(graph, Scene(1.0)), (2,))


def _laid(made: Made, hilly: Finished) -> Made:
    """A result whose motion is that on its ground."""
    from kinegraph.feet.slide import slides

    if hilly.feet is None:
        return replace(made, motion=hilly.motion)
    slid = slides(hilly.motion, hilly.feet.plants)
    return replace(made, motion=hilly.motion, contacts=hilly.contacts, plants=hilly.feet.plants, slides=slid)


def _span(text: str) -> tuple[float, float]:
    """The seconds that ``20-23`` says."""
    first, dash, last = str(text).partition("-")
    try:
        if not dash:
            raise ValueError
        return float(first), float(last)
    except ValueError:
        raise GraphError(f"stretch: say from when to when in seconds, such as 20-23, got {text!r}") from None
