"""A motion graph of the built-in clips: built, looked into, saved and opened again.

python examples/04_graph.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

import kinegraph as kg

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
clips = [kg.samples.make(name).motion for name in ("walk", "walk_fast", "walk_left_medium", "walk_right_medium", "run")]

graph = kg.build(clips, mirror=True, path=folder / "walks.mog")
print(graph)
for group in graph.record.report.groups:
    print(f"  {len(group.clips)} clips meet below {100 * group.threshold:.1f} cm: {', '.join(group.clips)}")

# where could one go from the middle of the walk?
nodes = np.flatnonzero(graph.node_clip == graph.clip_index["walk"])
for edge in graph.out(int(nodes[len(nodes) // 2])):
    target = graph.edges.target[edge]
    kind = kg.graph.EdgeKind(graph.edges.kind[edge]).name.lower()
    where = f"{graph.clips[graph.node_clip[target]].name}, frame {graph.node_frame[target]}"
    print(f"  {kind:10} of {graph.edges.length[edge]:2} frames to {where}, {100 * graph.edges.cost[edge]:.1f} cm")

print(kg.graph.load(folder / "walks.mog"))
