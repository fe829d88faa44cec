"""Motion files in and out: `load` and `save` choose the format by the suffix."""

from kinegraph.formats.registry import load, save, suffixes, written_suffixes

__all__ = ["load", "save", "suffixes", "written_suffixes"]
