from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kinegraph.errors import MissingExtraError
from kinegraph.plots import canvas
from kinegraph.plots.curve import curve_picture
from tests.plots.made import made_graph


@pytest.mark.parametrize(("suffix", "begins"), [(".png", b"\x89PNG"), (".SVG", b"<?xml"), (".pdf", b"%PDF")])
def test_a_figure_is_written_in_the_format_of_its_suffix_with_the_same_bytes_each_time(
    tmp_path: Path, suffix: str, begins: bytes
) -> None:
    path = tmp_path / f"figure{suffix}"
    contents = []
    for _ in range(2):
        figure = canvas.new_figure(2, 2)
        figure.add_subplot(xticks=[], yticks=[]).imshow([[0, 1], [2, 3]])
        canvas.write(figure, path)
        contents.append(path.read_bytes())
    assert contents[0].startswith(begins)
    assert len(contents[0]) > 500
    assert contents[0] == contents[1]


def test_an_existing_file_survives_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "old.png"
    path.write_bytes(b"precious")
    figure = canvas.new_figure(4, 3)

    def half_written(target: Path, **_: object) -> None:
        Path(target).write_bytes(b"half")
        raise RuntimeError("the pen broke")

    monkeypatch.setattr(figure, "savefig", half_written)
    with pytest.raises(RuntimeError, match="the pen broke"):
        canvas.write(figure, path)
    assert path.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [path]


def test_without_matplotlib_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'kinegraph\[plot\]'"):
        curve_picture(made_graph().record.report, tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_pyplot_is_never_imported_and_matplotlib_only_on_use(tmp_path: Path) -> None:
    script = f"""
import sys
from kinegraph.plots import arcs, canvas, curve, distance, graph, tracks
assert not any(name.partition(".")[0] == "matplotlib" for name in sys.modules), "imported too early"
from tests.plots.made import made_graph
curve.curve_picture(made_graph().record.report, {str(tmp_path / "a.png")!r})
assert "matplotlib" in sys.modules
assert "matplotlib.pyplot" not in sys.modules
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_long_names_are_cut_in_their_middle() -> None:
    assert canvas.shown("walk") == "walk"
    cut = canvas.shown("a_very_long_name_of_a_clip_mirrored", 20)
    assert len(cut) == 20
    assert cut == "a_very_lon…_mirrored"
    assert canvas.shown("$a$") == r"\$a\$"
