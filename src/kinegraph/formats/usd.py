"""Universal Scene Description (USD): one clip as a UsdSkel character, or many people, `.usda` as text or `.usdc` packed. Written only.

A character is one `SkelRoot` with a `Skeleton`, its `SkelAnimation` (a time sample a frame, from 0 on) and, bound to it, the
mannequin. Of many people each is whole, since readers do not know instances of skeletons; a packed file keeps what is the same once.
Units, vertical axis and rate stand in the stage's metrics, so that importers need no settings. Needs the package usd-core, imported on
use.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import FormatError, MissingExtraError
from kinegraph.formats.atomic import replacing
from kinegraph.formats.outgoing import Dressed, character, identifier, same_timeline, unique
from kinegraph.formats.raw import RawMotion
from kinegraph.mannequin.mesh import Mesh
from kinegraph.motion import Motion, rotation

_MODULES = ("Gf", "Kind", "Sdf", "Tf", "Usd", "UsdGeom", "UsdShade", "UsdSkel", "Vt")
_CHARACTER, _GROUP = "/Character", "/People"
# the part of a body that bears its owner's colour
_COLOURED = "torso"


def write(
    motion: Motion,
    path: str | PathLike[str],
    *,
    units: str | float = "m",
    up: str = "y",
    in_place: bool = False,
    mesh: bool = True,
) -> None:
    """Write a stage whose default prim is the character, at the motion's own rate.

    units: of all coordinates, and the stage's ``metersPerUnit``; up: the stage's ``upAxis``, ``"y"`` or ``"z"``, to which everything is
    turned; in_place: the root stays over its first place on the floor; mesh: with a mannequin. Joints' names are made valid and unique;
    those of the motion stand in the custom data of the skeleton (``kinegraph:joints``).
    """
    pxr = _pxr()
    with _written(pxr, path) as stage:
        made = character(motion, units=units, up=up, in_place=in_place, mesh=mesh)
        _stage_metrics(pxr, stage, made.raw, up)
        stage.SetDefaultPrim(_character(pxr, stage, _CHARACTER, made, motion.name))


def write_together(
    motions: Iterable[Motion],
    path: str | PathLike[str],
    *,
    starts: Sequence[int] | None = None,
    colours: Sequence[tuple[float, float, float]] | None = None,
    units: str | float = "m",
    up: str = "y",
    mesh: bool = True,
) -> None:
    """Write people who move at the same time, such as a crowd: a character each, below one prim.

    motions: one a person, of one rate; they are taken one at a time. starts: the frame of the common timeline at which each begins;
    before it and after their last frame they are invisible. By default all begin together, and are as long as each other. colours:
    linear red, green and blue of each person's trunk. Other options as for `write`.
    """
    pxr = _pxr()
    first: Motion | None = None
    taken: set[str] = set()
    spans: list[tuple[Any, int, int]] = []
    with _written(pxr, path) as stage:
        group = pxr.UsdGeom.Xform.Define(stage, _GROUP).GetPrim()
        pxr.Usd.ModelAPI(group).SetKind(pxr.Kind.Tokens.group)
        stage.SetDefaultPrim(group)
        for number, motion in enumerate(motions):
            first = same_timeline(motion, first, path, whole=starts is None)
            begin = 0 if starts is None else starts[number]
            made = character(motion, units=units, up=up, mesh=mesh)
            if number == 0:
                _stage_metrics(pxr, stage, made.raw, up)
            name = identifier(motion.name or "person")
            name = name if name not in taken else f"{name}_{number}"
            taken.add(name)
            at = f"{_GROUP}/{name}"
            colour = None if colours is None else colours[number]
            prim = _character(pxr, stage, at, made, motion.name, colour, begin)
            spans.append((prim, begin, begin + len(motion) - 1))
        if first is None:
            raise FormatError("nobody to write: at least one motion is needed", path)
        _come_and_go(pxr, stage, spans)


def _come_and_go(pxr: Any, stage: Any, spans: list[tuple[Any, int, int]]) -> None:
    """Let people be seen from their first frame to their last, and the stage last until all are done."""
    end = max(last for _, _, last in spans)
    stage.SetEndTimeCode(float(end))
    for prim, first, last in spans:
        seen = pxr.UsdGeom.Imageable(prim).CreateVisibilityAttr()
        if first > 0:
            seen.Set(pxr.UsdGeom.Tokens.invisible, 0.0)
        if first > 0 or last < end:
            seen.Set(pxr.UsdGeom.Tokens.inherited, float(first))
        if last < end:
            seen.Set(pxr.UsdGeom.Tokens.invisible, float(last))


@contextmanager
def _written(pxr: Any, path: str | PathLike[str]) -> Iterator[Any]:
    """A stage in memory, which is written when it is complete."""
    try:
        with replacing(Path(path)) as temporary:
            stage = pxr.Usd.Stage.CreateInMemory()
            yield stage
            stage.GetRootLayer().Export(str(temporary))
    except pxr.Tf.ErrorException as error:
        raise FormatError(f"USD could not write it: {error}", path) from error


def _pxr() -> SimpleNamespace:
    """The modules of USD, or an error that says how to install them."""
    try:
        return SimpleNamespace(**{name: importlib.import_module(f"pxr.{name}") for name in _MODULES})
    except ImportError as error:
        raise MissingExtraError("writing USD", "usd") from error


def _stage_metrics(pxr: Any, stage: Any, raw: RawMotion, up: str) -> None:
    pxr.UsdGeom.SetStageUpAxis(stage, pxr.UsdGeom.Tokens.z if up == "z" else pxr.UsdGeom.Tokens.y)
    pxr.UsdGeom.SetStageMetersPerUnit(stage, raw.metres_per_unit)
    # one time code is one frame; both rates are written since some importers look at the one, some at the other
    stage.SetTimeCodesPerSecond(raw.fps)
    stage.SetFramesPerSecond(raw.fps)
    stage.SetStartTimeCode(0.0)
    stage.SetEndTimeCode(float(len(raw.root) - 1))


def _character(
    pxr: Any,
    stage: Any,
    at: str,
    made: Dressed,
    name: str,
    colour: tuple[float, float, float] | None = None,
    begin: int = 0,
) -> Any:
    """The prim of a character; colour: of its trunk; begin: the frame at which it begins."""
    raw, skin = made.raw, made.skin
    root = pxr.UsdSkel.Root.Define(stage, at)
    prim = root.GetPrim()
    pxr.Usd.ModelAPI(prim).SetKind(pxr.Kind.Tokens.component)
    prim.SetCustomDataByKey("kinegraph:clip", name)
    prim.SetCustomDataByKey("kinegraph:notices", pxr.Vt.StringArray(list(raw.notices)))

    joints = raw.skeleton
    resting = joints.offsets.copy()
    resting[0] = made.places[0]
    skeleton = pxr.UsdSkel.Skeleton.Define(stage, f"{at}/Skeleton")
    paths = pxr.Vt.TokenArray(_joint_paths(raw))
    skeleton.CreateJointsAttr(paths)
    skeleton.CreateBindTransformsAttr(pxr.Vt.Matrix4dArray.FromNumpy(_matrices(made.places, made.turns)))
    skeleton.CreateRestTransformsAttr(pxr.Vt.Matrix4dArray.FromNumpy(_matrices(resting, made.bind)))
    skeleton.GetPrim().SetCustomDataByKey("kinegraph:joints", pxr.Vt.StringArray(list(joints.names)))

    animation = pxr.UsdSkel.Animation.Define(stage, f"{at}/Animation")
    animation.CreateJointsAttr(paths)
    _samples(pxr, animation, raw, begin)
    binding = pxr.UsdSkel.BindingAPI.Apply(skeleton.GetPrim())
    binding.CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    root.CreateExtentAttr(_vectors(pxr, _extent(made)))
    if skin is not None:
        if colour is not None:
            parts = (replace(part, colour=colour) if part.name == _COLOURED else part for part in skin.parts)
            skin = replace(skin, parts=tuple(parts))
        _surface(pxr, stage, at, skin, skeleton)
    return prim


def _joint_paths(raw: RawMotion) -> list[str]:
    """Each joint's way from the root, ``Hips/Spine/Neck``; the last words are unique too, since importers name bones by them alone."""
    names = unique(map(identifier, raw.skeleton.names), "_")
    paths: list[str] = []
    for name, parent in zip(names, raw.skeleton.parents.tolist(), strict=True):
        paths.append(name if parent < 0 else f"{paths[parent]}/{name}")
    return paths


