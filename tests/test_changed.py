"""`make quick` runs the tests of what has changed."""

from __future__ import annotations

from tests.changed import ROOT, SLOW, selected


def names(*files: str) -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in selected(ROOT / file for file in files)]


def test_a_module_has_its_examples_the_tests_of_its_name_and_those_that_import_it() -> None:
    found = names("src/kinegraph/paths/warp.py")
    assert found[:2] == ["src/kinegraph/paths/warp.py", "tests/paths/test_warp.py"]


def test_a_test_is_its_own() -> None:
    assert names("tests/paths/test_warp.py", "tests/paths/test_warp.py") == ["tests/paths/test_warp.py"]


def test_what_takes_long_runs_only_where_it_was_changed_itself() -> None:
    assert not any(name.rpartition("/")[2].startswith(SLOW) for name in names("src/kinegraph/studio/server/app.py"))
    assert names("tests/studio/test_page.py") == ["tests/studio/test_page.py"]


def test_what_is_no_python_has_none() -> None:
    assert names("README.md", "web/src/app.tsx") == []
