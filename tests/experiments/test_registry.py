"""Every experiment says what it repeats, and the page that is committed holds all of them."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from kinegraph.errors import KinegraphError
from kinegraph.experiments import DOCUMENTS, EXPERIMENTS, Experiment
from kinegraph.experiments.page import anchor
from kinegraph.experiments.running import chosen

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "experiments.md"

each = pytest.mark.parametrize("one", EXPERIMENTS.values(), ids=list(EXPERIMENTS))


@each
def test_it_says_what_was_published_and_where(one: Experiment) -> None:
    assert one.document in DOCUMENTS
    assert re.search(r"(table|figure|section|equation)s? .*\d", one.where)
    assert one.published
    assert all(what.strip() and said.strip() for what, said in one.published.items())
    assert one.title
    assert one.run.__doc__


def test_every_document_is_repeated_and_stands_together() -> None:
    order = [one.document for one in EXPERIMENTS.values()]
    assert set(order) == set(DOCUMENTS)
    changes = sum(a != b for a, b in pairwise(order))
    assert changes == len(DOCUMENTS) - 1


def test_titles_make_links_of_their_own() -> None:
    anchors = [anchor(one.title) for one in EXPERIMENTS.values()]
    assert len(set(anchors)) == len(anchors)


@each
def test_the_page_holds_it(one: Experiment) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert f"### {one.title}\n\n{one.document}, {one.where}; `{one.name}`." in page
    section = page.split(f"### {one.title}\n")[1].split("\n##")[0]
    for what, said in one.published.items():
        assert f"| {what} | {said} | " in section
    assert "Not repeated here" not in section


def test_every_picture_of_the_page_is_there_and_none_is_left_over() -> None:
    shown = re.findall(r"\]\((images/experiments/[\w-]+\.png)\)", PAGE.read_text(encoding="utf-8"))
    assert len(shown) > 30
    assert sorted(shown) == sorted(
        file.relative_to(DOCS).as_posix() for file in (DOCS / "images" / "experiments").iterdir()
    )
    assert sum((DOCS / file).stat().st_size for file in shown) < 3_000_000


def test_what_is_asked_for_may_be_a_beginning() -> None:
    assert [one.name for one in chosen(["path-end", "dirican-w"])] == ["dirican-weights", "path-end"]
    assert [one.name for one in chosen([])] == list(EXPERIMENTS)
    with pytest.raises(KinegraphError, match=r"no experiment called 'kovar'.*--list"):
        chosen(["kovar"])
