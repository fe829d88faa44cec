"""What Blender does for `formats.fbx`: run inside Blender's own Python by `formats.blender`, never imported by the rest.

``python blender_script.py -- job.json``. The job names the task, the file, and the archives of arrays that go in and come out. It stands
alone: only the standard library, NumPy and Blender are there.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

# The armature's object is called so because Unreal leaves an object of that name out, where it would make a bone of any other.
_ARMATURE = "Armature"


class UnfitFileError(Exception):
    """A file that Blender cannot serve us with, in a sentence for people."""


def main(arguments: list[str]) -> None:
    """Do the job in the file named last."""
    job = json.loads(Path(arguments[-1]).read_text(encoding="utf-8"))
    with np.load(job["given"], allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    np.savez(job["left"], **{"write": write, "read": read}[job["task"]](job, arrays))


def write(job: dict[str, Any], arrays: dict[str, Any]) -> dict[str, Any]:
    """Build the armature, its animation and its skin, and export them as FBX.

    Arrays: names (J,), parents (J,), lengths (J,), rest (J, 4, 4): bones in the armature's space, Y along the bone; pose (F, J, 4, 4):
    the same in every frame. For a skin vertices (V, 3), normals (V, 3), faces (T, 3), joints (V, 4), weights (V, 4), part_names (P,),
    part_colours (P, 3), part_of (T,).
    """
    bpy = _blender()

    scene = _empty_scene(job["clip"])
    _set_rate(scene, job["fps"])
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = job["metres_per_unit"]
    scene.frame_start, scene.frame_end = 0, len(arrays["pose"]) - 1
    armature = _armature(arrays)
    if job["up"] == "y":
        # the export turns Blender's Z up to FBX's Y up: this turn beforehand leaves the file's objects without any
        armature.rotation_euler = (0.5 * np.pi, 0.0, 0.0)
    _animate(armature, arrays, job["clip"])
    if "vertices" in arrays:
        _skin(armature, arrays)
    scene.frame_set(-1)
    _enable_fbx()
    bpy.ops.export_scene.fbx(
        filepath=job["path"],
        check_existing=False,
        object_types={"ARMATURE", "MESH"},
        axis_up="Z" if job["up"] == "z" else "Y",
        axis_forward="Y" if job["up"] == "z" else "-Z",
        # the unit goes into the file's own factor: no object is scaled by 100
        apply_unit_scale=True,
        apply_scale_options="FBX_SCALE_UNITS",
        bake_space_transform=False,
        add_leaf_bones=False,
        mesh_smooth_type="FACE",
        bake_anim=True,
        bake_anim_use_all_bones=True,
        bake_anim_use_nla_strips=False,
        bake_anim_use_all_actions=False,
        bake_anim_force_startend_keying=True,
        bake_anim_step=1.0,
        bake_anim_simplify_factor=0.0,
    )
    return {}


def read(job: dict[str, Any], arrays: dict[str, Any]) -> dict[str, Any]:
    """Import an FBX and sample its one moving armature.

    Returns names (J,), parents (J,), each after its own, rest (J, 4, 4) and pose (F, J, 4, 4) in the world (metres, Z up), fps, and the
    names of others: animations that were left.
    """
    bpy = _blender()

    scene = _empty_scene("read")
    _enable_fbx()
    try:
        bpy.ops.import_scene.fbx(filepath=job["path"], anim_offset=0.0, use_image_search=False)
    except RuntimeError as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        raise UnfitFileError(
            f"Blender cannot read it: {lines[-1].strip().removeprefix('Error: ') if lines else error}"
        ) from error
    armature = _only_moving([thing for thing in scene.objects if thing.type == "ARMATURE"])
    actions = _actions(armature)
    first = round(min(action.frame_range[0] for action in actions))
    last = round(max(action.frame_range[1] for action in actions))
    # surfaces would be bent anew in every frame, and nobody looks
    for thing in [thing for thing in scene.objects if thing.type == "MESH"]:
        bpy.data.objects.remove(thing)
    _loosen(armature)
    bones = _parents_first(armature.data.bones)
    place = {bone.name: index for index, bone in enumerate(bones)}
    rest = np.array([armature.matrix_world @ bone.matrix_local for bone in bones])
    pose = np.empty((last - first + 1, len(bones), 4, 4))
    for frame in range(first, last + 1):
        scene.frame_set(frame)
        world = np.array(armature.matrix_world)
        pose[frame - first] = world @ np.array([armature.pose.bones[bone.name].matrix for bone in bones])
    taken = {action.name for action in actions}
    others = sorted(action.name for action in bpy.data.actions if action.name.split("|")[0] == armature.name)
    return {
        "names": np.array([bone.name for bone in bones], dtype=np.str_),
        "parents": np.array([-1 if bone.parent is None else place[bone.parent.name] for bone in bones]),
        "rest": rest,
        "pose": pose,
        "fps": np.array(scene.render.fps / scene.render.fps_base),
        "others": np.array([name for name in others if name not in taken], dtype=np.str_),
    }


def _blender() -> Any:
    """The module bpy, imported on use: test runners and type checkers walk over this file where there is none."""
    return import_module("bpy")


def _empty_scene(name: str) -> Any:
    """A scene with nothing in it; its name becomes that of the animation in the file."""
    bpy = _blender()

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.name = name or "motion"
    return scene


def _set_rate(scene: Any, fps: float) -> None:
    scene.render.fps = max(1, round(fps))
    scene.render.fps_base = scene.render.fps / fps


def _enable_fbx() -> None:
    _blender().ops.preferences.addon_enable(module="io_scene_fbx")


def _armature(arrays: dict[str, Any]) -> Any:
    bpy = _blender()

    to_matrix = import_module("mathutils").Matrix
    armature = bpy.data.objects.new(_ARMATURE, bpy.data.armatures.new(_ARMATURE))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones: list[Any] = []
    for name, parent, matrix, length in zip(
        arrays["names"].tolist(), arrays["parents"].tolist(), arrays["rest"], arrays["lengths"].tolist(), strict=True
    ):
        bone = armature.data.edit_bones.new(name)
        bone.tail = (0.0, length, 0.0)
        bone.matrix = to_matrix(matrix.tolist())
        bone.parent = bones[parent] if parent >= 0 else None
        bones.append(bone)
    made = [bone.name for bone in bones]
    bpy.ops.object.mode_set(mode="OBJECT")
    # Blender cuts long names short and numbers those that are there already: from here on they are called what it calls them
    arrays["names"] = np.array(made)
    return armature


def _animate(armature: Any, arrays: dict[str, Any], clip: str) -> None:
    """Key every bone in every frame, relative to the rest pose as Blender has rounded it."""
    bpy = _blender()

    names, parents, pose = arrays["names"].tolist(), arrays["parents"], arrays["pose"]
    rest = np.array([armature.data.bones[name].matrix_local for name in names], dtype=np.float64)
    local = np.concatenate([pose[:, :1], np.linalg.inv(pose[:, parents[1:]]) @ pose[:, 1:]], axis=1)
    still = np.concatenate([rest[:1], np.linalg.inv(rest[parents[1:]]) @ rest[1:]])
    basis = np.linalg.inv(still) @ local
    to_matrix = import_module("mathutils").Matrix
    action = bpy.data.actions.new(clip or "motion")
    curves = _curves_of(armature, action)
    # the rest pose stands a frame before the first, where the export finds it: it is how the file's bones stand when nothing plays
    frames = np.arange(-1.0, len(pose))
    basis = np.concatenate([np.broadcast_to(np.eye(4), (1, len(names), 4, 4)), basis])
    for joint, name in enumerate(names):
        turns = np.array([to_matrix(matrix.tolist()).to_quaternion() for matrix in basis[:, joint]])
        # neighbours on one hemisphere, so that nothing spins between two frames
        flips = np.cumprod(np.where(np.einsum("ij,ij->i", turns[1:], turns[:-1]) < 0, -1.0, 1.0))
        turns[1:] *= flips[:, None]
        armature.pose.bones[name].rotation_mode = "QUATERNION"
        path = armature.pose.bones[name].path_from_id()
        for track, values in (("rotation_quaternion", turns), ("location", basis[:, joint, :3, 3])):
            for axis in range(values.shape[1]):
                curve = curves.new(f"{path}.{track}", index=axis)
                curve.keyframe_points.add(len(frames))
                curve.keyframe_points.foreach_set("co", np.stack([frames, values[:, axis]], axis=1).ravel())
                curve.update()


def _curves_of(armature: Any, action: Any) -> Any:
    """The action's curves for the armature: since Blender 4.4 they lie in a slot of a layer, and since 5.0 nowhere else."""
    data = armature.animation_data_create()
    data.action = action
    if not hasattr(action, "slots"):
        return action.fcurves
    slot = action.slots.new("OBJECT", armature.name)
    strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
    data.action_slot = slot
    return strip.channelbag(slot, ensure=True).fcurves


