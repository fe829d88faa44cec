"""ASF and AMC as tools write them, checked against plain matrices."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from kinegraph import Motion, load, samples, save
from kinegraph.errors import FormatError
from kinegraph.formats import asf, numbers
from kinegraph.formats.text import SourceText
from tests.formats.reference import Bone, acclaim_ends, amc_text, asf_text
from tests.formats.texts import TWO_BONES_AMC, TWO_BONES_ASF, put, put_acclaim

METRES = 0.0254 / 0.45
SIX = ["tx", "ty", "tz", "rx", "ry", "rz"]
Frame = dict[str, list[float]]


def assert_as_reference(
    motion: Motion, bones: list[Bone], frames: list[Frame], position: tuple[float, float, float] = (0, 0, 0)
) -> None:
    """Each joint stands at the far end of the bone's parent, each tip at the far end of a last bone."""
    inner = {bone.parent for bone in bones}
    for number, frame in enumerate(frames):
        ends = acclaim_ends(bones, frame, position)
        for bone in bones[1:]:
            # where a bone shifts, its joint does not stand at its parent's end: its far end tells
            if not any(dof.startswith("t") for dof in bone.dof):
                here = motion.positions[number, motion.skeleton.index(bone.name)]
                np.testing.assert_allclose(here, ends[bone.parent] * METRES, atol=1e-9)
        tips = {
            motion.skeleton.names[parent]: tip
            for parent, tip in zip(motion.skeleton.tip_parents, motion.tips[number], strict=True)
        }
        assert set(tips) == {bone.name for bone in bones[1:]} - inner
        for name, tip in tips.items():
            np.testing.assert_allclose(tip, ends[name] * METRES, atol=1e-9)


def read(
    folder: Path, bones: list[Bone], frames: list[Frame], position: tuple[float, float, float] = (0, 0, 0)
) -> Motion:
    return load(put_acclaim(folder, asf_text(bones, position), amc_text(frames)), units=METRES, trim_tpose=False)


def arm(**changes: object) -> list[Bone]:
    """Root, a bone with everything, and one on its end to show how it turned."""
    first = Bone("first", "root", (0.6, 0.8, 0.0), 5.0, (10, 20, 30), "XYZ", ["rx", "ry", "rz"])
    for name, value in changes.items():
        setattr(first, name, value)
    return [
        Bone("root", "", dof=SIX),
        first,
        Bone("last", "first", (0, 0, 1), 3.0, (-40, 5, 90), "XYZ", ["rx", "ry", "rz"]),
    ]


ROOT_VALUES = [1.0, 2.0, 3.0, 40.0, 50.0, 60.0]


@pytest.mark.parametrize("order", ["".join(order) for order in permutations("XYZ")])
def test_axis_orders(tmp_path: Path, order: str) -> None:
    bones = arm(axis_order=order)
    bones[0].axis_order = order
    frames: list[Frame] = [
        {"root": ROOT_VALUES, "first": [11, 22, 33], "last": [44, 55, 66]},
        {"root": ROOT_VALUES[::-1], "first": [-1, 2, 3], "last": [4, 5, 6]},
    ]
    assert_as_reference(read(tmp_path, bones, frames), bones, frames)


@pytest.mark.parametrize(
    "dof", ["rx", "ry", "rz", "rz rx", "rx rz", "ry rx rz", "rz ry rx", "tx ty tz rx ry rz", "rz tx ry", "tz", ""]
)
def test_degrees_of_freedom_in_any_number_and_order(tmp_path: Path, dof: str) -> None:
    bones = arm(dof=dof.split())
    values = [float(10 * number + 7) for number in range(len(dof.split()))]
    frames: list[Frame] = [{"root": ROOT_VALUES, **({"first": values} if dof else {}), "last": [1, 2, 3]}] * 2
    motion = read(tmp_path, bones, frames)
    assert (motion.translations is not None) == ("t" in dof)
    assert_as_reference(motion, bones, frames)


