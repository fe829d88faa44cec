"""Animations of a glTF file: which node is moved by which keys, and what the keys say between them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Indices
from kinegraph.formats.gltf.accessors import Accessors
from kinegraph.formats.gltf.document import Element
from kinegraph.formats.text import quoted
from kinegraph.motion import rotation

_KINDS = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}
_INTERPOLATIONS = ("LINEAR", "STEP", "CUBICSPLINE")


@dataclass(frozen=True)
class Channel:
    """What one channel of an animation moves. path: translation, rotation, scale or weights."""

    node: int
    path: str
    sampler: Element


@dataclass(frozen=True)
class Track:
    """Keys of one node's translation, rotation (w x y z) or scale.

    times: ``(K,)`` seconds, rising. values: ``(K, C)``. slopes: ``(K, 2, C)`` per second, into and out of each key, for cubic splines.
    """

    path: str
    times: Array
    values: Array
    interpolation: str
    slopes: Array | None = None

    def at(self, times: Array, slack: float) -> Array:
        """The values ``(F, C)`` at ``times (F,)``, held beyond the ends; a key within ``slack`` seconds is met exactly."""
        before = np.clip(np.searchsorted(self.times, times + slack, "right") - 1, 0, len(self.times) - 1)
        after = np.minimum(before + 1, len(self.times) - 1)
        span = self.times[after] - self.times[before]
        past = times - self.times[before]
        part = np.where((past > slack) & (span > 0), past / np.where(span > 0, span, 1.0), 0.0)
        if self.interpolation == "STEP" or not part.any():
            mixed = self.values[before]
        elif self.slopes is not None:
            mixed = self._spline(before, after, part[:, None], span[:, None])
        elif self.path == "rotation":
            return rotation.slerp(self.values[before], self.values[after], part)
        else:
            mixed = self.values[before] + part[:, None] * (self.values[after] - self.values[before])
        return rotation.normalize(mixed) if self.path == "rotation" else mixed

    def _spline(self, before: Indices, after: Indices, t: Array, span: Array) -> Array:
        """Cubic Hermite curve between keys; the specification's appendix C.5."""
        assert self.slopes is not None
        square, cube = t * t, t * t * t
        leaving, arriving = self.slopes[before, 1] * span, self.slopes[after, 0] * span
        curve: Array = (
            (2 * cube - 3 * square + 1) * self.values[before]
            + (cube - 2 * square + t) * leaving
            + (3 * square - 2 * cube) * self.values[after]
            + (cube - square) * arriving
        )
        return curve


def channels(animation: Element, nodes: int) -> list[Channel]:
    """All channels of an animation that move one of the ``nodes``; those of extensions are passed over."""
    found = []
    for channel in animation.items("channels"):
        target = channel.needed("target")
        if "node" not in target.fields:
            continue
        node = target.integer("node")
        if node >= nodes:
            raise target.error(f"refers to nodes[{str(node)[:20]}], but there are {nodes}")
        sampler = animation.item("samplers", channel.integer("sampler"), channel.where)
        found.append(Channel(node, target.text("path"), sampler))
    return found


def moved(found: Collection[Channel]) -> set[int]:
    """The nodes that are moved, turned or scaled."""
    return {channel.node for channel in found if channel.path in _KINDS}


def tracks(found: Collection[Channel], nodes: Collection[int], accessors: Accessors) -> dict[tuple[int, str], Track]:
    """The tracks of some nodes by node and path; where two channels move the same, the first."""
    wanted: dict[tuple[int, str], Track] = {}
    # nodes may share their keys, and then they share the arrays
    known: dict[tuple[str, str, int, int], Track] = {}
    for channel in found:
        if channel.node not in nodes or channel.path not in _KINDS or (channel.node, channel.path) in wanted:
            continue
        sampler = channel.sampler
        interpolation = sampler.text("interpolation", "LINEAR")
        key = channel.path, interpolation, sampler.integer("input"), sampler.integer("output")
        if key not in known:
            known[key] = _track(sampler, *key, accessors)
        wanted[channel.node, channel.path] = known[key]
    return wanted


def _track(sampler: Element, path: str, interpolation: str, inputs: int, outputs: int, accessors: Accessors) -> Track:
    if interpolation not in _INTERPOLATIONS:
        raise sampler.error(
            f"unknown interpolation {quoted(interpolation)}: expected one of {', '.join(_INTERPOLATIONS)}"
        )
    times = accessors.get(inputs, "SCALAR", sampler.place("input"))[:, 0]
    values = accessors.get(outputs, _KINDS[path], sampler.place("output"))
    if np.any(np.diff(times) < 0):
        raise sampler.error(f"key {int(np.argmax(np.diff(times) < 0)) + 1} is earlier than the one before it")
    cubic = interpolation == "CUBICSPLINE"
    if len(values) != (3 if cubic else 1) * len(times):
        raise sampler.error(f"{len(times)} times with {len(values)} values, which do not go together ({interpolation})")
    if path == "rotation":
        values = np.roll(values, 1, axis=1)
    if cubic:
        # the keys stay as they are, unit length or not: the slopes belong to them
        triples = values.reshape(len(times), 3, -1)
        return Track(path, times, triples[:, 1], interpolation, triples[:, ::2])
    return Track(path, times, rotation.normalize(values) if path == "rotation" else values, interpolation)
