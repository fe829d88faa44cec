"""Inputs worth keeping, each loaded again: those called good give a motion, those called bad a `KinegraphError`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinegraph import KinegraphError, load

CORPUS = Path(__file__).with_name("corpus")
CLIPS = sorted(path.name for path in CORPUS.iterdir() if path.suffix != ".asf")


@pytest.mark.parametrize("name", CLIPS)
def test_an_input_of_the_corpus(name: str) -> None:
    if name.startswith("good-"):
        motion = load(CORPUS / name)
        assert np.isfinite(motion.positions).all()
    else:
        assert name.startswith("bad-")
        with pytest.raises(KinegraphError) as caught:
            load(CORPUS / name)
        assert len(str(caught.value)) < 1000


def test_every_clip_has_its_own_skeleton() -> None:
    clips = {Path(name).stem for name in CLIPS if name.endswith(".amc")}
    assert clips == {path.stem for path in CORPUS.glob("*.asf")}
