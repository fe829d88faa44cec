from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import FormatError, GraphError
from kinegraph.formats import save
from kinegraph.graph.takes import digest, distinct, take


def test_a_take_of_a_file_knows_the_file(tmp_path: Path) -> None:
    save(samples.make("walk").motion, tmp_path / "stroll.bvh")
    one = take(tmp_path / "stroll.bvh")
    assert (one.name, one.file) == ("stroll", "stroll.bvh")
    assert len(one.sha256) == 64
    assert take(str(tmp_path / "stroll.bvh")).sha256 == one.sha256
    assert len(one.motion) == len(samples.make("walk").motion)


def test_a_take_of_a_motion_has_bones_of_one_length() -> None:
    motion = samples.make("walk").motion
    offsets = np.repeat(motion.skeleton.offsets[None], len(motion), axis=0)
    one = take(replace(motion, translations=offsets * np.linspace(0.9, 1.1, len(motion))[:, None, None]))
    assert one.motion.translations is None
    assert one.file == ""


def test_a_motion_needs_a_name() -> None:
    with pytest.raises(GraphError, match="needs a name"):
        take(samples.make("walk").motion.renamed(""))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"nothing\.bvh"):
        take(tmp_path / "nothing.bvh")


def test_a_digest_is_of_the_numbers_not_of_the_name() -> None:
    motion = samples.make("walk").motion
    assert digest(motion) == digest(motion.renamed("other"))
    others = [
        motion[:-1],
        replace(motion, fps=61.0),
        replace(motion, root=motion.root + 1e-12),
        replace(motion, skeleton=motion.skeleton.scaled(1.001)),
        samples.make("run").motion,
    ]
    assert len({digest(motion), *map(digest, others)}) == 6


def test_each_recording_once_in_the_order_of_names() -> None:
    walk, run = samples.make("walk").motion, samples.make("run").motion
    takes, notices = distinct(map(take, (walk, run, walk, walk.renamed("stroll"))))
    assert [one.name for one in takes] == ["run", "walk"]
    assert notices == ("walk is given twice: used once", "stroll is the same recording as walk: used once")


def test_two_recordings_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    save(samples.make("run").motion, tmp_path / "a" / "walk.bvh")
    with pytest.raises(GraphError, match=r"two different clips are called 'walk' \(in memory and walk\.bvh\)"):
        distinct([take(samples.make("walk").motion), take(tmp_path / "a" / "walk.bvh")])
