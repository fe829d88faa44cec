"""Naive readers to check ours against: plain 3 × 3 matrices, one joint after another, no care for faults or speed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

Matrix = np.ndarray


def turn(axis: str, degrees: float) -> Matrix:
    """Rotation matrix about X, Y or Z."""
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array(
        {
            "x": [[1, 0, 0], [0, c, -s], [0, s, c]],
            "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
            "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
        }[axis]
    )


def bvh_positions(text: str) -> Matrix:
    """World positions ``(F, J + E, 3)`` of all joints and End Sites as they stand in the file, in the file's unit."""
    head, _, tail = text.partition("MOTION")
    rows = [[float(token) for token in line.split()] for line in tail.strip().splitlines()[2:]]
    return np.array([_bvh_frame(head.split()[1:], row) for row in rows])


def _bvh_frame(tokens: list[str], row: list[float]) -> list[Matrix]:
    values, places = iter(row), []
    stack: list[tuple[Matrix, Matrix]] = [(np.eye(3), np.zeros(3))]
    at = 0
    while at < len(tokens):
        word = tokens[at]
        if word == "{":
            stack.append(stack[-1])
        elif word == "}":
            stack.pop()
        elif word == "OFFSET":
            offset = np.array([float(value) for value in tokens[at + 1 : at + 4]])
            count = int(tokens[at + 5]) if tokens[at + 4] == "CHANNELS" else 0
            axes, origin = stack[-2]
            local = np.eye(3)
            for channel in tokens[at + 6 : at + 6 + count]:
                if channel.endswith("position"):
                    offset["XYZ".index(channel[0])] = next(values)
                else:
                    local = local @ turn(channel[0].lower(), next(values))
            stack[-1] = (axes @ local, origin + axes @ offset)
            places.append(stack[-1][1])
        at += 1
    return places


@dataclass
class Bone:
    """A bone as an ASF describes it, angles in degrees."""

    name: str
    parent: str
    direction: tuple[float, float, float] = (0, 0, 0)
    length: float = 0.0
    axis: tuple[float, float, float] = (0, 0, 0)
    axis_order: str = "XYZ"
    dof: list[str] = field(default_factory=list)


def in_order(order: str, angles: dict[str, float]) -> Matrix:
    """The first axis of ``order`` is applied first, so its matrix stands rightmost."""
    out = np.eye(3)
    for axis in order.lower():
        out = turn(axis, angles.get(axis, 0.0)) @ out
    return out


def acclaim_ends(
    bones: list[Bone], frame: dict[str, list[float]], position: tuple[float, float, float] = (0, 0, 0)
) -> dict[str, Matrix]:
    """Far end ``(3,)`` of every bone (the root's own place for the root), for one frame of an AMC: L = C M C⁻¹."""
    axes: dict[str, Matrix] = {}
    ends: dict[str, Matrix] = {}
    for bone in bones:
        given = dict(zip(bone.dof, frame.get(bone.name, [0.0] * len(bone.dof)), strict=True))
        own = in_order(bone.axis_order, dict(zip("xyz", bone.axis, strict=True)))
        turned = in_order(bone.axis_order, {axis: given.get(f"r{axis}", 0.0) for axis in "xyz"})
        shift = np.array([given.get(f"t{axis}", 0.0) for axis in "xyz"])
        if bone.parent == "":
            axes[bone.name] = own @ turned
            ends[bone.name] = np.array(position) + shift
        else:
            start = ends[bone.parent] + axes[bone.parent] @ own @ shift
            axes[bone.name] = axes[bone.parent] @ own @ turned @ own.T
            ends[bone.name] = start + axes[bone.name] @ np.array(bone.direction) * bone.length
    return ends


def asf_text(bones: list[Bone], position: tuple[float, float, float] = (0, 0, 0), length: float = 0.45) -> str:
    """The ASF of bones, the root first."""
    lines = [":units", f"length {length}", "angle deg", ":root", f"order {' '.join(bones[0].dof).upper()}"]
    lines += [
        f"axis {bones[0].axis_order}",
        f"position {_words(position)}",
        f"orientation {_words(bones[0].axis)}",
        ":bonedata",
    ]
    for bone in bones[1:]:
        lines += ["begin", f"name {bone.name}", f"direction {_words(bone.direction)}", f"length {bone.length}"]
        lines += [
            f"axis {_words(bone.axis)} {bone.axis_order}",
            *([f"dof {' '.join(bone.dof)}"] if bone.dof else []),
            "end",
        ]
    lines += [":hierarchy", "begin", *(f"{bone.parent} {bone.name}" for bone in bones[1:]), "end"]
    return "\n".join(lines) + "\n"


def amc_text(frames: list[dict[str, list[float]]], first: int = 1) -> str:
    """The AMC of frames: bone → values."""
    lines = [":FULLY-SPECIFIED", ":DEGREES"]
    for number, frame in enumerate(frames, start=first):
        lines += [str(number), *(f"{name} {_words(values)}" for name, values in frame.items())]
    return "\n".join(lines) + "\n"


def _words(values: object) -> str:
    return " ".join(repr(float(value)) for value in values)  # type: ignore[attr-defined]