def test_order_of_the_root_and_its_place(tmp_path: Path) -> None:
    bones = arm()
    bones[0] = Bone("root", "", axis=(15, 25, 35), axis_order="ZXY", dof=["rz", "tz", "rx", "tx", "ry", "ty"])
    frames: list[Frame] = [{"root": ROOT_VALUES, "first": [1, 2, 3], "last": [4, 5, 6]}]
    motion = read(tmp_path, bones, frames, (7, 8, 9))
    np.testing.assert_allclose(motion.root[0], np.array([7 + 40, 8 + 60, 9 + 2]) * METRES)
    assert_as_reference(motion, bones, frames, (7, 8, 9))


def test_a_change_of_length_is_passed_over_and_told(tmp_path: Path) -> None:
    bones = arm(dof=["rx", "l", "rz"])
    frames: list[Frame] = [{"root": ROOT_VALUES, "first": [10, 99, 30], "last": [4, 5, 6]}]
    motion = read(tmp_path, bones, frames)
    assert_as_reference(motion, bones, frames)
    assert any("dof l" in notice for notice in motion.notices)


def test_branches_share_the_far_end(tmp_path: Path) -> None:
    bones = [
        *arm(),
        Bone("twin", "first", (1, 0, 0), 2.0, (1, 2, 3), "ZYX", ["ry"]),
        Bone("side", "root", (0, 1, 0), 1.0),
    ]
    frames: list[Frame] = [{"root": ROOT_VALUES, "first": [1, 2, 3], "last": [4, 5, 6], "twin": [50]}]
    assert_as_reference(read(tmp_path, bones, frames), bones, frames)


# -- the text -------------------------------------------------------------------------------------------------------------


def plain(folder: Path) -> Motion:
    folder = folder / "plain"
    folder.mkdir()
    return load(put_acclaim(folder))


def assert_same(motion: Motion, other: Motion) -> None:
    np.testing.assert_allclose(motion.positions, other.positions, atol=1e-9)
    np.testing.assert_allclose(motion.tips, other.tips, atol=1e-9)


def _sections(text: str) -> list[str]:
    return [":" + section for section in text.split(":")[1:]]


SKELETON_LAYOUTS = {
    "sections backwards": "".join(_sections(TWO_BONES_ASF)[::-1]),
    "crlf": TWO_BONES_ASF.replace("\n", "\r\n"),
    "cr": TWO_BONES_ASF.replace("\n", "\r"),
    "bom": "\ufeff" + TWO_BONES_ASF,
    "comments": TWO_BONES_ASF.replace("\n", " # what follows is a comment: begin end\n") + "# the end",
    "blank lines": TWO_BONES_ASF.replace("\n", "\n\n \t\n"),
    "keywords in capitals": TWO_BONES_ASF.replace("begin", "BEGIN")
    .replace("end", "END")
    .replace(":root", ":ROOT")
    .replace("axis", "Axis"),
    "documentation": TWO_BONES_ASF.replace(":root", ":documentation\n begin with this\nname it\n:root"),
    "unknown section": TWO_BONES_ASF + ":skin\nmesh.obj 1 2 3\n",
    "unknown property": TWO_BONES_ASF.replace("id 1", "id 1\nbodymass 3\ncofmass 1"),
    "no units": TWO_BONES_ASF.replace("mass 1.0\n", ""),
    "directions not of unit length": TWO_BONES_ASF.replace("0.6 0.8 0", "6 8 0"),
    "properties in another order": TWO_BONES_ASF.replace("    direction 0 1 0\n    length 7.5\n", "").replace(
        "    dof rx ry rz\n", "    dof rx ry rz\n    length 7.5\n    direction 0 1 0\n"
    ),
    "radians": TWO_BONES_ASF.replace("angle deg", "angle rad")
    .replace("10 20 30", " ".join(repr(value) for value in np.deg2rad([10, 20, 30]).tolist()))
    .replace("-20 5 90", " ".join(repr(value) for value in np.deg2rad([-20, 5, 90]).tolist())),
}


