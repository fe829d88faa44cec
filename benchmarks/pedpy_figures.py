"""Density and flow of tracks by PedPy, as JSON: python pedpy_figures.py TRACKS.txt LEFT RIGHT LINE BOX.

The line goes along x from LEFT to RIGHT at y = LINE; the area is a square of 4 m below it, BOX m from it in the middle. It is a program of
its own because PedPy need not be where kinegraph is: benchmarks/crowds.py runs it with the Python that --pedpy names.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pedpy


def main() -> None:
    file, (left, right, line, box) = Path(sys.argv[1]), map(float, sys.argv[2:])
    tracks = pedpy.load_trajectory_from_txt(trajectory_file=file)
    low, high = line - box - 2.0, line - box + 2.0
    area = pedpy.MeasurementArea([(-2.0, low), (2.0, low), (2.0, high), (-2.0, high)])
    density = pedpy.compute_classic_density(traj_data=tracks, measurement_area=area)["density"]
    _, crossing = pedpy.compute_n_t(
        traj_data=tracks, measurement_line=pedpy.MeasurementLine([(left, line), (right, line)])
    )
    frames = crossing["frame"]
    seconds = (frames.max() - frames.min()) / tracks.frame_rate
    print(
        json.dumps(
            {
                "density": float(density.mean()),
                "most": float(density.max()),
                "crossed": len(frames),
                "flow": (len(frames) - 1) / seconds,
            }
        )
    )


if __name__ == "__main__":
    main()
