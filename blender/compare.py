"""What Blender makes of our files: run inside an environment with bpy by test_blender.py.

``python compare.py job.json``: the job lists files and frames; for each file a row says what Blender's own importers found, with the
joints' places in metres, Y up.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np


def main(job_path: str) -> None:
    """Look at every file of the job."""
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    found = {}
    for name, path in job["files"].items():
        found[name] = look(Path(path), job["fps"], job["frames"])
    Path(job["out"]).write_text(json.dumps(found), encoding="utf-8")


def look(path: Path, fps: float, frames: list[int]) -> dict[str, Any]:
    """Import a file into an empty scene; the frames wanted count from the first of the animation."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    # a rate that is not the clip's: importers that set it must find it in the file
    scene.render.fps = 24
    suffix = path.suffix.lower()
    if suffix not in (".bvh", ".fbx"):
        # Blender makes frames of glTF's seconds at the scene's rate, and takes USD's frames as they are, without a look at the stage's rate
        scene.render.fps = max(1, round(fps))
        scene.render.fps_base = scene.render.fps / fps
    importers[suffix](str(path))
    armatures = [thing for thing in scene.objects if thing.type == "ARMATURE"]
    assert len(armatures) == 1, f"{len(armatures)} armatures"
    armature = armatures[0]
    action = armature.animation_data.action
    first, last = (round(edge) for edge in action.frame_range)
    bones = list(armature.pose.bones)
    places = []
    for frame in frames:
        scene.frame_set(first + frame)
        world = np.array(armature.matrix_world)
        heads = np.array([(*bone.head, 1.0) for bone in bones]) @ world.T
        # Blender has Z up
        places.append(heads[:, [0, 2, 1]] * [1.0, 1.0, -1.0])
    # Blender shows glTF's bones by a mesh of its own, which is parented to nothing
    bodies = [thing for thing in scene.objects if thing.type == "MESH" and thing.find_armature() is armature]
    return {
        "names": [bone.name for bone in bones],
        "frames": last - first + 1,
        # Blender takes no rate from USD's stages
        "fps": None if suffix.startswith(".usd") else scene.render.fps / scene.render.fps_base,
        "places": np.array(places).tolist(),
        "faces": sum(len(body.data.polygons) for body in bodies),
        "boxes": [box(bodies, scene, first + frame) for frame in frames] if bodies else None,
    }


def box(bodies: list[Any], scene: Any, frame: int) -> list[list[float]]:
    """The lowest and highest corner of the bodies' surfaces in a frame, as the armature bends them: metres, Y up."""
    scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    corners = []
    for body in bodies:
        shown = body.evaluated_get(graph)
        flat = np.empty(3 * len(shown.data.vertices), np.float32)
        shown.data.vertices.foreach_get("co", flat)
        points = np.concatenate([flat.reshape(-1, 3), np.ones((len(flat) // 3, 1))], axis=1)
        world = points @ np.array(shown.matrix_world).T
        corners.append(world[:, [0, 2, 1]] * [1.0, 1.0, -1.0])
    every = np.concatenate(corners)
    return [every.min(axis=0).tolist(), every.max(axis=0).tolist()]


def import_bvh(path: str) -> None:
    """A BVH has no units of its own: ours is in centimetres."""
    bpy.ops.import_anim.bvh(filepath=path, global_scale=0.01, update_scene_fps=True, update_scene_duration=True)


importers = {
    ".bvh": import_bvh,
    ".glb": lambda path: bpy.ops.import_scene.gltf(filepath=path),
    ".usdc": lambda path: bpy.ops.wm.usd_import(filepath=path),
    ".usda": lambda path: bpy.ops.wm.usd_import(filepath=path),
    ".fbx": lambda path: bpy.ops.import_scene.fbx(filepath=path),
}


if __name__ == "__main__":
    main(sys.argv[-1])
    sys.stdout.flush()
    # Blender as a module may crash while the interpreter tidies up, when all is done
    os._exit(0)
