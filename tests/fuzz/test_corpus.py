"""Inputs worth keeping, each loaded again: those called good give a motion, those called bad a `KinegraphError`.

All are made up. Acclaim's two halves bear a further ``.txt``, so that nobody takes them for captured data.
"""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile

import numpy as np
import pytest

from kinegraph import KinegraphError, load

CORPUS = Path(__file__).with_name("corpus")
CLIPS = sorted(path.name for path in CORPUS.iterdir() if ".asf" not in path.suffixes)


@pytest.mark.parametrize("name", CLIPS)
def test_an_input_of_the_corpus(name: str, tmp_path: Path) -> None:
    for half in {name, name.replace(".amc", ".asf")}:
        copyfile(CORPUS / half, tmp_path / half.removesuffix(".txt"))
    clip = tmp_path / name.removesuffix(".txt")
    if name.startswith("good-"):
        assert np.isfinite(load(clip).positions).all()
    else:
        assert name.startswith("bad-")
        with pytest.raises(KinegraphError) as caught:
            load(clip)
        assert len(str(caught.value)) < 1000


def test_the_corpus_is_there() -> None:
    assert len(CLIPS) > 25
