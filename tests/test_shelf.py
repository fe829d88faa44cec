from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from kinegraph import samples, shelf
from kinegraph.motion.clip import KeptMotion, Motion
from kinegraph.shelf import Shelf


def _same(one: Motion, two: Motion) -> bool:
    return one.root.tobytes() == two.root.tobytes() and one.rotations.tobytes() == two.rotations.tobytes()


def test_a_motion_on_the_shelf_is_the_motion() -> None:
    walk = samples.make("walk").motion
    kept = KeptMotion.of(walk, Shelf())
    assert "root" not in vars(kept)
    assert "rotations" not in vars(kept)
    assert _same(kept, walk)
    assert len(kept) == len(walk)
    assert (kept.name, kept.fps, kept.skeleton) == (walk.name, walk.fps, walk.skeleton)
    assert np.array_equal(kept.positions, walk.positions)
    assert not kept.rotations.flags.writeable
    with pytest.raises(AttributeError):
        kept.nothing  # noqa: B018


def test_what_is_made_from_it_is_plain() -> None:
    walk = samples.make("walk").motion
    kept = KeptMotion.of(walk, Shelf())
    for made in (kept.renamed("walk"), pickle.loads(pickle.dumps(kept)), copy.deepcopy(kept)):
        assert type(made) is Motion
        assert _same(made, replace(walk))
    assert type(kept[3:9]) is Motion


def test_a_shelf_gives_back_what_was_laid_there_however_little_is_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "_AT_HAND", 100)
    held, random = Shelf(), np.random.default_rng(0)
    arrays = [random.normal(size=(n, 3)) for n in range(1, 40)]
    places = [held.put(array) for array in arrays]
    for n in random.permutation(2 * len(arrays)) % len(arrays):
        assert np.array_equal(held.get(places[n]), arrays[n])
    assert held.size == sum(array.nbytes for array in arrays)