@pytest.mark.parametrize("layout", SKELETON_LAYOUTS)
def test_skeletons_that_mean_the_same(tmp_path: Path, layout: str) -> None:
    assert_same(load(put_acclaim(tmp_path, SKELETON_LAYOUTS[layout])), plain(tmp_path))


MOTION_LAYOUTS = {
    "crlf": TWO_BONES_AMC.replace("\n", "\r\n"),
    "cr": TWO_BONES_AMC.replace("\n", "\r"),
    "no header": TWO_BONES_AMC.partition(":DEGREES\n")[2],
    "comments": "#!OML:ASF\n# more\n" + TWO_BONES_AMC.replace("\n", " # a comment 1 2 3\n"),
    "blank lines": TWO_BONES_AMC.replace("\n", "\n \n\n"),
    "no final newline": TWO_BONES_AMC.rstrip(),
    "blanks at the end": TWO_BONES_AMC + " \n\n\t",
    "comment at the end": TWO_BONES_AMC + "# done\n",
    "tabs": TWO_BONES_AMC.replace(" ", "\t"),
    "numbers of frames from 0": TWO_BONES_AMC.replace("\n1\n", "\n0\n").replace("\n2\n", "\n1\n"),
    "numbers of frames with gaps": TWO_BONES_AMC.replace("\n1\n", "\n117\n").replace("\n2\n", "\n00200\n"),
    "another order in frame 2": TWO_BONES_AMC.replace(
        "upper 10.5 20 30\nlower 5.5 -5\n", "lower 5.5 -5\nupper 10.5 20 30\n"
    ),
    "another order in frame 1": TWO_BONES_AMC.replace("upper 10 20 30\nlower 5 -5\n", "lower 5 -5\nupper 10 20 30\n"),
}


@pytest.mark.parametrize("layout", MOTION_LAYOUTS)
def test_motions_that_mean_the_same(tmp_path: Path, layout: str) -> None:
    assert_same(load(put_acclaim(tmp_path, motion=MOTION_LAYOUTS[layout])), plain(tmp_path))


def test_radians_in_the_motion(tmp_path: Path) -> None:
    bones = arm()
    degrees: list[Frame] = [{"root": ROOT_VALUES, "first": [11, 22, 33], "last": [44, 55, 66]}]
    radians: list[Frame] = [
        {name: values[:-3] + np.deg2rad(values[-3:]).tolist() for name, values in frame.items()} for frame in degrees
    ]
    text = amc_text(radians).replace(":DEGREES", ":RADIANS")
    motion = load(put_acclaim(tmp_path, asf_text(bones), text), units=METRES)
    assert_as_reference(motion, bones, degrees)


def test_bones_that_the_motion_leaves_out_rest(tmp_path: Path) -> None:
    bones = arm()
    frames: list[Frame] = [{"root": ROOT_VALUES, "last": [4, 5, 6]}] * 3
    motion = read(tmp_path, bones, frames)
    assert_as_reference(motion, bones, frames)
    assert any("first" in notice for notice in motion.notices)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_names_beyond_ascii(tmp_path: Path, encoding: str) -> None:
    skeleton, motion = (text.replace("upper", "Hüfte").encode(encoding) for text in (TWO_BONES_ASF, TWO_BONES_AMC))
    put(tmp_path / "clip.asf", skeleton)
    assert load(put(tmp_path / "clip.amc", motion)).skeleton.names == ("root", "Hüfte", "lower")


@pytest.mark.parametrize("name", ["a", "seventhh", "eighteight", "sixteen_letters_", "seventeen_letters", "b" * 200])
def test_names_short_and_long(tmp_path: Path, name: str) -> None:
    motion = load(put_acclaim(tmp_path, TWO_BONES_ASF.replace("upper", name), TWO_BONES_AMC.replace("upper", name)))
    assert_same(motion, plain(tmp_path))


