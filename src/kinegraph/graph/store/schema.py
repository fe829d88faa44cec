"""The tables of a `.mog` file. `docs/mog-format.md` tells another language's reader what they mean.

What is large lies in arrays: a row of SQLite for each edge would take seconds to read. What comes before a clip's rotations in its row
can be read without them. A change that an old reader would misread raises `VERSION`; further tables and columns with a default do not.
"""

from __future__ import annotations

from typing import Final

# "kmog" in ASCII: tells a `.mog` from any other SQLite file
APPLICATION_ID: Final = 0x6B6D6F67
VERSION: Final = 2
"""Of what is written. Files of version 1 are read, too: `kinegraph.graph.store.first`."""

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
  licence TEXT NOT NULL,
  credit TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  rotations BLOB NOT NULL CHECK (length(rotations) % (16 * frames) = 0)
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

CREATE TABLE array (
  name TEXT NOT NULL,
  piece INTEGER NOT NULL CHECK (piece >= 0),
  sha256 TEXT NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (name, piece)
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

TABLES: Final = ("meta", "joint", "tip", "role", "clip", "label_span", "array", "label_component", "history")
FIRST_TABLES: Final = (
    "meta", "joint", "tip", "role", "clip", "label_span", "candidates", "node", "edge", "label_component", "history",
)  # fmt: skip
"""Those of version 1."""
GRAPH_TABLES: Final = (*TABLES, "candidates", "node", "edge")
"""All that a graph of any version has, for telling what in a file is no graph's."""
FIRST_VIEWS: Final = ("transition",)
SPACE_TABLES: Final = ("space", "space_joint", "space_tip", "space_role", "space_strike")
