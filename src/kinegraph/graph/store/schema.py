"""The tables of a `.mog` file. `docs/mog-format.md` tells another language's reader what they mean.

A change that an old reader would misread raises `VERSION`; further tables and columns with a default do not.
"""

from __future__ import annotations

from typing import Final

# "kmog" in ASCII: tells a `.mog` from any other SQLite file
APPLICATION_ID: Final = 0x6B6D6F67
VERSION: Final = 1

DDL: Final = """
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE joint (
  id INTEGER PRIMARY KEY CHECK (id >= 0),
  name TEXT NOT NULL,
  parent INTEGER REFERENCES joint (id),
  x REAL NOT NULL,
  y REAL NOT NULL,
  z REAL NOT NULL,
  CHECK (CASE WHEN id = 0 THEN parent IS NULL ELSE parent IS NOT NULL AND parent < id END)
) STRICT;

CREATE TABLE tip (
  id INTEGER PRIMARY KEY CHECK (id >= 0),
  joint INTEGER NOT NULL REFERENCES joint (id),
  x REAL NOT NULL,
  y REAL NOT NULL,
  z REAL NOT NULL
) STRICT;

CREATE TABLE role (
  role TEXT PRIMARY KEY,
  joint INTEGER NOT NULL REFERENCES joint (id),
  given INTEGER NOT NULL CHECK (given IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE clip (
  id INTEGER PRIMARY KEY CHECK (id >= 0),
  name TEXT NOT NULL UNIQUE,
  frames INTEGER NOT NULL CHECK (frames > 0),
  fps REAL NOT NULL CHECK (fps > 0),
  window INTEGER NOT NULL CHECK (window > 0),
  source_file TEXT NOT NULL,
  source_sha256 TEXT NOT NULL,
  source_fps REAL NOT NULL,
  source_frames INTEGER NOT NULL,
  mirrored INTEGER NOT NULL CHECK (mirrored IN (0, 1)),
  retargeted INTEGER NOT NULL CHECK (retargeted IN (0, 1)),
  root BLOB NOT NULL CHECK (length(root) = 12 * frames),
  rotations BLOB NOT NULL CHECK (length(rotations) % (16 * frames) = 0),
  contacts BLOB NOT NULL CHECK (length(contacts) = 4 * frames),
  sound BLOB NOT NULL CHECK (length(sound) = frames)
) STRICT;

CREATE TABLE label_span (
  id INTEGER PRIMARY KEY CHECK (id >= 0),
  clip INTEGER NOT NULL REFERENCES clip (id),
  label TEXT NOT NULL,
  first INTEGER NOT NULL CHECK (first >= 0),
  last INTEGER NOT NULL CHECK (last > first),
  origin TEXT NOT NULL,
  confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence > 0 AND confidence <= 1)
) STRICT;

CREATE TABLE candidates (
  clip_a INTEGER NOT NULL REFERENCES clip (id),
  clip_b INTEGER NOT NULL REFERENCES clip (id),
  window INTEGER NOT NULL CHECK (window > 0),
  count INTEGER NOT NULL CHECK (count >= 0),
  first BLOB NOT NULL CHECK (length(first) = 4 * count),
  second BLOB NOT NULL CHECK (length(second) = 4 * count),
  cost BLOB NOT NULL CHECK (length(cost) = 8 * count),
  UNIQUE (clip_a, clip_b)
) STRICT;

CREATE TABLE node (
  id INTEGER PRIMARY KEY CHECK (id >= 0),
  clip INTEGER NOT NULL REFERENCES clip (id),
  frame INTEGER NOT NULL CHECK (frame >= 0)
) STRICT;

CREATE TABLE edge (
  id INTEGER PRIMARY KEY CHECK (id >= 0),
  source INTEGER NOT NULL REFERENCES node (id),
  target INTEGER NOT NULL REFERENCES node (id),
  kind INTEGER NOT NULL CHECK (kind IN (0, 1, 2)),
  length INTEGER NOT NULL CHECK (length > 0),
  cost REAL NOT NULL CHECK (cost >= 0),
  angle REAL NOT NULL,
  x REAL NOT NULL,
  z REAL NOT NULL
) STRICT;

CREATE TABLE label_component (
  label TEXT PRIMARY KEY,
  node_count INTEGER NOT NULL CHECK (node_count >= 0),
  edge_count INTEGER NOT NULL CHECK (edge_count >= 0),
  nodes BLOB NOT NULL CHECK (length(nodes) = 4 * node_count),
  edges BLOB NOT NULL CHECK (length(edges) = 4 * edge_count)
) STRICT, WITHOUT ROWID;

CREATE TABLE history (
  id INTEGER PRIMARY KEY CHECK (id >= 0),
  step TEXT NOT NULL,
  seconds REAL NOT NULL,
  pairs INTEGER NOT NULL,
  version TEXT NOT NULL
) STRICT;

CREATE VIEW transition AS
SELECT
  edge.id AS edge,
  a.name AS source_clip,
  source.frame AS source_frame,
  b.name AS target_clip,
  target.frame AS target_frame,
  CASE edge.kind WHEN 1 THEN 'transition' ELSE 'bridge' END AS kind,
  edge.length AS length,
  100.0 * edge.cost AS cost_cm
FROM edge
JOIN node AS source ON source.id = edge.source
JOIN clip AS a ON a.id = source.clip
JOIN node AS target ON target.id = edge.target
JOIN clip AS b ON b.id = target.clip
WHERE edge.kind > 0;
"""

