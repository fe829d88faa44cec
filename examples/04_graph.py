"""A motion graph of the built-in clips: built, looked into, saved and opened again."""

import sys
from pathlib import Path

import numpy as np

import kinegraph as kg

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
clips = [kg.samples.make(name).motion for name in ("walk", "walk_fast", "walk_left_medium", "walk_right_medium", "run")]

graph = kg.graph.build(clips, kg.graph.Parameters(mirror=True))
print(graph)
for group in graph.record.report.groups:
    print(f"  {len(group.clips)} clips meet below {100 * group.threshold:.1f} cm: {', '.join(group.clips)}")

# where could one go from the middle of the walk?
walk = graph.clip_index["walk"]
node = int(np.flatnonzero(graph.node_clip == walk)[len(np.flatnonzero(graph.node_clip == walk)) // 2])
for edge in graph.out(node):
    target = graph.edges.target[edge]
    kind = kg.graph.EdgeKind(graph.edges.kind[edge]).name.lower()
    where = f"{graph.clips[graph.node_clip[target]].name}, frame {graph.node_frame[target]}"
    print(f"  {kind:10} of {graph.edges.length[edge]:2} frames to {where}, {100 * graph.edges.cost[edge]:.1f} cm")

kg.graph.save(graph, folder / "walks.mog")
print(kg.graph.load(folder / "walks.mog"))
