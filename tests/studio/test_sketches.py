from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from kinegraph import paths


@pytest.mark.parametrize(
    "path",
    [
        {"points": [[0, 0], [0, 3.25], [2, 5]]},
        {"points": [[0, 0, 0], [0, 0.5, 3], [2, 1, 5]]},
        {"degree": 2, "controls": [[0, 0], [0, 2], [2, 2]]},
        {"controls": [[0, 0], [0, 2], [2, 2], [3, 3]]},
        {"shape": "eight:30"},
    ],
)
def test_a_sketch_is_kept_as_the_command_line_reads_it(client: TestClient, folder: Path, path: dict[str, Any]) -> None:
    entry = client.put("/api/sketches/my way", json=path).json()
    assert entry["file"] == "sketches/my way.json"
    curve = paths.read_curve(folder / entry["file"])
    back = client.get(f"/api/sketches/{entry['id']}").json()
    if "points" in path:
        assert back == path
    elif "controls" in path:
        assert back == {"degree": 3, **path}
        assert isinstance(curve, paths.Spline)
    else:
        assert len(back["points"]) == 5000
        assert abs(curve.length - 120 * np.pi) < 0.01
    assert [sketch["name"] for sketch in client.get("/api/state").json()["sketches"]] == ["my way"]
    token = client.delete(f"/api/sketches/{entry['id']}").json()["trash"]
    assert client.get("/api/state").json()["sketches"] == []
    assert client.post(f"/api/trash/{token}/restore").json()["file"] == entry["file"]


@pytest.mark.parametrize(
    "path",
    [
        {},
        {"points": []},
        {"points": [[0, 0]]},
        {"points": [[0, 0], [0, 0]]},
        {"points": [[0, 0], [1, 2, 3]]},
        {"points": [[0, 0], [1, 1e300]]},
        {"points": [[0, 0], [1, "x"]]},
        {"points": [[0, 0]] * 5001},
        {"points": [[0, 0], [1, 1]], "shape": "line:3"},
        {"shape": "line"},
        {"shape": "/etc/passwd"},
        {"shape": "walk.json"},
        {"shape": "blob:3"},
        {"degree": 3, "controls": [[0, 0], [1, 1]]},
        {"degree": 3, "points": [[0, 0], [1, 1]]},
        {"degree": 0, "controls": [[0, 0], [1, 1]]},
        {"points": [[0, 0], [0, 1]], "more": 1},
        [[0, 0], [1, 1]],
        None,
    ],
)
def test_what_is_no_path_is_told(client: TestClient, folder: Path, path: Any) -> None:
    answer = client.put("/api/sketches/x", json=path)
    assert answer.status_code == 422
    assert answer.json()["error"]
    assert not (folder / "sketches" / "x.json").exists()


def test_numbers_that_json_does_not_know(client: TestClient) -> None:
    for text in (
        '{"points": [[0, 0], [0, NaN]]}',
        '{"points": [[0, 0], [0, Infinity]]}',
        '{"points": [[0, 0], [0, 1e999]]}',
        "{",
        "\xff",
    ):
        answer = client.put("/api/sketches/x", content=text, headers={"Content-Type": "application/json"})
        assert answer.status_code == 422
        assert answer.json()["error"]


@pytest.mark.parametrize("name", ["..", "%2e%2e", "..%2fx", ".x", "x" * 100, "a%00", "%5c..%5cx"])
def test_a_sketch_never_lies_elsewhere(client: TestClient, folder: Path, name: str) -> None:
    answer = client.put(f"/api/sketches/{name}", json={"shape": "line:3"})
    assert answer.status_code in (404, 405, 422)
    assert {path.name for path in folder.iterdir()} - {".kinegraph"} <= {"walk.bvh", "run.bvh", "sketches"}


def test_a_sketch_is_not_written_through_a_link_that_leads_out(client: TestClient, folder: Path) -> None:
    outside = folder.parent / "important.json"
    outside.write_text("important")
    (folder / "sketches").mkdir()
    (folder / "sketches" / "x.json").symlink_to(outside)
    (folder / "sketches" / "y.json").symlink_to(folder.parent / "new.json")
    (folder / "sketches" / "z.json").symlink_to(folder / "sketches" / "real.json")
    for name in ("x", "y"):
        answer = client.put(f"/api/sketches/{name}", json={"shape": "line:3"})
        assert answer.status_code == 400
        assert f"sketches/{name}.json" in answer.json()["error"]
    assert outside.read_text() == "important"
    assert not (folder.parent / "new.json").exists()
    # a link within the folder is one's own
    assert client.put("/api/sketches/z", json={"shape": "line:3"}).status_code == 200
    assert (folder / "sketches" / "real.json").exists()


def test_whatever_else_lies_there_is_shown_or_told(client: TestClient, folder: Path) -> None:
    (folder / "sketches").mkdir()
    (folder / "sketches" / "list.json").write_text("[[0, 0], [1, 2]]")
    (folder / "sketches" / "dicts.json").write_text('{"points": [{"x": 0, "z": 0}, {"x": 1, "z": 2}]}')
    (folder / "sketches" / "torn.json").write_text('{"points": [[0')
    (folder / "sketches" / "huge.json").write_text("[[0, 0], [1, 2]]" + " " * 5_000_000)
    ids = {sketch["name"]: sketch["id"] for sketch in client.get("/api/state").json()["sketches"]}
    for name in ("list", "dicts"):
        assert client.get(f"/api/sketches/{ids[name]}").json() == {"points": [[0, 0], [1, 2]]}
    for name in ("torn", "huge"):
        assert client.get(f"/api/sketches/{ids[name]}").status_code == 400