def test_bones_outside_of_the_hierarchy_are_left_out(tmp_path: Path) -> None:
    lost = TWO_BONES_ASF.replace(":hierarchy", "begin\nname lost\nend\n:hierarchy")
    motion = load(put_acclaim(tmp_path, lost))
    assert_same(motion, plain(tmp_path))
    assert any("lost" in notice for notice in motion.notices)


LIMITS = """    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
"""


@pytest.mark.parametrize(
    "limits", [LIMITS, "limits (-160 20) (-70 70) (-60 70)\n", "limits\n(-160 20)\n( -70 70 )\n(-60 70)\n"]
)
def test_limits(tmp_path: Path, limits: str) -> None:
    assert TWO_BONES_ASF.count(LIMITS) == 1
    skeleton = asf.read(put(tmp_path / "x.asf", TWO_BONES_ASF.replace(LIMITS, limits)))
    np.testing.assert_allclose(skeleton.bones[1].limits, np.deg2rad([[-160, 20], [-70, 70], [-60, 70]]))
    asf.write(skeleton, tmp_path / "again.asf")
    np.testing.assert_allclose(asf.read(tmp_path / "again.asf").bones[1].limits, skeleton.bones[1].limits, rtol=1e-8)


def test_limits_without_bound(tmp_path: Path) -> None:
    text = TWO_BONES_ASF.replace("(-160.0 20.0)", "(-inf inf)").replace("dof rx ry rz", "dof ry tx rz")
    skeleton = asf.read(put(tmp_path / "x.asf", text))
    assert skeleton.bones[1].limits == ((-np.inf, np.inf), (-70.0, 70.0), pytest.approx(tuple(np.deg2rad([-60, 70]))))
    assert skeleton.bones[2].limits == ()


# -- rate, unit, skeleton -------------------------------------------------------------------------------------------------


def test_the_rate(tmp_path: Path) -> None:
    clip = put_acclaim(tmp_path)
    assert load(clip).fps == 120.0
    assert any("120 frames/s assumed" in notice for notice in load(clip).notices)
    assert load(clip, fps=60).fps == 60.0
    assert not any("assumed" in notice for notice in load(clip, fps=60).notices)
    told = put_acclaim(tmp_path, motion=":SAMPLES-PER-SECOND 59.94\n" + TWO_BONES_AMC)
    assert load(told).fps == 59.94


@pytest.mark.parametrize(("length", "metres"), [("1.0", 0.0254), ("0.45", METRES), ("2.54", 0.01)])
def test_the_unit_of_length(tmp_path: Path, length: str, metres: float) -> None:
    # scaled so that the body is as tall whatever the unit
    scale = METRES / metres
    skeleton = TWO_BONES_ASF.replace("length 0.45", f"length {length}").replace("length 7.5", f"length {15 * scale}")
    skeleton = skeleton.replace("length 7\n", f"length {14 * scale}\n")
    motion = load(put_acclaim(tmp_path, skeleton))
    np.testing.assert_allclose(motion.root[1], np.array([0.5, 16.25, -1]) * metres)
    assert not any("lengths taken" in notice for notice in motion.notices)


def test_a_unit_that_makes_no_person_is_doubted(tmp_path: Path) -> None:
    motion = load(put_acclaim(tmp_path, TWO_BONES_ASF.replace("length 0.45", "length 1000")))
    assert any("the file's own unit would make the body" in notice for notice in motion.notices)


