"""The optional packages behind pictures and films, imported when first used."""

from __future__ import annotations

import importlib
from types import ModuleType

from kinegraph.errors import MissingExtraError


def pillow(purpose: str) -> ModuleType:
    """``PIL.Image``, or an error that says how to install it."""
    return _imported("PIL.Image", purpose)


def ffmpeg(purpose: str) -> ModuleType:
    """``imageio_ffmpeg``, or an error that says how to install it."""
    return _imported("imageio_ffmpeg", purpose)


def _imported(name: str, purpose: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingExtraError(purpose, "render") from error
