"""The list of built-in clips: names, and a clip for each name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType

from kinegraph.errors import KinegraphError
from kinegraph.samples import jump, kick, locomotion, punch
from kinegraph.samples.sample import Sample

_MAKERS: Mapping[str, Callable[[str], Sample]] = MappingProxyType(
    {
        **locomotion.MAKERS,
        "jump": jump.make,
        **dict.fromkeys(punch.TARGETS, punch.make),
        **dict.fromkeys(kick.TARGETS, kick.make),
    }
)


def names() -> tuple[str, ...]:
    """The names of all built-in clips.

    >>> names()[:4]
    ('stand', 'walk_slow', 'walk', 'walk_fast')
    """
    return tuple(_MAKERS)


@cache
def make(name: str) -> Sample:
    """The built-in clip of that name; made on first use, then kept.

    >>> walk = make("walk")
    >>> walk.label, walk.motion.fps, walk.speed
    ('walk', 60.0, 1.25)
    """
    if name not in _MAKERS:
        close = get_close_matches(name, _MAKERS, n=3) or [known for known in _MAKERS if name and name in known][:3]
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(_MAKERS)}"
        raise KinegraphError(f"no built-in clip is called {name!r}: {hint}")
    return _MAKERS[name](name)


def all_samples() -> Iterator[Sample]:
    """Every built-in clip in turn.

    >>> import kinegraph as kg
    >>> sorted({sample.label for sample in kg.samples.all_samples()})
    ['jump', 'kick', 'punch', 'run', 'sneak', 'stand', 'walk']
    """
    return (make(name) for name in _MAKERS)
