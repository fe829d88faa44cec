from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import kinegraph as kg
from kinegraph.paths.ground import ground
from kinegraph.player import unpack
from kinegraph.studio.rooms.repath import repathing
from tests.cli.inprocess import call
from tests.studio.asking import clip_id

ARC = {"degree": 3, "controls": [[0, 0], [0, 2], [1, 4], [3, 5]]}


def laid(client: TestClient, clip: str = "walk", **asked: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Facts of the result, and all arrays with their scales applied."""
    answer = client.post(f"/api/clips/{clip_id(client, clip)}/repath", json={"path": ARC, **asked})
    assert answer.status_code == 200, answer.text
    facts, arrays, scales = unpack(answer.content)
    return {**facts, **facts["result"]}, {name: scales.get(name, 1.0) * array for name, array in arrays.items()}


def test_own_path_is_a_spline_near_the_clip(client: TestClient, folder: Path) -> None:
    own = client.get(f"/api/clips/{clip_id(client, 'walk')}/path?controls=6").json()
    assert len(own["controls"]) == 6
    curve = kg.paths.Spline(own["controls"], own["degree"])
    assert own["length"] == pytest.approx(curve.length, abs=1e-3)
    assert np.allclose(own["points"][0], own["controls"][0], atol=1e-3)
    assert np.allclose(own["points"][-1], own["controls"][-1], atol=1e-3)
    course = kg.paths.course_of(kg.load(folder / "walk.bvh"))
    assert 100 * curve.nearest(course.frame.points)[0].max() == pytest.approx(own["apart_cm"], abs=0.01)
    assert own["fit"]["rms_cm"] < own["fit"]["max_cm"] < 10
    # a polynomial of higher degree fits at least as well
    fits = [fit["rms_cm"] for fit in own["degrees"]]
    assert fits == sorted(fits, reverse=True)


def test_result_is_what_the_library_makes(client: TestClient, folder: Path) -> None:
    facts, arrays = laid(client)
    made = kg.paths.repath(kg.load(folder / "walk.bvh"), kg.paths.Spline(ARC["controls"]))
    assert facts["frames"] == len(made.motion)
    assert np.abs(arrays["rotations"] - made.motion.rotations).max() < 2e-5
    assert np.abs(arrays["root"] - made.motion.root).max() < 1e-5
    assert np.array_equal(arrays["contacts"].astype(bool), made.contacts)
    assert (facts["room"], facts["clips"]) == ("repath", ["walk"])
    assert facts["request"]["path"]["controls"] == ARC["controls"]
    assert len(facts["plants"]) == len(made.slides.plants)
    assert arrays["slide_mm"].max() == pytest.approx(facts["quality"]["slide_mm"]["max"], abs=1e-2)
    assert arrays["deviation_cm"].max() == pytest.approx(facts["quality"]["deviation_cm"]["max"], abs=1e-2)
    assert arrays["track"].shape == (len(made.motion), 2)
    assert not arrays["altitude"].any()


def test_figures_are_those_of_the_command_line(client: TestClient, folder: Path, tmp_path: Path) -> None:
    facts, _ = laid(client, path={"shape": "circle:2"}, cycle=True, natural=True)
    told = call("repath", "walk.bvh", "circle:2", "--cycle", "--natural", "--json", folder=folder).json
    for name in told.keys() & facts["quality"].keys() - {"cpu_per_second", "frames", "seconds"}:
        assert facts["quality"][name] == told[name], name
    assert facts["quality"]["loop"]["seams"] == len(facts["transitions"]) > 0 or facts["request"]["natural"]


def test_seams_of_a_cycle_are_told_where_they_are(client: TestClient) -> None:
    facts, _ = laid(client, path={"shape": "circle:3"}, cycle=True)
    loop = facts["quality"]["loop"]
    assert len(facts["transitions"]) == loop["seams"] >= 2
    first = facts["transitions"][0]
    assert first["first"] + first["length"] / 2 == pytest.approx(loop["last_s"] * facts["fps"], abs=1)


def test_a_ground_is_drawn_anywhere(client: TestClient) -> None:
    grid = {"text": "hill:1,6", "x0": -3, "z0": 0.5, "step": 0.25, "rows": 30, "columns": 20}
    answer = client.get("/api/ground", params=grid)
    assert answer.status_code == 200, answer.text
    heights = unpack(answer.content)[1]["heights"]
    x, z = np.meshgrid(-3 + 0.25 * np.arange(20), 0.5 + 0.25 * np.arange(30))
    assert heights == pytest.approx(ground("hill:1,6")(np.stack([x, z], axis=-1)), abs=1e-6)
    for wrong, status in ({"text": "hole:1,2"}, 400), ({"text": "secret.npz"}, 422), ({"rows": 4000}, 422):
        assert client.get("/api/ground", params={**grid, **wrong}).status_code == status


def test_ground_is_sent_as_it_is_walked_on(client: TestClient) -> None:
    facts, arrays = laid(client, path={"shape": "line:5"}, ground="waves:0.4,5")
    about = facts["ground"]
    heights = arrays["ground"]
    assert heights.shape == (about["rows"], about["columns"])
    x, z = np.meshgrid(
        about["x0"] + about["step"] * np.arange(about["columns"]),
        about["z0"] + about["step"] * np.arange(about["rows"]),
    )
    assert np.abs(heights - ground("waves:0.4,5")(np.stack([x, z], axis=-1))).max() < 1e-3
    assert arrays["altitude"].max() > 0.2
    lifted, more = laid(client, path={"points": [[0, 0, 0], [0, 0.4, 3], [0, 0.4, 6]]})
    assert more["altitude"].max() == pytest.approx(0.4, abs=0.02)
    # beside the road it is as high as the road
    about = lifted["ground"]
    row = round((3.5 - about["z0"]) / about["step"])
    assert np.abs(more["ground"][row] - 0.4).max() < 0.02
    assert len(lifted["path"][0]) == 3


def test_a_path_brought_to_the_clip_is_shown_where_it_lies(client: TestClient, folder: Path) -> None:
    facts, arrays = laid(client, path={"points": [[5, 5], [5, 7], [6, 9]]}, start="clip")
    assert np.linalg.norm(np.subtract(facts["path"][0], facts["own_path"][0])) < 0.01
    assert np.linalg.norm(arrays["track"][0] - facts["path"][0]) < 0.2


@pytest.mark.parametrize(
    ("asked", "status", "word"),
    [
        ({"ground": "../secret.csv"}, 422, "ground"),
        ({"ground": "secret.npz"}, 422, "ground"),
        ({"ground": "hole:1,2"}, 400, "no ground is called"),
        ({"path": {"shape": "../secret.json"}}, 422, "shape"),
        ({"path": {"shape": "line:5000"}}, 422, "long"),
        ({"path": {"points": [[0, 0], [0, 0]]}}, 422, ""),
        ({"seconds": 3}, 400, "cycle"),
        ({"seconds": 1e9, "cycle": True}, 422, "seconds"),
        ({"stretch": 0.5}, 422, "stretch"),
        ({"keep": "pace"}, 422, "keep"),
        ({"colour": "red"}, 422, "colour"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    client: TestClient, asked: dict[str, Any], status: int, word: str
) -> None:
    answer = client.post(f"/api/clips/{clip_id(client, 'walk')}/repath", json={"path": ARC, **asked})
    assert answer.status_code == status, answer.text
    assert word in answer.json()["error"]


def test_unknown_clips_are_missing(client: TestClient) -> None:
    assert client.post("/api/clips/0123456789ab/repath", json={"path": ARC}).status_code == 404
    assert client.get("/api/clips/0123456789ab/path").status_code == 404


def test_a_clip_that_stands_has_no_path(client: TestClient, folder: Path) -> None:
    kg.save(kg.samples.make("stand").motion, folder / "stand.bvh")
    answer = client.get(f"/api/clips/{clip_id(client, 'stand')}/path")
    assert answer.status_code == 400
    assert "path" in answer.json()["error"]


def test_editors_are_made_once_and_given_up_at_last(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    real = repathing.PathEditor

    def counted(motion: kg.Motion, **options: Any) -> Any:
        made.append(motion)
        return real(motion, **options)

    monkeypatch.setattr(repathing, "PathEditor", counted)
    editors = repathing.Editors()
    walk = kg.samples.make("walk").motion
    assert editors.of(walk) is editors.of(walk)
    assert editors.of(walk, 4) is not editors.of(walk)
    assert len(made) == 2
    others = [walk.renamed(str(number)) for number in range(20)]
    for other in others:
        editors.of(other)
    editors.of(walk)
    assert len(made) == 23