# Spaces of strikes: these tables are there where a file holds one, with a graph's beside them or without. Each space has its own body.
SPACE_DDL: Final = """
CREATE TABLE space (
  id INTEGER PRIMARY KEY CHECK (id >= 0),
  name TEXT NOT NULL UNIQUE CHECK (name <> ''),
  kind TEXT NOT NULL CHECK (kind IN ('punch', 'kick')),
  side TEXT NOT NULL CHECK (side IN ('left', 'right')),
  fps REAL NOT NULL CHECK (fps > 0),
  moments INTEGER NOT NULL,
  hit INTEGER NOT NULL CHECK (hit > 0 AND hit < moments - 1),
  version TEXT NOT NULL,
  digest TEXT NOT NULL
) STRICT;

CREATE TABLE space_joint (
  space INTEGER NOT NULL REFERENCES space (id),
  id INTEGER NOT NULL CHECK (id >= 0),
  name TEXT NOT NULL,
  parent INTEGER,
  x REAL NOT NULL,
  y REAL NOT NULL,
  z REAL NOT NULL,
  PRIMARY KEY (space, id),
  FOREIGN KEY (space, parent) REFERENCES space_joint (space, id),
  CHECK (CASE WHEN id = 0 THEN parent IS NULL ELSE parent IS NOT NULL AND parent < id END)
) STRICT, WITHOUT ROWID;

CREATE TABLE space_tip (
  space INTEGER NOT NULL REFERENCES space (id),
  id INTEGER NOT NULL CHECK (id >= 0),
  joint INTEGER NOT NULL,
  x REAL NOT NULL,
  y REAL NOT NULL,
  z REAL NOT NULL,
  PRIMARY KEY (space, id),
  FOREIGN KEY (space, joint) REFERENCES space_joint (space, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE space_role (
  space INTEGER NOT NULL REFERENCES space (id),
  role TEXT NOT NULL,
  joint INTEGER NOT NULL,
  given INTEGER NOT NULL CHECK (given IN (0, 1)),
  PRIMARY KEY (space, role),
  FOREIGN KEY (space, joint) REFERENCES space_joint (space, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE space_strike (
  space INTEGER NOT NULL REFERENCES space (id),
  id INTEGER NOT NULL CHECK (id >= 0),
  clip TEXT NOT NULL,
  first INTEGER NOT NULL CHECK (first >= 0),
  hit INTEGER NOT NULL CHECK (hit > first),
  last INTEGER NOT NULL CHECK (last > hit + 1),
  x REAL NOT NULL,
  y REAL NOT NULL,
  z REAL NOT NULL,
  moments INTEGER NOT NULL CHECK (moments > 2),
  root BLOB NOT NULL CHECK (length(root) = 12 * moments),
  rotations BLOB NOT NULL CHECK (length(rotations) % (16 * moments) = 0),
  times BLOB NOT NULL CHECK (length(times) = 8 * moments),
  contacts BLOB NOT NULL CHECK (length(contacts) = 4 * moments),
  PRIMARY KEY (space, id)
) STRICT;

CREATE VIEW strike AS
SELECT
  space.name AS space,
  space_strike.clip AS clip,
  space_strike.first AS start_frame,
  space_strike.hit AS hit_frame,
  space_strike.last AS end_frame,
  space_strike.x AS x,
  space_strike.y AS y,
  space_strike.z AS z
FROM space_strike
JOIN space ON space.id = space_strike.space
ORDER BY space_strike.space, space_strike.id;
"""

TABLES: Final = (
    "meta", "joint", "tip", "role", "clip", "label_span", "candidates", "node", "edge", "label_component", "history",
)  # fmt: skip
VIEWS: Final = ("transition",)
SPACE_TABLES: Final = ("space", "space_joint", "space_tip", "space_role", "space_strike")