def test_which_skeleton_belongs_to_a_clip(tmp_path: Path) -> None:
    def names(clip: str) -> tuple[str, ...]:
        return load(put(tmp_path / clip, TWO_BONES_AMC.replace("upper", "u"))).skeleton.names

    put(tmp_path / "walk.asf", TWO_BONES_ASF.replace("upper", "u"))
    assert names("anything.amc")[1] == "u"  # the only one
    put(tmp_path / "other.asf", TWO_BONES_ASF)
    assert names("walk.amc")[1] == "u"
    assert names("walk_03.amc")[1] == "u"
    assert names("WALK_03_b.AMC")[1] == "u"
    with pytest.raises(FormatError, match=r"2 other \.asf files are there"):
        names("run.amc")
    given = load(tmp_path / "run.amc", skeleton=tmp_path / "walk.asf")
    assert given.skeleton.names[1] == "u"
    with pytest.raises(FormatError, match="has no bone 'u'"):
        load(tmp_path / "walk.amc", skeleton=tmp_path / "other.asf")


# -- fast and slow --------------------------------------------------------------------------------------------------------


def many_frames(count: int, odd: int | None = None) -> tuple[str, str, list[Bone], list[Frame]]:
    bones = arm()
    random = np.random.default_rng(5)
    frames: list[Frame] = []
    for number in range(count):
        frame = {
            "root": random.normal(size=6).tolist(),
            "first": random.normal(size=3).tolist(),
            "last": random.normal(size=3).tolist(),
        }
        frames.append({name: frame[name] for name in (["last", "first", "root"] if number == odd else list(frame))})
    return asf_text(bones), amc_text(frames), bones, frames


def test_many_chunks_at_once_give_what_one_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skeleton, text, bones, frames = many_frames(60)
    clip = put_acclaim(tmp_path, skeleton, text)
    whole = load(clip, units=METRES)
    assert_as_reference(whole, bones, frames)
    monkeypatch.setattr(numbers, "CHUNK", 1000)
    parts = load(clip, units=METRES)
    np.testing.assert_array_equal(parts.root, whole.root)
    np.testing.assert_array_equal(parts.rotations, whole.rotations)


def test_one_odd_frame_among_many(tmp_path: Path) -> None:
    skeleton, text, bones, frames = many_frames(50, odd=30)
    assert_as_reference(load(put_acclaim(tmp_path, skeleton, text), units=METRES), bones, frames)


@pytest.mark.parametrize(
    "names",
    [("a", "b"), ("shoulder_a", "shoulder_b"), ("a_shoulder", "b_shoulder"), ("left_arm_1_twist", "left_arm_2_twist")],
)
def test_twins_that_change_places_are_not_mixed_up(tmp_path: Path, names: tuple[str, str]) -> None:
    first, second = names
    bones = [Bone("root", "", dof=SIX)] + [
        Bone(name, "root", (0, 1, 0), 2.0, (1, 2, 3), "XYZ", ["rx", "ry"]) for name in names
    ]
    frames: list[Frame] = [
        {"root": ROOT_VALUES, first: [10, 20], second: [30, 40]},
        {"root": ROOT_VALUES, second: [30, 40], first: [10, 20]},
    ]
    motion = read(tmp_path, bones, frames)
    assert_as_reference(motion, bones, frames)
    np.testing.assert_array_equal(motion.rotations[0], motion.rotations[1])


def test_the_slow_way_takes_a_time_that_grows_with_the_file_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # bytes looked at, not seconds: each frame must be read once
    skeleton, text, _, frames = many_frames(400, odd=399)
    looked_at = 0
    lines = SourceText.lines

    def counted(source, *how):  # type: ignore[no-untyped-def]
        nonlocal looked_at
        for item in lines(source, *how):
            looked_at += source.path.suffix == ".amc"
            yield item

    monkeypatch.setattr(SourceText, "lines", counted)
    assert len(load(put_acclaim(tmp_path, skeleton, text))) == len(frames)
    assert len(text.splitlines()) < looked_at < 2.5 * len(text.splitlines())


# -- writing --------------------------------------------------------------------------------------------------------------


