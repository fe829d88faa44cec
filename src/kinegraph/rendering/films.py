"""Films of a motion: frame by frame into a GIF or an MP4."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import FormatError, KinegraphError
from kinegraph.formats.atomic import replacing
from kinegraph.motion import Motion
from kinegraph.rendering.camera import Camera, fitted, view_axes
from kinegraph.rendering.extras import ffmpeg, pillow
from kinegraph.rendering.palette import BACKGROUND
from kinegraph.rendering.scene import Figure, Picture, compose
from kinegraph.rendering.shapes import Mannequin
from kinegraph.watch import Watch, Watcher

if TYPE_CHECKING:
    from PIL.Image import Image

# Seconds over which a following camera averages where the body is: it glides over steps and leads into turns.
_GLIDE = 0.6
# A frame of a GIF cannot be shown for less: players slow such films down.
_SHORTEST_DELAY = 0.02
# Frames from which the common colours of a GIF are taken, and how many colours.
_PALETTE_FRAMES = 6
_COLOURS = 128
# Poses a camera is fitted to: enough that none of the others leaves the picture's margin.
_FITTED_POSES = 240


def film(
    motion: Motion,
    path: str | PathLike[str],
    *,
    fps: float = 30.0,
    width: int = 640,
    height: int = 480,
    view: str = "auto",
    follow: bool = True,
    watch: Watcher = None,
) -> None:
    """Write a film of a motion as .gif or .mp4, at the speed at which it was recorded.

    fps: frames per second of the film. follow: the camera glides along with the body; otherwise it stands still and shows
    the whole way. The width and height of an MP4 are even numbers: odd ones become one pixel less. watch: told after each
    frame, as the stage "draw". The file appears only when it is complete.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "walk.gif")
    >>> kg.rendering.film(kg.samples.make("walk").motion[:30], file, fps=10, width=160, height=120)
    >>> file.read_bytes()[:6]
    b'GIF89a'
    """
    written(
        lambda fps, width, height: Shots(motion.resample(fps), width, height, view, follow),
        path,
        fps,
        width,
        height,
        watch,
    )


class Pictures(Protocol):
    """The frames of a film; each is drawn when it is asked for."""

    width: int
    height: int

    def __len__(self) -> int:
        """How many there are."""

    def __getitem__(self, frame: int) -> Picture:
        """The picture ``(height, width, 3)`` of one frame."""


def written(
    made: Callable[[float, int, int], Pictures],
    path: str | PathLike[str],
    fps: float,
    width: int,
    height: int,
    watch: Watcher,
) -> None:
    """Write a film. made: gives its pictures at the rate and size that the kind of file allows."""
    target = Path(path)
    suffix = target.suffix.lower()
    writers = {".gif": _write_gif, ".mp4": _write_mp4}
    if suffix not in writers:
        raise FormatError(f"a film is written as .gif or .mp4, not {suffix or 'without a suffix'}", target)
    if not (np.isfinite(fps) and fps > 0):
        raise KinegraphError(f"frames per second must be positive, got {fps}")
    if min(width, height) < 16:
        raise KinegraphError(f"a film of {width} by {height} pixels is too small: 16 by 16 is the least")
    if suffix == ".mp4":
        width, height = width - width % 2, height - height % 2
        ffmpeg("writing an MP4")
    else:
        fps = min(fps, 1 / _SHORTEST_DELAY)
        pillow("writing a GIF")
    pictures = made(fps, width, height)
    with replacing(target) as temporary:
        writers[suffix](pictures, temporary, fps, Watch.of(watch))


class Shots:
    """The frames of a film; each is drawn when it is needed."""

    def __init__(self, motion: Motion, width: int, height: int, view: str, follow: bool):
        self.motion, self.width, self.height = motion, width, height
        self.mannequin = Mannequin(motion)
        self._follow = follow
        self._camera, self._track = _staged(self.mannequin, width, height, view, follow)

    def __len__(self) -> int:
        return len(self.motion)

    def __getitem__(self, frame: int) -> Picture:
        """The picture ``(height, width, 3)`` of one frame."""
        stature = self.mannequin.stature
        camera = self._camera.moved(self._camera.target + self._track[frame])
        figure = Figure(self.mannequin.pose(frame))
        # the grid fades where the picture ends or a few bodies away, whichever is nearer
        reach = max(2.2 * stature, 0.9 * self.width / camera.scale)
        return compose(camera, self.width, self.height, [figure], stature, middle=self._middle(frame), reach=reach)

    def _middle(self, frame: int) -> Array:
        """Floor points ``(N, 2)`` round which the grid is shown: where the camera is, or the whole way for a still one."""
        if self._follow:
            here: Array = self._track[frame : frame + 1, [0, 2]]
            return here
        some = np.linspace(0, len(self) - 1, min(len(self), 12)).round().astype(int)
        way: Array = self.motion.root[some][:, [0, 2]]
        return way


def _staged(mannequin: Mannequin, width: int, height: int, view: str, follow: bool) -> tuple[Camera, Array]:
    """A camera that shows every frame, and how far ``(F, 3)`` it is moved along the floor in each."""
    motion = mannequin.motion
    track = np.zeros((len(motion), 3))
    if follow:
        track[:, [0, 2]] = glide(motion.root[:, [0, 2]], _GLIDE * motion.fps)
    frames = np.unique(np.linspace(0, len(motion) - 1, min(len(motion), _FITTED_POSES)).round().astype(int))
    spheres = np.concatenate([mannequin.pose(int(f)).ends.reshape(-1, 3) - track[f] for f in frames])
    radii = np.tile(mannequin.radii.ravel(), len(frames))
    edge = 0.08 * height
    axes = view_axes(motion, view, mannequin.stature)
    return fitted(axes, spheres, radii, (edge, edge, width - edge, height - edge)), track


def glide(values: Array, sigma: float) -> Array:
    """``values (F, D)`` smoothed in time by a Gaussian of ``sigma`` frames; beyond the ends they continue at the rate they had there."""
    reach = min(int(3 * sigma) + 1, len(values) - 1)
    if reach < 1:
        return values.copy()
    # point reflection at the ends keeps the speed there, so that the camera neither starts nor stops late
    before = 2 * values[0] - values[reach:0:-1]
    after = 2 * values[-1] - values[-2 : -2 - reach : -1]
    padded = np.concatenate([before, values, after])
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    return np.stack([np.convolve(column, weights, mode="valid") for column in padded.T], axis=-1)


def _write_mp4(shots: Pictures, path: Path, fps: float, watch: Watch) -> None:
    command = [ffmpeg("writing an MP4").get_ffmpeg_exe(), "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"]
    command += ["-s", f"{shots.width}x{shots.height}", "-r", f"{fps:.6f}", "-i", "-", "-an"]
    command += ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "19"]
    # faststart lets a browser play while it loads; bitexact leaves the encoder's name and the date out
    command += ["-movflags", "+faststart", "-fflags", "+bitexact", str(path)]
    # complaints go to a file: a pipe that nobody empties would stop the encoder; beside the film, where it is known that one may write
    with tempfile.TemporaryFile(dir=path.parent) as complaints:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=complaints) as encoder:
            assert encoder.stdin is not None
            try:
                for frame in range(len(shots)):
                    encoder.stdin.write(shots[frame].tobytes())
                    watch.tell("draw", frame + 1, len(shots))
            except BrokenPipeError:
                pass  # the encoder has given up, and says below why
            except BaseException:
                encoder.kill()
                raise
            with suppress(BrokenPipeError):
                encoder.stdin.close()
        if encoder.returncode != 0:
            complaints.seek(0)
            raise KinegraphError(f"the video encoder failed: {complaints.read().decode(errors='replace').strip()}")


def _write_gif(shots: Pictures, path: Path, fps: float, watch: Watch) -> None:
    image = pillow("writing a GIF")
    total = len(shots)
    samples = np.unique(np.linspace(0, total - 1, min(total, _PALETTE_FRAMES)).round().astype(int))
    sheet = image.fromarray(np.concatenate([shots[int(frame)] for frame in samples]))
    colours = sheet.quantize(_COLOURS, method=image.Quantize.MEDIANCUT, kmeans=2, dither=image.Dither.NONE)
    table = np.array(colours.getpalette()).reshape(-1, 3)
    paper = np.round(255 * BACKGROUND).astype(int)
    # the background is most of the film: it keeps its own colour, not the mean of its neighbours
    table[np.argmin(np.abs(table - paper).sum(axis=1))] = paper
    colours.putpalette(table.ravel().tolist())

    def frames() -> Iterator[Image]:
        for frame in range(total):
            # one palette and no dither: what stands still stays the same and is not stored again
            yield image.fromarray(shots[frame]).quantize(palette=colours, dither=image.Dither.NONE)
            watch.tell("draw", frame + 1, total)

    # delays are whole hundredths of a second: each ends at the hundredth nearest to its true time
    ends = np.round(np.arange(total + 1) * 100 / fps)
    delays = [int(10 * delay) for delay in np.diff(ends)]
    stream = frames()
    first = next(stream)
    options: dict[str, Any] = {"save_all": True, "append_images": stream, "duration": delays, "loop": 0}
    # a file of our own is closed whatever happens while it is written
    with path.open("wb") as file:
        first.save(file, format="GIF", optimize=False, disposal=1, **options)
