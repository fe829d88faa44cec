"""Several labels at once: what a text says, checked against Python's own ``and``, ``or`` and ``not``."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.errors import GraphError
from kinegraph.graph.expressions import Expression, is_expression

LABELS = ("walk", "turn_left", "so-so")
ROWS = np.array(list(product([False, True], repeat=len(LABELS))))
BORNE = dict(zip(LABELS, ROWS.T, strict=True))


def texts(depth: int = 4) -> st.SearchStrategy[tuple[str, str]]:
    """An expression, in signs or words, and the same in Python."""
    leaf = st.sampled_from([(label, f"row[{number}]") for number, label in enumerate(LABELS)])

    def more(inner: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[tuple[str, str]]:
        pairs = st.tuples(inner, inner)
        negated = st.sampled_from(["!", "not ", " ! "])
        both, either = st.sampled_from(["+", " + ", " and "]), st.sampled_from(["|", " | ", " or "])
        return st.one_of(
            st.builds(lambda sign, one: (f"{sign}({one[0]})", f"(not {one[1]})"), negated, inner),
            st.builds(lambda two, sign: (f"({two[0][0]}{sign}{two[1][0]})", f"({two[0][1]} and {two[1][1]})"), pairs, both),
            st.builds(lambda two, sign: (f"({two[0][0]}{sign}{two[1][0]})", f"({two[0][1]} or {two[1][1]})"), pairs, either),
        )  # fmt: skip

    return st.recursive(leaf, more, max_leaves=2**depth)


@given(texts())
def test_an_expression_means_what_python_means(text: tuple[str, str]) -> None:
    said, python = text
    meant = [bool(eval(python, {"row": row})) for row in ROWS.tolist()]
    assert Expression.of(said).frames(BORNE.__getitem__).tolist() == meant


def test_not_binds_closest_then_and_then_or() -> None:
    walk, left, so = (BORNE[label] for label in LABELS)
    for text in ("walk|!turn_left+so-so", "walk or not turn_left and so-so", " walk |! turn_left +so-so "):
        assert np.array_equal(Expression.of(text).frames(BORNE.__getitem__), walk | (~left & so))
    assert np.array_equal(Expression.of("!!walk").frames(BORNE.__getitem__), walk)


def test_a_label_is_no_expression() -> None:
    for label in ("walk", "android", "knot", "for-ever", "walk_not_run", "2nd"):
        assert not is_expression(label)
        assert Expression.of(label).labels == (label,)
    assert Expression.of("walk+walk|!walk").labels == ("walk",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("walk+", "a label is missing at the end"),
        ("+walk", r"a label is missing before '\+'"),
        ("walk||run", r"a label is missing before '\|'"),
        ("!", "a label is missing at the end"),
        ("(walk|run", r"a \) is missing"),
        ("walk)+run", r"'\)' stands where"),
        ("walk run+jump", "'run' stands where"),
        ("walk+run&jump", "'&' is no part of a label"),
        ("not", "a label is missing at the end"),
    ],
)
def test_what_cannot_be_understood_is_told(text: str, why: str) -> None:
    with pytest.raises(GraphError, match=why) as told:
        Expression.of(text)
    assert repr(text) in str(told.value)
    assert "walk+happy for both" in str(told.value)
