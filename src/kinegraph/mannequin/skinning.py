"""How a surface follows joints: weights along a row of bones, and linear blend skinning."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinegraph.arrays import Array
from kinegraph.mannequin.mesh import Mesh
from kinegraph.motion import Motion, Skeleton, kinematics, rotation

# What a glTF or USD vertex can follow without extensions.
MOST_JOINTS = 4


def bind_pose(mesh: Mesh, skeleton: Skeleton) -> tuple[Array, Array]:
    """World positions ``(J, 3)`` and orientations ``(J, 4)`` of the joints in the pose the mesh was made in."""
    return kinematics.forward(skeleton, skeleton.offsets[0], mesh.bind)


def deformed(mesh: Mesh, skeleton: Skeleton, motion: Motion, frame: int) -> Array:
    """The vertices ``(V, 3)`` of a mesh in one frame of a motion of its skeleton, by linear blend skinning, as viewers do it.

    >>> import kinegraph as kg
    >>> walk = kg.samples.make("walk").motion
    >>> mesh = kg.mannequin.mannequin(walk.skeleton)
    >>> kg.mannequin.deformed(mesh, walk.skeleton, walk, 0).max(axis=0).round(2).tolist()    # 1.69 m tall in mid-step
    [0.26, 1.69, 0.49]
    """
    places, turns = bind_pose(mesh, skeleton)
    turn = rotation.multiply(motion.orientations[frame], rotation.inverse(turns))
    shift = motion.positions[frame] - rotation.rotate(turn, places)
    matrices = np.concatenate([rotation.to_matrix(turn), shift[..., None]], axis=-1)
    blended = np.einsum("vk,vkij->vij", mesh.weights, matrices[mesh.joints])
    moved: Array = np.einsum("vij,vj->vi", blended[..., :3], mesh.vertices) + blended[..., 3]
    return moved


def along_chain(at: Array, starts: ArrayLike, reach: ArrayLike) -> Array:
    """Weights ``(V, K)`` of vertices at ``at (V,)`` along a row of K joints.

    starts: ``(K,)``, not decreasing: where each joint's bone begins; everything before the second belongs to the first. reach: ``(K,)``,
    how far before and after its start a joint gradually takes over. Bones shorter than that still get a share; bones of no length get none.
    """
    starts, reach = np.asarray(starts, dtype=np.float64), np.maximum(np.asarray(reach, dtype=np.float64), 1e-9)
    t = np.clip(0.5 + 0.5 * (at[:, None] - starts) / reach, 0.0, 1.0)
    # how much follows this joint or one further on: all of it the first one
    beyond = t * t * (3 - 2 * t)
    beyond[:, 0] = 1.0
    beyond = np.maximum.accumulate(beyond[:, ::-1], axis=1)[:, ::-1]
    weights: Array = beyond - np.concatenate([beyond[:, 1:], np.zeros((len(at), 1))], axis=1)
    return weights


def strongest(weights: Array) -> tuple[NDArray[np.int64], Array]:
    """The four strongest joints ``(V, 4)`` of each vertex and their weights ``(V, 4)``, from weights ``(V, J)`` of all joints.

    The largest comes first, and they are made to sum to 1.
    """
    if weights.shape[1] < MOST_JOINTS:
        weights = np.pad(weights, ((0, 0), (0, MOST_JOINTS - weights.shape[1])))
    joints = np.argsort(-weights, axis=1, kind="stable")[:, :MOST_JOINTS]
    kept = np.take_along_axis(weights, joints, axis=1)
    kept = np.where(kept > 1e-3, kept, 0.0)
    kept = kept / kept.sum(axis=1, keepdims=True)
    return np.where(kept > 0, joints, 0).astype(np.int64), kept