def test_writing_with_the_original_skeleton_keeps_the_values(tmp_path: Path) -> None:
    clip = put_acclaim(tmp_path)
    save(load(clip), tmp_path / "again.amc", skeleton=tmp_path / "clip.asf")
    assert not (tmp_path / "again.asf").exists()
    written = (tmp_path / "again.amc").read_text().replace(":SAMPLES-PER-SECOND 120.0\n", "")
    lines = [line.split() for line in written.splitlines()]
    for line, old in zip(lines, (line.split() for line in TWO_BONES_AMC.splitlines()), strict=True):
        assert line[0] == old[0]
        np.testing.assert_allclose([float(value) for value in line[1:]], [float(value) for value in old[1:]], atol=2e-6)


def test_a_turn_that_the_skeleton_locks_is_refused(tmp_path: Path) -> None:
    free = put_acclaim(
        tmp_path,
        TWO_BONES_ASF.replace("dof rz rx", "dof rz rx ry"),
        TWO_BONES_AMC.replace("lower 5 -5", "lower 5 -5 9").replace("lower 5.5 -5", "lower 5.5 -5 9"),
    )
    motion = load(free)
    put(tmp_path / "locked.asf", TWO_BONES_ASF)
    with pytest.raises(FormatError, match=r"bone 'lower' turns 9\.0° about an axis that this ASF locks"):
        save(motion, tmp_path / "out.amc", skeleton=tmp_path / "locked.asf")
    put(tmp_path / "fixed.asf", TWO_BONES_ASF.replace("    dof rz rx\n", ""))
    with pytest.raises(FormatError, match="this ASF fixes it"):
        save(motion, tmp_path / "out.amc", skeleton=tmp_path / "fixed.asf")
    put(tmp_path / "other.asf", TWO_BONES_ASF.replace("upper", "u"))
    with pytest.raises(FormatError, match=r"are not the bones of other\.asf"):
        save(motion, tmp_path / "out.amc", skeleton=tmp_path / "other.asf")
    assert not (tmp_path / "out.amc").exists()


@pytest.mark.parametrize("order", ["XYZ", "ZYX", "YXZ", "YZX"])
@pytest.mark.parametrize("dof", ["rx", "ry", "rz", "rx ry", "ry rz", "rz rx"])
def test_angles_beyond_a_quarter_turn_leave_locked_axes_alone(tmp_path: Path, order: str, dof: str) -> None:
    bones = arm(axis_order=order, dof=dof.split())
    frames: list[Frame] = [
        {"root": ROOT_VALUES, "first": [angle, -50.0][: len(dof.split())], "last": [1, 2, 3]}
        for angle in (80.0, 120.0, 170.0)
    ]
    motion = read(tmp_path, bones, frames)
    save(motion, tmp_path / "again.amc", skeleton=tmp_path / "clip.asf")
    back = load(tmp_path / "again.amc", skeleton=tmp_path / "clip.asf", units=METRES)
    np.testing.assert_allclose(back.positions, motion.positions, atol=1e-6)
    np.testing.assert_allclose(back.tips, motion.tips, atol=1e-6)


@pytest.mark.parametrize("options", [{}, {"units": 0.5}, {"units": "cmu"}])
def test_a_unit_that_was_doubted_or_given_is_kept_when_written_back(
    tmp_path: Path, options: dict[str, str | float]
) -> None:
    clip = put_acclaim(tmp_path, TWO_BONES_ASF.replace("length 0.45", "length 1000"))
    motion = load(clip, **options)  # type: ignore[arg-type]
    save(motion, tmp_path / "again.amc", skeleton=tmp_path / "clip.asf")
    back = load(tmp_path / "again.amc", skeleton=tmp_path / "clip.asf", **options)  # type: ignore[arg-type]
    np.testing.assert_allclose(back.positions, motion.positions, atol=1e-5)


