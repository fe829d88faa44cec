"""The command line as its user meets it: a separate process, its two streams, its exit code and its files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.formats import suffixes


def run(*words: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kinegraph", *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clips") / "walk.bvh"
    kg.save(samples.make("walk").motion, path)
    return path


def test_info_says_what_a_clip_holds(walk: Path) -> None:
    done = run("info", walk, "--joints")
    assert done.returncode == 0
    assert "24" in done.stdout
    assert "60 frames/s" in done.stdout
    assert "21 of 21 (samples)" in done.stdout
    assert "left_ankle" in done.stdout
    assert "lengths taken as centimetres" in done.stderr


def test_info_json_is_one_object_and_nothing_else(walk: Path) -> None:
    done = run("info", walk, "--json")
    facts = json.loads(done.stdout)
    motion = samples.make("walk").motion
    assert {"joints", "frames", "fps", "seconds", "height_m", "notices"} <= facts.keys()
    assert facts["frames"] == len(motion)
    assert facts["fps"] == 60.0
    assert abs(facts["height_m"] - motion.skeleton.stature) < 1e-3
    assert done.stderr == ""
    several = json.loads(run("info", walk, walk, "--json").stdout)
    assert [entry["frames"] for entry in several["files"]] == [len(motion)] * 2


def test_info_goes_on_after_a_bad_file(walk: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\nROT x")
    done = run("info", bad, walk, "--json")
    assert done.returncode == 2
    first, second = json.loads(done.stdout)["files"]
    assert "bad.bvh:2:1" in first["error"]
    assert second["joints"] == 24
    assert "bad.bvh:2:1" in done.stderr


def test_info_doubts_what_it_is_told(walk: Path) -> None:
    assert "172 m tall" in run("info", walk, "--units", "m").stderr
    assert "lies along Z" in run("info", walk, "--up", "z").stderr


def test_info_on_a_terminal_without_signs(walk: Path) -> None:
    command = [sys.executable, "-m", "kinegraph", "info", str(walk)]
    plain = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, timeout=60, check=False, env=plain)
    assert done.returncode == 0
    assert b"frames/s" in done.stdout


def test_info_starts_without_heavy_modules(walk: Path) -> None:
    script = (
        f"import sys; sys.argv = ['kinegraph', 'info', {str(walk)!r}]\n"
        "from kinegraph.cli import main\n"
        "try:\n    main()\nexcept SystemExit: pass\n"
        "print([name for name in ('numba', 'PIL', 'pooch', 'requests', 'imageio_ffmpeg') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"


# FBX needs Blender: see blender/ and tests/formats/test_fbx.py
@pytest.mark.parametrize("suffix", [suffix for suffix in suffixes() if suffix != ".fbx"])
def test_convert_to_every_format_and_back(walk: Path, tmp_path: Path, suffix: str) -> None:
    there, back = tmp_path / f"there{suffix}", tmp_path / "back.bvh"
    done = run("convert", walk, there)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert run("convert", there, back, "--rate", "60").returncode == 0
    motion, again = kg.load(walk), kg.load(back)
    for role in motion.skeleton.roles:
        assert np.abs(again.position(role) - motion.position(role)).max() < 1e-4
    assert again.fps == motion.fps


def test_convert_cuts_mirrors_and_retargets(walk: Path, tmp_path: Path) -> None:
    body, target = tmp_path / "child.npz", tmp_path / "changed.npz"
    motion = kg.load(walk)
    kg.save(kg.retarget(motion, motion.skeleton.scaled(0.7)), body)
    done = run("convert", walk, target, "--frames", "10:50", "--mirror", "--onto", body)
    assert done.returncode == 0, done.stderr
    changed = kg.load(target)
    expected = kg.retarget(kg.mirror(motion[10:50]), kg.load(body).skeleton)
    assert np.array_equal(changed.positions, expected.positions)


def test_a_unit_that_cannot_be_guessed_is_told(walk: Path, tmp_path: Path) -> None:
    body = tmp_path / "doll.npz"
    motion = kg.load(walk)
    kg.save(kg.retarget(motion, motion.skeleton.scaled(0.4)), body)
    assert "--units cm" in run("convert", body, tmp_path / "doll.bvh").stderr
    assert "--units" not in run("convert", walk, tmp_path / "adult.bvh").stderr


def test_convert_resamples(walk: Path, tmp_path: Path) -> None:
    target = tmp_path / "slow.bvh"
    done = run("convert", walk, target, "--fps", "20", "--target-units", "m", "--json")
    assert json.loads(done.stdout)["fps"] == 20.0
    assert kg.load(target, units="m").fps == 20.0
    assert len(kg.load(target, units="m")) == len(samples.make("walk").motion[::3])


def test_samples_writes_clips_and_what_is_known_of_them(tmp_path: Path) -> None:
    done = run("samples", "-o", tmp_path / "new" / "clips", "walk", "punch_high_left", "--json")
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "new" / "clips"
    truth = json.loads((folder / "samples.json").read_text())
    assert truth == json.loads(done.stdout)["clips"]
    assert truth["walk"]["label"] == "walk"
    assert truth["walk"]["contacts"]["left_heel"]
    assert len(truth["punch_high_left"]["target_m"]) == 3
    assert sorted(path.name for path in folder.iterdir()) == ["punch_high_left.bvh", "samples.json", "walk.bvh"]
    listed = run("samples", "--list", "-o", tmp_path / "none")
    assert len(listed.stdout.splitlines()) == len(samples.names())
    assert not (tmp_path / "none").exists()


def test_samples_keeps_what_it_knows_of_others(tmp_path: Path) -> None:
    run("samples", "-o", tmp_path, "walk")
    assert run("samples", "-o", tmp_path, "run", "nope").returncode == 2
    assert not (tmp_path / "run.bvh").exists()
    run("samples", "-o", tmp_path, "run")
    assert sorted(json.loads((tmp_path / "samples.json").read_text())) == ["run", "walk"]


def test_names_are_not_taken_for_markup(walk: Path, tmp_path: Path) -> None:
    odd = tmp_path / "[red]:foot:x.bvh"
    odd.write_bytes(walk.read_bytes())
    assert "[red]:foot:x.bvh" in run("info", odd.name, folder=tmp_path).stdout
    assert run("convert", odd.name, "[b]y.npz", folder=tmp_path).returncode == 0


def test_a_skeleton_whose_unit_is_wrong_is_doubted_like_a_clips(walk: Path, tmp_path: Path) -> None:
    run("convert", walk, tmp_path / "body.amc")
    path = tmp_path / "body.asf"
    path.write_text(path.read_text().replace("length 0.45\n", "length 1.0\n"))
    done = run("convert", walk, tmp_path / "out.npz", "--onto", path)
    assert "the file's own unit would make the body" in done.stderr
    assert abs(kg.load(tmp_path / "out.npz").skeleton.stature - kg.load(walk).skeleton.stature) < 0.01


def test_render_draws_a_strip(walk: Path, tmp_path: Path) -> None:
    target = tmp_path / "strip.png"
    done = run("render", walk, "-o", target, "--poses", "4", "--width", "400", "--height", "160")
    assert done.returncode == 0, done.stderr
    assert target.read_bytes().startswith(b"\x89PNG")


def test_roles_by_the_user(tmp_path: Path) -> None:
    clip, roles = tmp_path / "odd.bvh", tmp_path / "roles.toml"
    motion = samples.make("walk").motion
    names = [f"j{index}" for index in range(len(motion.skeleton))]
    text = (tmp_path / "named.bvh").as_posix()
    kg.save(motion, text)
    content = Path(text).read_text()
    for name, odd in sorted(zip(motion.skeleton.names, names, strict=True), key=lambda pair: -len(pair[0])):
        content = content.replace(f" {name}\n", f" {odd}\n")
    clip.write_text(content)
    roles.write_text("".join(f'{role} = "{names[index]}"\n' for role, index in motion.skeleton.roles.items()))
    assert json.loads(run("info", clip, "--json").stdout)["roles"] == {}
    assert len(json.loads(run("info", clip, "--roles", roles, "--json").stdout)["roles"]) == 21
    roles.write_text('left_ankel = "j3"\n')
    assert "unknown body role 'left_ankel'" in run("info", clip, "--roles", roles).stderr


BAD = {
    "missing": (["info", "nowhere.bvh"], "nowhere.bvh: no such file"),
    "folder": (["info", "."], "this is a folder"),
    "suffix": (["convert", "walk.bvh", "walk.xyz"], "unknown suffix '.xyz'"),
    "asf": (["info", "walk.asf"], "an ASF is a skeleton"),
    "garbage": (["info", "garbage.bvh"], "garbage.bvh:1:"),
    "truncated": (["convert", "cut.bvh", "out.bvh"], "cut.bvh:"),
    "no asf": (["info", "alone.amc"], "its ASF was not found"),
    "unit": (["info", "walk.bvh", "--units", "parsec"], "unknown unit 'parsec'"),
    "axis": (["info", "walk.bvh", "--up", "x"], "unknown vertical axis 'x'"),
    "rate": (["info", "walk.bvh", "--rate", "-3"], "must be positive"),
    "fps": (["convert", "walk.bvh", "out.bvh", "--fps", "0"], "must be positive"),
    "no folder": (["convert", "walk.bvh", "no/such/folder/out.bvh"], "no/such/folder"),
    "too fast": (["convert", "walk.bvh", "out.bvh", "--fps", "1e9"], "at most 10,000"),
    "frames": (["convert", "walk.bvh", "out.bvh", "--frames", "9000:"], "leave nothing"),
    "no frames": (["convert", "walk.bvh", "out.bvh", "--frames", "ten"], "expected frames such as 10:80"),
    "itself": (["convert", "walk.bvh", "walk.bvh"], "the source itself"),
    "foreign asf": (["convert", "walk.bvh", "walk.amc"], "would be overwritten"),
    "picture": (["render", "walk.bvh", "-o", "out.bmp"], ".bmp"),
    "poses of a film": (["render", "walk.bvh", "-o", "out.gif", "--poses", "3"], "poses is for a strip"),
    "rate of a strip": (["render", "walk.bvh", "-o", "out.png", "--fps", "3"], "fps is for a film"),
    "subject": (["fetch", "cmu", "999"], "no subject 999"),
    "clip": (["samples", "-o", "new", "wlak"], "walk"),
    "usage": (["info"], "Missing argument"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_and_no_file(walk: Path, tmp_path: Path, case: str) -> None:
    text = walk.read_bytes()
    (tmp_path / "walk.bvh").write_bytes(text)
    (tmp_path / "walk.asf").write_text(":version 1.10\n")
    (tmp_path / "garbage.bvh").write_bytes(bytes(range(256)) * 8)
    (tmp_path / "cut.bvh").write_bytes(text[: len(text) // 2])
    (tmp_path / "alone").mkdir()
    (tmp_path / "alone" / "alone.amc").write_text(":DEGREES\n1\nroot 0 0 0 0 0 0\n")
    words, sentence = BAD[case]
    folder = tmp_path / "alone" if case == "no asf" else tmp_path
    before = sorted(tmp_path.rglob("*"))
    done = run(*words, folder=folder)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    after = [path for path in sorted(tmp_path.rglob("*")) if path.name != "new"]
    assert after == before


def test_fetch_offline_is_a_sentence(tmp_path: Path) -> None:
    done = run("fetch", "cmu", "16_15", "-o", tmp_path / "cmu", "--from", "http://127.0.0.1:9/")
    assert done.returncode == 1
    assert "127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.rglob("*.amc"))


def test_version_and_help() -> None:
    assert run("--version").stdout.strip() == f"kinegraph {kg.__version__}"
    for verb in ("info", "convert", "samples", "render", "demo"):
        assert verb in run("--help").stdout
        assert run(verb, "--help").returncode == 0
    assert "16_11-32" in run("fetch", "cmu", "--help").stdout
