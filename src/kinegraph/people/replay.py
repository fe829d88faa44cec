"""A walk that is known, stepped through frame by frame: it gives what `blending.play` gives of the whole."""

from __future__ import annotations

import numpy as np

from kinegraph.graph.walk import Walk
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.people.rows import rows
from kinegraph.people.stepping import Cursors, arrive, pose, shifted, turned


def stepped(walk: Walk) -> Motion:
    """The motion of a walk that is played as captured, one frame after another, feet left as they are.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> walk = kg.walks.wander(graph, 5, seed=1)
    >>> whole = kg.blending.play(walk).motion
    >>> abs(stepped(walk).positions - whole.positions).max() < 1e-5
    np.True_
    """
    own = rows(walk.graph)
    own.mix(np.unique(walk.edges[~own.is_mixed[walk.edges]]).astype(np.intp))
    table = own.tables
    cursors = Cursors.of(1)
    cursors.place[0] = walk.start.angle, walk.start.x, walk.start.z
    root, rotations = np.zeros((walk.frames, 3)), rotation.identity(walk.frames, len(walk.graph.skeleton))
    down = np.zeros((1, 4), np.bool_)
    steps = [(edge, step) for edge in walk.edges.tolist() for step in range(int(table.length[edge]))]
    cursors.edge[0], cursors.step[0] = steps[0]
    for frame in range(walk.frames):
        pose(
            cursors,
            table.begin,
            own.root,
            own.rotations,
            own.contacts,
            root[frame : frame + 1],
            rotations[frame : frame + 1],
            down,
        )
        if frame + 1 == walk.frames:
            break
        if walk.turns is not None:
            turned(
                cursors, 0, int(table.begin[steps[frame][0]]) + steps[frame][1], own.steady, float(walk.turns[frame])
            )
        if steps[frame + 1][1] == 0:
            arrive(cursors, 0, table.turn)
        cursors.edge[0, 1], cursors.step[0, 1] = steps[frame + 1]
        shifted(cursors, 0)
    return Motion(walk.graph.skeleton, root, rotations, walk.graph.fps, name="walk")