def test_a_root_that_the_skeleton_holds_must_stay(tmp_path: Path) -> None:
    motion = load(put_acclaim(tmp_path))
    held = put(tmp_path / "held.asf", TWO_BONES_ASF.replace("TX TY TZ", "TX TY"))
    with pytest.raises(FormatError, match="the root moves along an axis"):
        save(motion, tmp_path / "out.amc", skeleton=held)
    save(motion[:1], tmp_path / "out.amc", skeleton=held)
    np.testing.assert_allclose(load(tmp_path / "out.amc", skeleton=held).positions, motion[:1].positions, atol=1e-6)


def test_the_rate_survives_writing(tmp_path: Path) -> None:
    motion = load(put_acclaim(tmp_path), fps=59.94)
    save(motion, tmp_path / "again.amc")
    assert load(tmp_path / "again.amc").fps == 59.94


def test_another_tools_skeleton_is_not_overwritten(tmp_path: Path) -> None:
    clip = put_acclaim(tmp_path)
    skeleton = clip.with_suffix(".asf").read_bytes()
    motion = load(clip)
    before = clip.read_bytes()
    with pytest.raises(FormatError, match="would be overwritten"):
        save(motion, clip)
    assert (clip.read_bytes(), clip.with_suffix(".asf").read_bytes()) == (before, skeleton)
    # its own it may replace
    for _ in range(2):
        save(motion, tmp_path / "own.amc")
    assert len(load(tmp_path / "own.amc")) == len(motion)


@pytest.mark.parametrize("name", ["100%d", "a%b", "end", "Begin", "a_name_of_more_than_sixteen_letters", "x" * 40])
def test_names_that_would_trip_a_writer(tmp_path: Path, name: str) -> None:
    walk = samples.make("walk").motion[:5]
    names = tuple(name if joint == "chest" else joint for joint in walk.skeleton.names)
    motion = replace(walk, skeleton=replace(walk.skeleton, names=names))
    save(motion, tmp_path / "x.amc")
    again = load(tmp_path / "x.amc")
    assert again.fps == walk.fps
    np.testing.assert_allclose(again.position("head"), walk.position("head"), atol=1e-6)


def test_long_names_differ_in_every_letter(tmp_path: Path) -> None:
    """Names are compared eight letters at a time: a damaged letter anywhere must be seen."""
    clip = tmp_path / "x.amc"
    walk = samples.make("walk").motion[:40]
    name = "abcdefghijklmnopqrstuvwxyz"
    names = tuple(name if joint == "chest" else joint for joint in walk.skeleton.names)
    save(replace(walk, skeleton=replace(walk.skeleton, names=names)), clip)
    text = clip.read_bytes()
    at = text.rindex(name.encode())
    for letter in range(len(name)):
        clip.write_bytes(text[: at + letter] + b"Z" + text[at + letter + 1 :])
        with pytest.raises(FormatError):
            load(clip)


def test_another_body_of_the_same_names_is_refused(tmp_path: Path) -> None:
    clip = put_acclaim(tmp_path)
    motion = load(clip)
    longer = motion.skeleton.offsets + np.array([0.0, 0.01, 0.02])
    other = replace(motion, skeleton=replace(motion.skeleton, offsets=longer))
    with pytest.raises(FormatError, match="other lengths"):
        save(other, tmp_path / "again.amc", skeleton=clip.with_suffix(".asf"))


def test_thousands_of_bones_without_motion_cost_no_memory(tmp_path: Path) -> None:
    bones = "".join(f"begin\nname b{k}\nlength 1\nend\n" for k in range(2000))
    tree = "root " + " ".join(f"b{k}" for k in range(2000))
    (tmp_path / "x.asf").write_text(f":bonedata\n{bones}:hierarchy\nbegin\n{tree}\nend\n")
    (tmp_path / "x.amc").write_text(":DEGREES\n" + "".join(f"{k}\nroot 0 0 0 0 0 0\n" for k in range(1, 20000)))
    with pytest.raises(FormatError, match="most without motion"):
        load(tmp_path / "x.amc")
