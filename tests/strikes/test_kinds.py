from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import strikes
from kinegraph.errors import KinegraphError, SpaceError
from kinegraph.strikes.kinds import ARM, KINDS, StrikeKind, kind_of
from kinegraph.strikes.strike import end_role, limb_name, standing_sides
from tests.cli.inprocess import call


@pytest.fixture
def jab() -> Iterator[StrikeKind]:
    yield KINDS.register(StrikeKind("jab", "jabs", ARM, "A short punch."))
    KINDS.remove("jab")


def takes() -> list[kg.Motion]:
    return [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]


def test_the_kinds_that_come_with_it() -> None:
    assert list(KINDS) == ["punch", "kick"]
    assert [kind.lifts for kind in KINDS.values()] == [False, True]
    for kind in KINDS.values():
        assert kind.help.endswith(".")
        assert kind.plural.startswith(kind.name)


def test_a_kind_that_is_added_is_found_by_its_name(jab: StrikeKind) -> None:
    assert kind_of("jab") is jab
    assert end_role("jab", "left") == "left_wrist"
    assert limb_name("jab", "left") == "left hand"
    assert standing_sides("jab", "left") == ("left", "right")
    with pytest.raises(KinegraphError, match="already a kind of strike called 'jab'"):
        KINDS.register(jab)


def test_a_kind_that_is_added_strikes_as_its_limb_does(jab: StrikeKind, tmp_path: Path) -> None:
    """Found, registered and blended to a target as a punch is; but no file can hold it."""
    spaces = [strikes.build(takes(), kind) for kind in ("jab", "punch")]
    target = (0.1, 1.4)
    made, same = (space.reach(target) for space in spaces)
    assert spaces[0].examples.kind == "jab"
    np.testing.assert_array_equal(made.motion.positions, same.motion.positions)
    with pytest.raises(SpaceError, match=r"cannot be held by a \.mog file"):
        strikes.save(spaces[0], tmp_path / "jabs.mog")
    assert not (tmp_path / "jabs.mog").exists()


def test_the_command_line_lists_kinds_that_are_added(jab: StrikeKind, tmp_path: Path) -> None:
    kg.save(takes()[0], tmp_path / "take.npz")
    assert "jab" in call("space", "build", "--help").out
    words = ("space", "build", tmp_path / "take.npz", "-o", tmp_path / "s.mog")
    assert "--kind punch or --kind kick or --kind jab" in call(*words).err
    assert "expected punch or kick or jab" in call(*words, "--kind", "slap").err


def test_a_kind_that_nobody_knows_is_refused() -> None:
    for word in ("jab", "", ["punch"], None):
        with pytest.raises(SpaceError, match=r"unknown kind of strike .*: expected punch or kick"):
            kind_of(word)  # type: ignore[arg-type]
