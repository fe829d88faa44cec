"""The camera: it maps metres to pixels, and finds a good place to look from."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinegraph.arrays import Array, Singles
from kinegraph.errors import KinegraphError
from kinegraph.motion import Motion

# Degrees from the way the body goes, positive to its left, and degrees above the floor. Seen from its right, a body that
# goes forward goes to the right of the picture, the way we read.
_VIEWS = {"side": (-90.0, 9.0), "front": (0.0, 9.0), "three-quarter": (-45.0, 15.0), "top": (-90.0, 90.0)}
VIEWS = ("auto", *_VIEWS)
# "auto": nearly from the side for a body that goes somewhere, nearly from the front for one that stays, and from higher up
# where the path winds, so that the path can be read.
_TRAVELLING = (-72.0, 12.0)
_STAYING = (-35.0, 13.0)
_WINDING = (-68.0, 34.0)
# A body that stays within this many statures does not go anywhere.
_SOMEWHERE = 0.6

# The eye stands this many picture heights away: far enough that a figure at the edge leans no more than in a long lens.
_EYE_DISTANCE = 3.6


@dataclass(frozen=True)
class Camera:
    """A camera that is held upright."""

    axes: Array
    """``(3, 3)``: rows right, up and towards the eye."""
    target: Array
    """``(3,)``: the point that is drawn at ``centre``."""
    scale: float
    """Pixels per metre at the target."""
    centre: tuple[float, float]
    """x and y in pixels, y down."""
    distance: float = np.inf
    """Metres from target to eye; infinite for parallel rays."""

    def project(self, points: ArrayLike) -> tuple[Array, Array]:
        """Pixels ``(..., 3)`` of points ``(..., 3)``, x right, y down and depth towards the eye, and pixels per metre ``(...)``.

        Depth is measured at the target's scale for all points, so that depths of different bones can be compared.
        """
        seen = (np.asarray(points, dtype=np.float64) - self.target) @ self.axes.T
        if np.isinf(self.distance):
            enlarged = np.ones(seen.shape[:-1])
        else:
            # what comes closer to the eye than this is out of the picture anyway
            enlarged = self.distance / np.maximum(self.distance - seen[..., 2], 0.05 * self.distance)
        scale = self.scale * enlarged
        x = self.centre[0] + scale * seen[..., 0]
        y = self.centre[1] - scale * seen[..., 1]
        return np.stack([x, y, self.scale * seen[..., 2]], axis=-1), scale

    def floor(self, width: int, height: int) -> tuple[Singles, Singles, NDArray[np.bool_]]:
        """World x and z ``(height, width)`` of the floor at the centre of each pixel, and which rows ``(height,)`` see the floor."""
        right, up, back = self.axes
        across = (np.arange(width) + 0.5 - self.centre[0]) / self.scale
        along = (self.centre[1] - np.arange(height) - 0.5) / self.scale
        if np.isinf(self.distance):
            origin = self.target + along[:, None] * up
            direction = np.broadcast_to(-back, origin.shape)
        else:
            origin = np.broadcast_to(self.target + self.distance * back, (height, 3))
            direction = along[:, None] * up - self.distance * back
        # the picture is upright, so a row meets the floor at one depth
        falls = direction[:, 1] < -1e-6
        far = np.where(falls, -origin[:, 1] / np.where(falls, direction[:, 1], -1.0), 0.0)
        hit = origin + far[:, None] * direction
        spread = np.ones(height) if np.isinf(self.distance) else far
        across = across.astype(np.float32)
        x = hit[:, 0, None].astype(np.float32) + (spread[:, None] * right[0]).astype(np.float32) * across
        z = hit[:, 2, None].astype(np.float32) + (spread[:, None] * right[2]).astype(np.float32) * across
        return x, z, falls & (far > 0)

    def moved(self, target: ArrayLike) -> Camera:
        """The same camera looking at another point."""
        return replace(self, target=np.asarray(target, dtype=np.float64))

    def enlarged(self, factor: float) -> Camera:
        """The camera of a picture ``factor`` times as large."""
        return replace(self, scale=self.scale * factor, centre=(self.centre[0] * factor, self.centre[1] * factor))


def axes_of(heading: float, pitch: float) -> Array:
    """Axes ``(3, 3)`` of a camera that is in direction ``heading`` from its target, and ``pitch`` above the floor; in radians."""
    sine, cosine = np.sin(heading), np.cos(heading)
    right = np.array([cosine, 0.0, -sine])
    back = np.array([sine * np.cos(pitch), np.sin(pitch), cosine * np.cos(pitch)])
    return np.stack([right, np.cross(back, right), back])


def view_axes(motion: Motion, view: str, stature: float) -> Array:
    """Axes ``(3, 3)`` of the camera for a named view of a motion by a body of ``stature`` metres."""
    heading, reach, sway = course(motion, stature)
    if view == "auto":
        if reach == 0:
            turn, pitch = _STAYING
        else:
            turn, pitch = _WINDING if sway > 0.8 * stature else _TRAVELLING
    elif view in _VIEWS:
        turn, pitch = _VIEWS[view]
    else:
        raise KinegraphError(f"unknown view {view!r}: expected one of {', '.join(VIEWS)}")
    return axes_of(heading + np.radians(turn), np.radians(pitch))


def course(motion: Motion, stature: float) -> tuple[float, float, float]:
    """Where a motion goes: its heading in radians, and how far it extends that way and sideways, in metres.

    The heading is that of the path, if it leads anywhere; otherwise it is the body's mean heading, and the extent is 0.
    """
    path = motion.root[:, [0, 2]]
    facing = np.array([0.0, 1.0])
    if motion.skeleton.has_roles("left_hip", "right_hip"):
        mean = motion.facing()[:, [0, 2]].mean(axis=0)
        facing = mean / np.linalg.norm(mean) if np.linalg.norm(mean) > 1e-6 else facing
    travel = path[-1] - path[0]
    spread = np.linalg.norm(np.ptp(path, axis=0))
    if spread > 0 and np.linalg.norm(travel) > 0.5 * spread:
        ahead = travel / np.linalg.norm(travel)
    else:
        # there and back, or round: the long axis of the path, if it has one
        values, vectors = np.linalg.eigh(np.cov(path.T)) if len(path) > 1 else (np.zeros(2), np.eye(2))
        ahead = vectors[:, 1] if values[1] > 2.0 * values[0] else facing
        ahead = ahead if ahead @ facing >= 0 else -ahead
    reach, sway = np.ptp(path @ ahead), np.ptp(path @ np.array([-ahead[1], ahead[0]]))
    if max(reach, sway) < _SOMEWHERE * stature:
        ahead, reach, sway = facing, 0.0, 0.0
    return float(np.arctan2(ahead[0], ahead[1])), float(reach), float(sway)


def fitted(
    axes: Array, spheres: Array, radii: Array, box: tuple[float, float, float, float], *, perspective: bool = True
) -> Camera:
    """The camera with these axes that shows all spheres ``(N, 3)`` of ``radii (N,)`` inside a box of pixels.

    box: left, top, right, bottom. The spheres fill the box in one direction and are centred in the other.
    """
    left, top, right, bottom = box
    wide, high = max(right - left, 1.0), max(bottom - top, 1.0)
    centre = (0.5 * (left + right), 0.5 * (top + bottom))
    camera = Camera(axes, spheres.mean(axis=0), 1.0, centre)
    # exact at once for parallel rays; in perspective each round brings the error down by an order
    for _ in range(6 if perspective else 2):
        pixels, scale = camera.project(spheres)
        low = (pixels[:, :2] - (scale * radii)[:, None]).min(axis=0)
        far = (pixels[:, :2] + (scale * radii)[:, None]).max(axis=0)
        offset = (0.5 * (low + far) - np.array(camera.centre)) / camera.scale
        target = camera.target + offset[0] * axes[0] - offset[1] * axes[1]
        ratio = min(wide / max(far[0] - low[0], 1e-9), high / max(far[1] - low[1], 1e-9))
        pixels_per_metre = camera.scale * ratio
        distance = _EYE_DISTANCE * max(wide * 0.75, high) / pixels_per_metre if perspective else np.inf
        camera = Camera(axes, target, pixels_per_metre, centre, distance)
    return camera
