"""Small motion files as text, and what the tests ask of a reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinegraph import Motion, load
from kinegraph.errors import FormatError

# one joint that turns, so that a frame is six numbers
ONE_JOINT = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  End Site
  {
    OFFSET 0 10 0
  }
}
MOTION
Frames: 2
Frame Time: 0.04
1 2 3 40 50 60
4 5 6 70 80 90
"""

TWO_BONES_ASF = """:version 1.10
:name two
:units
  mass 1.0
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name upper
    direction 0 1 0
    length 7.5
    axis 10 20 30 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
    id 2
    name lower
    direction 0.6 0.8 0
    length 7
    axis -20 5 90 ZYX
    dof rz rx
  end
:hierarchy
  begin
    root upper
    upper lower
  end
"""

TWO_BONES_AMC = """:FULLY-SPECIFIED
:DEGREES
1
root 0 16 0 1 2 3
upper 10 20 30
lower 5 -5
2
root 0.5 16.25 -1 1 2 4
upper 10.5 20 30
lower 5.5 -5
"""


def bvh(hierarchy: str, rows: list[str], frame_time: str = "0.04") -> str:
    """A BVH text of a hierarchy (from ROOT on) and its frames."""
    body = "".join(f"{row}\n" for row in rows)
    return f"HIERARCHY\n{hierarchy}\nMOTION\nFrames: {len(rows)}\nFrame Time: {frame_time}\n{body}"


def chain(*joints: str) -> str:
    """A hierarchy in which each joint hangs on the one before; a joint is what stands between its braces, its name first."""
    out = ""
    for index, joint in enumerate(joints):
        name, _, inside = joint.partition("\n")
        out += f"{'JOINT' if index else 'ROOT'} {name}\n{{\n{inside}\n"
    return out + "}\n" * len(joints)


def put(path: Path, content: str | bytes) -> Path:
    """The file, written without changing a line end."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def put_acclaim(folder: Path, skeleton: str = TWO_BONES_ASF, motion: str = TWO_BONES_AMC) -> Path:
    """A clip with its skeleton beside it; returns the clip's path."""
    put(folder / "clip.asf", skeleton)
    return put(folder / "clip.amc", motion)


def read_bvh(folder: Path, content: str | bytes, **options: object) -> Motion:
    """A BVH text as a motion whose lengths are the file's own numbers, nothing trimmed."""
    options = {"units": 1.0, "trim_tpose": False, **options}
    return load(put(folder / "x.bvh", content), **options)  # type: ignore[arg-type]


def refusal(path: Path, **options: object) -> FormatError:
    """The error that reading must end in."""
    with pytest.raises(FormatError) as caught:
        load(path, **options)  # type: ignore[arg-type]
    return caught.value