def _skin(armature: Any, arrays: dict[str, Any]) -> None:
    bpy = _blender()

    mesh = bpy.data.meshes.new("Body")
    mesh.from_pydata(arrays["vertices"].tolist(), [], arrays["faces"].tolist())
    for name, colour in zip(arrays["part_names"].tolist(), arrays["part_colours"].tolist(), strict=True):
        material = bpy.data.materials.new(name)
        material.diffuse_color = (*colour, 1.0)
        material.roughness = 0.8
        mesh.materials.append(material)
    mesh.polygons.foreach_set("material_index", arrays["part_of"].astype(np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
    mesh.normals_split_custom_set_from_vertices(arrays["normals"].tolist())
    mesh.update()
    body = bpy.data.objects.new("Body", mesh)
    bpy.context.scene.collection.objects.link(body)
    body.parent = armature
    body.modifiers.new(_ARMATURE, "ARMATURE").object = armature
    for joint, name in enumerate(arrays["names"].tolist()):
        group = body.vertex_groups.new(name=name)
        held, column = np.nonzero((arrays["joints"] == joint) & (arrays["weights"] > 0))
        for vertex, weight in zip(held.tolist(), arrays["weights"][held, column].tolist(), strict=True):
            group.add([vertex], weight, "ADD")


def _only_moving(armatures: list[Any]) -> Any:
    if not armatures:
        raise UnfitFileError("it holds no skeleton: no bones were found in it")
    moving = [armature for armature in armatures if _actions(armature)]
    if not moving:
        raise UnfitFileError("it holds a skeleton but no animation of it")
    if len(moving) > 1:
        names = ", ".join(armature.name for armature in moving)
        raise UnfitFileError(f"it holds {len(moving)} moving skeletons ({names}): export the one you want by itself")
    return moving[0]


def _loosen(armature: Any) -> None:
    """Let every bone leave its parent's end: the importer ties those that meet it at rest, and a tied bone cannot change in length."""
    bpy = _blender()
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in armature.data.edit_bones:
        bone.use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")


def _actions(armature: Any) -> list[Any]:
    """What moves the armature: its own action, and those of the objects it hangs on."""
    found = []
    thing = armature
    while thing is not None:
        if thing.animation_data is not None and thing.animation_data.action is not None:
            found.append(thing.animation_data.action)
        thing = thing.parent
    return found


def _parents_first(bones: Any) -> list[Any]:
    """All bones, those of one root after another, each after its parent."""
    ordered = []
    stack = [bone for bone in reversed(bones) if bone.parent is None]
    while stack:
        bone = stack.pop()
        ordered.append(bone)
        stack.extend(reversed(bone.children))
    return ordered


if __name__ == "__main__":
    try:
        main(sys.argv)
        code = 0
    except UnfitFileError as error:
        print(f"kinegraph: {error}", file=sys.stderr)
        code = 3
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    # Blender as a module may crash while the interpreter tidies up, when all is done
    os._exit(code)
