import subprocess
import sys

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

from kinegraph.errors import FormatError, KinegraphError, MissingExtraError
from kinegraph.motion import Motion
from kinegraph.rendering import film, render
from kinegraph.rendering.films import Shots, glide
from tests.rendering.render_motions import make_person


def _read_mp4(path, width, height):
    """Frames ``(F, height, width, 3)`` and seconds; the size is checked by the decoder's own count of bytes."""
    exe = imageio_ffmpeg.get_ffmpeg_exe()
    command = [exe, "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    pixels = np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, np.uint8)
    count, seconds = imageio_ffmpeg.count_frames_and_secs(str(path))
    return pixels.reshape(count, height, width, 3), seconds


def test_mp4_has_the_frames_size_and_rate_asked_for(tmp_path, person):
    calls = []
    film(
        person,
        tmp_path / "a.mp4",
        fps=12,
        width=97,
        height=80,
        watch=lambda _, done, total: calls.append((done, total)),
    )
    frames, seconds = _read_mp4(tmp_path / "a.mp4", 96, 80)
    assert len(frames) == 12
    assert seconds == pytest.approx(1.0)
    assert calls == [(done, 12) for done in range(1, 13)]
    shown = Shots(person.resample(12), 96, 80, "auto", True)
    assert np.abs(frames[5].astype(int) - shown[5]).mean() < 4
    assert [path.name for path in tmp_path.iterdir()] == ["a.mp4"]


def test_gif_has_the_frames_size_and_time_asked_for(tmp_path, person):
    render(person, tmp_path / "a.gif", fps=12, width=90, height=71)
    with Image.open(tmp_path / "a.gif") as image:
        assert image.size == (90, 71)
        assert image.n_frames == 12
        assert image.info["loop"] == 0
        delays, difference = [], []
        shots = Shots(person.resample(12), 90, 71, "auto", True)
        for frame in range(12):
            image.seek(frame)
            delays.append(image.info["duration"])
            difference.append(np.abs(np.asarray(image.convert("RGB")).astype(int) - shots[frame]).mean())
    assert sum(delays) == 1000
    assert max(difference) < 4


def test_films_are_the_same_bytes_again(tmp_path):
    short = make_person(4)
    for suffix in ("gif", "mp4", "png"):
        options = {"width": 64, "height": 64}
        render(short, tmp_path / f"a.{suffix}", **options)
        render(short, tmp_path / f"b.{suffix}", **options)
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()


def test_a_following_camera_keeps_a_long_walk_in_the_middle_and_large():
    walk = make_person(120, speed=2.0)
    following, still = Shots(walk, 160, 120, "side", True), Shots(walk, 160, 120, "side", False)

    def blue(picture):
        rows, columns = np.nonzero((picture[..., 2].astype(int) - picture[..., 0]) > 40)
        return columns.mean(), np.ptp(rows)

    for frame in (0, 60, 119):
        column, height = blue(following[frame])
        assert abs(column - 80) < 25
        assert height > 50
    columns = [blue(still[frame])[0] for frame in (0, 60, 119)]
    assert columns[0] < 40 < columns[1] < 120 < columns[2]


def test_glide_keeps_a_steady_course_and_smooths_steps():
    straight = np.linspace(0, 5, 50)[:, None] * [1.0, -2.0]
    assert np.allclose(glide(straight, 6.0), straight)
    shaken = straight + 0.1 * np.random.default_rng(0).normal(size=straight.shape)
    assert np.abs(np.diff(glide(shaken, 6.0), 2, axis=0)).max() < 0.1 * np.abs(np.diff(shaken, 2, axis=0)).max()
    assert np.allclose(glide(straight[:1], 6.0), straight[:1])
    assert np.allclose(glide(straight[:2], 6.0), straight[:2])


@pytest.mark.parametrize("suffix", ["gif", "mp4", "png"])
def test_single_frame(tmp_path, person, creature, suffix):
    for name, motion in (("person", person), ("creature", creature)):
        target = tmp_path / f"{name}.{suffix}"
        render(motion[:1], target, width=64, height=64)
        assert target.stat().st_size > 100


@pytest.mark.parametrize("suffix", ["gif", "mp4"])
def test_failure_leaves_nothing(tmp_path, person, suffix):
    def stop(stage, done, total):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        film(person, tmp_path / f"a.{suffix}", width=64, height=64, watch=stop)
    assert not any(tmp_path.iterdir())


def test_encoder_that_fails_is_heard_and_leaves_nothing(tmp_path, monkeypatch):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho no space left >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(imageio_ffmpeg, "get_ffmpeg_exe", lambda: str(broken))
    with pytest.raises(KinegraphError, match="encoder failed: no space left"):
        film(make_person(40), tmp_path / "a.mp4", width=160, height=120)
    assert [path.name for path in tmp_path.iterdir()] == ["broken"]


def test_png_reports_progress(tmp_path, person):
    calls = []
    render(person, tmp_path / "a.PNG", poses=2, width=200, height=100, watch=lambda _, *call: calls.append(call))
    assert calls == [(1, 1)]
    with Image.open(tmp_path / "a.PNG") as image:
        assert image.size == (200, 100)


def test_other_suffixes_are_refused_with_a_list(tmp_path, person):
    with pytest.raises(FormatError, match=r"\.avi.*\.png.*\.gif.*\.mp4"):
        render(person, tmp_path / "a.avi")
    with pytest.raises(FormatError, match="without a suffix"):
        render(person, tmp_path / "a")
    with pytest.raises(FormatError, match=r"\.gif or \.mp4"):
        film(person, tmp_path / "a.png")


@pytest.mark.parametrize("options", [{"fps": 0}, {"fps": float("nan")}, {"width": 2}])
def test_bad_options_are_refused(tmp_path, person, options):
    with pytest.raises(KinegraphError, match=r"positive|too small"):
        film(person, tmp_path / "a.gif", **options)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(("suffix", "package"), [("png", "PIL.Image"), ("gif", "PIL.Image"), ("mp4", "imageio_ffmpeg")])
def test_missing_extra_says_what_to_install(tmp_path, monkeypatch, person, suffix, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'kinegraph\[render\]'"):
        render(person, tmp_path / f"a.{suffix}")
    assert not any(tmp_path.iterdir())


def test_bones_that_change_length_are_drawn(tmp_path, creature):
    stretched = np.tile(creature.skeleton.offsets, (6, 1, 1)) * np.linspace(1, 2, 6)[:, None, None]
    motion = Motion(creature.skeleton, creature.root, creature.rotations, 30.0, translations=stretched)
    film(motion, tmp_path / "a.gif", width=64, height=64)
    assert (tmp_path / "a.gif").exists()
