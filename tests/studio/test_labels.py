from __future__ import annotations

import tomllib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from kinegraph.graph import labels as rules
from kinegraph.graph.labels import TimedLabel
from kinegraph.studio.workspace.labels import LabelBook

TEXT = """# labels of the second session
["walk"]
labels = ["walk"]   # the whole clip

["16_*"]  # all of subject 16
spans = [
  {label = "careful", from = 0.5, to = 2.0},
]

[plain]
labels = ["x"]
"""


def book(folder: Path, text: str = TEXT) -> LabelBook:
    (folder / "labels.toml").write_text(text, encoding="utf-8")
    return LabelBook(folder)


def test_all_else_stays_as_it_was_written(tmp_path: Path) -> None:
    labels = book(tmp_path)
    labels.put("walk", [TimedLabel("slow"), TimedLabel("turn_left", 1.0, 2.0)])
    text = (tmp_path / "labels.toml").read_text()
    assert text.startswith("# labels of the second session\n")
    assert "# all of subject 16" in text
    assert labels.own("walk") == (TimedLabel("slow"), TimedLabel("turn_left", 1.0, 2.0))
    labels.put("walk", [])
    labels.put("plain", [])
    assert set(tomllib.loads((tmp_path / "labels.toml").read_text())) == {"16_*"}


def test_a_file_that_is_laid_out_strangely_is_written_anew(tmp_path: Path) -> None:
    strange = 'walk = {labels = ["a"]}\n["run"]\nlabels = [\n"x",\n["y"][0],\n]\n'.replace('["y"][0],\n', "")
    labels = book(tmp_path, strange)
    labels.put("walk", [TimedLabel("b")])
    found = rules.read(tmp_path / "labels.toml")
    assert found.of("walk") == [TimedLabel("b")]
    assert found.of("run") == [TimedLabel("x")]


def test_a_new_name_takes_its_table_along(tmp_path: Path) -> None:
    labels = book(tmp_path)
    labels.rename("walk", "a.b c")
    labels.rename("nobody", "else")
    assert set(tomllib.loads((tmp_path / "labels.toml").read_text())) == {"a.b c", "16_*", "plain"}


@given(
    st.dictionaries(
        st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=12),
        st.lists(
            st.builds(
                TimedLabel,
                st.from_regex(r"[a-z0-9_-]{1,8}", fullmatch=True),
                st.floats(0, 5).map(lambda x: round(x, 3)),
                st.none() | st.floats(6, 9).map(lambda x: round(x, 3)),
            ),
            min_size=1,
            max_size=3,
        ),
        max_size=4,
    )
)
def test_whatever_is_put_comes_back(tmp_path: Path, tables: dict[str, list[TimedLabel]]) -> None:
    labels = book(tmp_path)
    for name, said in tables.items():
        labels.put(name, said)
    found = rules.read(tmp_path / "labels.toml").tables
    for name, said in tables.items():
        assert sorted(found[name], key=repr) == sorted(said, key=repr)
    assert {"16_*"} - set(tables) <= set(found)