def _samples(pxr: Any, animation: Any, raw: RawMotion, begin: int) -> None:
    frames, joints = raw.rotations.shape[:2]
    if raw.translations is None:
        places = np.tile(raw.skeleton.offsets.astype(np.float32), (frames, 1, 1))
    else:
        places = raw.translations.astype(np.float32)
    places[:, 0] = raw.root
    # USD keeps the real part of a quaternion last
    turns = np.roll(raw.rotations, -1, axis=-1).astype(np.float32)
    translations, rotations = animation.CreateTranslationsAttr(), animation.CreateRotationsAttr()
    animation.CreateScalesAttr(pxr.Vt.Vec3hArray.FromNumpy(np.ones((joints, 3), np.float16)))
    with pxr.Sdf.ChangeBlock():
        for frame in range(frames):
            translations.Set(pxr.Vt.Vec3fArray.FromNumpy(places[frame]), float(begin + frame))
            rotations.Set(pxr.Vt.QuatfArray.FromNumpy(turns[frame]), float(begin + frame))


def _extent(made: Dressed) -> Array:
    """The box ``(2, 3)`` the character never leaves: its joints over all frames, and the flesh around them."""
    reach = 0.0
    if made.skin is not None:
        skin = made.skin
        nearest = skin.joints[np.arange(len(skin.joints)), skin.weights.argmax(axis=1)]
        reach = float(np.linalg.norm(skin.vertices - made.places[nearest], axis=1).max(initial=0.0))
    positions, _ = made.raw.world()
    return np.stack([positions.min(axis=(0, 1)) - reach, positions.max(axis=(0, 1)) + reach])


