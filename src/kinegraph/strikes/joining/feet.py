"""Feet through the transitions into strikes and out of them: they step over, one after the other."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from kinegraph.arrays import Bools
from kinegraph.blending.performance import Performance
from kinegraph.feet.sole import soles
from kinegraph.feet.stepping import Side, stepped
from kinegraph.graph.model import EdgeKind
from kinegraph.motion.clip import Motion

# Seconds before and after a transition in which a body that was lowered for it comes up again.
_AROUND = 0.4


def with_steps(performance: Performance, strikes: Collection[str]) -> tuple[Motion, Bools]:
    """The straight motion of a walk and its contacts ``(F, 4)``, with feet that step wherever somebody gets into one of the clips
    ``strikes`` or out of it.
    """
    walk = performance.walk
    graph, edges = walk.graph, walk.graph.edges
    own = {graph.clip_index[name] for name in strikes}
    motion, contacts = performance.unbent, performance.contacts.copy()
    feet, around = soles(motion, contacts), round(_AROUND * graph.fps)
    root, rotations = motion.root.copy(), motion.rotations.copy()
    for index, edge in enumerate(walk.edges.tolist()):
        source, target = edges.source[edge], edges.target[edge]
        length, begin = int(edges.length[edge]), int(walk.begins[index])
        ends = {int(graph.node_clip[source]), int(graph.node_clip[target])}
        if edges.kind[edge] == EdgeKind.ORIGINAL or not ends & own or begin + length > len(motion):
            continue
        place = walk.placements[index]
        sides = []
        for node, first, floor in (
            (source, int(graph.node_frame[source]), place),
            (target, int(graph.node_frame[target]) - length, place @ edges.alignment(edge)),
        ):
            clip, during = graph.clips[graph.node_clip[node]], slice(first, first + length)
            sides.append(Side(clip.motion[during].place(floor), clip.contacts[during]))
        here = slice(max(begin - around, 0), begin + length + around)
        part = replace(motion[here], root=root[here], rotations=rotations[here])
        part, down = stepped(part, contacts[here], begin - here.start, sides[0], sides[1], feet)
        root[here], rotations[here], contacts[here] = part.root, part.rotations, down
    return replace(motion, root=root, rotations=rotations), contacts
