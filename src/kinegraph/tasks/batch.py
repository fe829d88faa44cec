"""Many scenes at once: each becomes a file, several times if variations are wished for, over all cores; and an index of them all.

What comes of a scene depends on nothing but the graph, the scene and the seed, so that the files are the same however many cores there
are. The index says of each what was asked, what is missed, and where its frames came from; a file beside each motion says so of every
frame.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinegraph.errors import FormatError, GraphError, KinegraphError
from kinegraph.formats.atomic import made_folder, replacing
from kinegraph.formats.registry import format_of
from kinegraph.tasks.kinds.direct import Direct
from kinegraph.tasks.walking import as_graph
from kinegraph.watch import Stopped, Watch, Watcher

if TYPE_CHECKING:
    from kinegraph.graph.model import MotionGraph
    from kinegraph.people.spaces import Spaces
    from kinegraph.scenes.scene import Scene

INDEX = "index.jsonl"
"""The file beside the motions: a line of JSON for each."""
FRAMES = ".frames.npz"
"""How the files end that say where every frame came from."""
_SCENES = (".toml", ".json")


@dataclass(frozen=True, eq=False)
class Batch:
    """What came of many scenes."""

    folder: Path
    lines: tuple[Mapping[str, Any], ...]
    """What the index says of each, in the order in which they were given."""

    def __repr__(self) -> str:
        return f"Batch({len(self.made)} motions in {self.folder.name!r}, {len(self.failed)} failed)"

    @property
    def made(self) -> tuple[Mapping[str, Any], ...]:
        """Those that became a motion."""
        return tuple(line for line in self.lines if "file" in line)

    @property
    def failed(self) -> tuple[Mapping[str, Any], ...]:
        """Those that did not; each says why, as ``error``."""
        return tuple(line for line in self.lines if "error" in line)

    @property
    def missed(self) -> tuple[Mapping[str, Any], ...]:
        """Those whose hard keys or strikes are missed; each says which, as ``short``."""
        return tuple(line for line in self.made if not line["reached"])


def direct_many(
    graph: MotionGraph | str | PathLike[str],
    scenes: Iterable[Scene | Mapping[str, Any] | str | PathLike[str]],
    folder: str | PathLike[str],
    *,
    format: str = "bvh",
    variations: int = 1,
    jobs: int | None = None,
    watch: Watcher = None,
    **wishes: Any,
) -> Batch:
    """Direct many scenes, and write each to a file in ``folder``.

    - scenes: as `kinegraph.direct` takes them, or folders with such files
    - format: how motions are written: bvh, glb, npz …
    - variations: so many of each scene, by seeds from ``seed`` on
    - jobs: processes at a time; by default one for each core. With more than one, a script that calls this needs the usual
      ``if __name__ == "__main__":`` about it
    - wishes: those of `kinegraph.direct`

    A scene that fails is told in the index and does not keep others from being made. The same bytes are written however many jobs
    there are.

    >>> import kinegraph as kg
    >>> import tempfile
    >>> graph = kg.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])
    >>> scenes = [{"seconds": 3, "name": "a", "key": [{"time": 2, "at": [1, 2]}]}, {"seconds": 2, "name": "b", "label": [{"name": "fly"}]}]
    >>> batch = kg.direct_many(graph, scenes, tempfile.mkdtemp(), variations=2, jobs=1, draft=True)
    >>> [line["file"] for line in batch.made], batch.failed[0]["error"]
    (['a_000.bvh', 'a_001.bvh'], "label 1: no label 'fly' in this graph; it has medium, turn_left, turn_right, walk")
    """
    suffix = f".{format.lstrip('.').lower()}"
    format_of(Path(f"a{suffix}"), writing=True)
    if variations < 1:
        raise GraphError(f"variations: at least 1, got {variations}")
    if jobs is not None and jobs < 1:
        raise GraphError(f"jobs: at least 1, got {jobs}")
    first = int(wishes.pop("seed", 0))
    Direct(None, seed=first, **wishes)  # what is wrong with the wishes is wrong for all
    watching = Watch.of(watch)
    target = made_folder(Path(folder))
    asked = [
        _Job(scene, name, first + number, f"{name}_{first + number:03d}" if variations > 1 else name)
        for scene, name in _named(_scenes(scenes))
        for number in range(variations)
    ]
    how = _How(graph, wishes, target, suffix)
    lines: list[Mapping[str, Any] | None] = [None] * len(asked)
    watching.tell("direct", 0, len(asked))
    count = min(jobs or os.cpu_count() or 1, len(asked))
    for done, (number, line) in enumerate(_all(how, asked, count), 1):
        lines[number] = line
        watching.tell("direct", done, len(asked))
    found = tuple(line for line in lines if line is not None)
    with replacing(target / INDEX) as file:
        file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in found), encoding="utf-8")
    return Batch(target, found)


@dataclass(frozen=True, eq=False)
class _Job:
    """A scene to direct."""

    scene: Any
    name: str
    seed: int
    stem: str
    """What its file is called, without a suffix."""


@dataclass(frozen=True, eq=False)
class _How:
    """What all jobs share."""

    graph: Any
    wishes: Mapping[str, Any]
    folder: Path
    suffix: str


def _scenes(given: Iterable[Any]) -> list[Any]:
    """The scenes that were given; folders with what is in them."""
    if isinstance(given, str | PathLike | Mapping):
        given = [given]
    found: list[Any] = []
    for one in given:
        if isinstance(one, str | PathLike) and Path(one).is_dir():
            inside = sorted(file for file in Path(one).iterdir() if file.suffix.lower() in _SCENES)
            if not inside:
                raise FormatError("there is no scene in this folder: no .toml and no .json", one)
            found += inside
        else:
            found.append(one)
    if not found:
        raise GraphError("there is no scene to direct: give files or folders")
    return found


def _named(scenes: Sequence[Any]) -> list[tuple[Any, str]]:
    """Scenes with what their files are called; those of one name are numbered."""
    seen: dict[str, int] = {}
    found = []
    for number, scene in enumerate(scenes, 1):
        if isinstance(scene, str | PathLike):
            name = Path(scene).stem
        else:
            name = str((scene.get("name") if isinstance(scene, Mapping) else scene.name) or f"scene_{number}")
        name = (
            "".join(letter if letter.isalnum() or letter in "-_. " else "_" for letter in name).strip()
            or f"scene_{number}"
        )
        seen[name] = seen.get(name, 0) + 1
        found.append((scene, name if seen[name] == 1 else f"{name}-{seen[name]}"))
    return found


def _all(how: _How, asked: Sequence[_Job], count: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """What came of each job, with its number, in whichever order they end."""
    if count == 1:
        worker = _Worker(how)
        for number, job in enumerate(asked):
            yield number, worker.line(job)
        return
    # processes begin anew instead of as copies of this one, which may have threads
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_begin, initargs=(how,))
    try:
        with _one_thread_each():
            waiting = {pool.submit(_line, job): number for number, job in enumerate(asked)}
            for done in as_completed(waiting):
                yield waiting[done], done.result()
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """While processes are begun, have their libraries use one thread each: cores are shared out among processes already."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class _Worker:
    """Directs one scene after another on a graph that it has loaded."""

    def __init__(self, how: _How) -> None:
        self._how = how
        self._graph: MotionGraph = as_graph(how.graph)
        self._spaces: Spaces | None = None

    def line(self, job: _Job) -> Mapping[str, Any]:
        """What the index says of a scene, once its motion is written."""
        about = {"scene": job.name, "seed": job.seed}
        try:
            return {**about, **self._written(job)}
        except Stopped:
            raise
        except KinegraphError as error:
            return {**about, "error": str(error)}
        except Exception as error:  # a fault of ours must not cost all other scenes
            return {**about, "error": f"{type(error).__name__}: {error}"}

    def _written(self, job: _Job) -> dict[str, Any]:
        from kinegraph.scenes.reading import as_scene

        how, scene = self._how, as_scene(job.scene)
        wishes = dict(how.wishes)
        if scene.strikes:
            wishes["spaces"] = self._known(wishes.get("spaces"))
        made = Direct(scene, seed=job.seed, **wishes).run(self._graph)
        file = how.folder / f"{job.stem}{how.suffix}"
        made = made.save(file)
        facts = made.to_dict()
        beside = how.folder / f"{job.stem}{FRAMES}"
        assert made.provenance is not None  # a walk has it
        made.provenance.save(beside)
        told = ("keys", "strikes", "asked_labels", "clip_spans", "label_spans", "warnings", "notices")
        return {
            "file": file.name, "frames_file": beside.name, "reached": made.reached,
            **({} if made.reached else {"short": made.short}), "frames": len(made.motion), "fps": made.motion.fps,
            **{name: facts[name] for name in told if name in facts},
        }  # fmt: skip

    def _known(self, given: Any) -> Spaces:
        """The spaces, loaded once for all scenes."""
        from kinegraph.graph.model import MotionGraph
        from kinegraph.people.spaces import Spaces

        if self._spaces is None:
            own = None if isinstance(self._how.graph, MotionGraph) else self._how.graph
            self._spaces = given if isinstance(given, Spaces) else Spaces(own if given is None else given)
        return self._spaces


_worker: _Worker | None = None


def _begin(how: _How) -> None:
    global _worker
    _worker = _Worker(how)


def _line(job: _Job) -> Mapping[str, Any]:
    assert _worker is not None  # the process has begun
    return _worker.line(job)