def _surface(pxr: Any, stage: Any, at: str, skin: Mesh, skeleton: Any) -> None:
    surface = pxr.UsdGeom.Mesh.Define(stage, f"{at}/Body")
    surface.CreatePointsAttr(_vectors(pxr, skin.vertices))
    surface.CreateFaceVertexCountsAttr(_integers(pxr, np.full(len(skin.faces), 3)))
    surface.CreateFaceVertexIndicesAttr(_integers(pxr, skin.faces))
    surface.CreateNormalsAttr(_vectors(pxr, skin.normals))
    surface.SetNormalsInterpolation(pxr.UsdGeom.Tokens.vertex)
    surface.CreateSubdivisionSchemeAttr(pxr.UsdGeom.Tokens.none)
    surface.CreateExtentAttr(_vectors(pxr, np.stack([skin.vertices.min(axis=0), skin.vertices.max(axis=0)])))

    binding = pxr.UsdSkel.BindingAPI.Apply(surface.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    binding.CreateGeomBindTransformAttr(pxr.Gf.Matrix4d(1.0))
    influences = skin.joints.shape[1]
    binding.CreateJointIndicesPrimvar(False, influences).Set(_integers(pxr, skin.joints))
    weights = pxr.Vt.FloatArray.FromNumpy(skin.weights.astype(np.float32).ravel())
    binding.CreateJointWeightsPrimvar(False, influences).Set(weights)
    _colours(pxr, stage, at, surface, skin)


def _colours(pxr: Any, stage: Any, at: str, surface: Any, skin: Mesh) -> None:
    """A material a part, and the same colours for viewers that know none."""
    shown = surface.CreateDisplayColorPrimvar(pxr.UsdGeom.Tokens.uniform)
    shown.Set(_vectors(pxr, np.array([part.colour for part in skin.parts])))
    shown.SetIndices(
        _integers(pxr, np.concatenate([np.full(part.last - part.first, n) for n, part in enumerate(skin.parts)]))
    )
    materials = f"{at}/Materials"
    pxr.UsdGeom.Scope.Define(stage, materials)
    names = unique((identifier(part.name) for part in skin.parts), "_")
    for name, part in zip(names, skin.parts, strict=True):
        material = pxr.UsdShade.Material.Define(stage, f"{materials}/{name}")
        shader = pxr.UsdShade.Shader.Define(stage, f"{materials}/{name}/Surface")
        shader.CreateIdAttr("UsdPreviewSurface")
        value_types = pxr.Sdf.ValueTypeNames
        shader.CreateInput("diffuseColor", value_types.Color3f).Set(pxr.Gf.Vec3f(*part.colour))
        shader.CreateInput("roughness", value_types.Float).Set(0.8)
        material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
        subset = pxr.UsdGeom.Subset.CreateGeomSubset(
            surface,
            name,
            pxr.UsdGeom.Tokens.face,
            _integers(pxr, np.arange(part.first, part.last)),
            "materialBind",
            pxr.UsdGeom.Tokens.partition,
        )
        pxr.UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(material)


def _matrices(places: Array, turns: Array) -> Array:
    """``(J, 4, 4)`` as USD has them: acting on rows, with the place in the last one."""
    matrices = np.zeros((len(places), 4, 4))
    matrices[:, :3, :3] = np.swapaxes(rotation.to_matrix(turns), -1, -2)
    matrices[:, 3, :3] = places
    matrices[:, 3, 3] = 1.0
    return matrices


def _vectors(pxr: Any, values: Array) -> Any:
    return pxr.Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(values, np.float32))


def _integers(pxr: Any, values: Any) -> Any:
    return pxr.Vt.IntArray.FromNumpy(np.ascontiguousarray(values, np.int32).ravel())
