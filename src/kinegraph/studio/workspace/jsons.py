"""What the studio keeps for itself, as files of JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kinegraph.formats.atomic import replacing


def write_json(path: Path, value: Any) -> None:
    """Write a file, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
