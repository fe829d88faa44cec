"""`Format`: what is known of a kind of file without reading or writing one, and `FORMATS`, the catalogue of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from kinegraph.catalogue import Catalogue
from kinegraph.errors import KinegraphError

if TYPE_CHECKING:
    from os import PathLike

    from kinegraph.formats.options import ReadOptions
    from kinegraph.formats.raw import RawMotion
    from kinegraph.motion import Motion


@dataclass(frozen=True)
class Need:
    """Something that must be there before a format can be used."""

    what: str
    """Such as ``kinegraph[usd]`` or ``Blender``."""
    missing: Callable[[], str | None]
    """None where it is there, else a sentence that says what to install."""

    @classmethod
    def extra(cls, extra: str, module: str) -> Need:
        """An optional part of kinegraph that brings a module.

        >>> Need.extra("usd", "no_such_module").missing()
        "it needs an optional part of kinegraph: pip install 'kinegraph[usd]'"
        """
        says = f"it needs an optional part of kinegraph: pip install 'kinegraph[{extra}]'"
        return cls(f"kinegraph[{extra}]", lambda: None if find_spec(module) else says)


@dataclass(frozen=True)
class Format:
    """A kind of file that holds a motion, or shows one.

    >>> FORMATS["BVH"].suffixes, FORMATS["BVH"].unit, "units" in FORMATS["BVH"].options
    (('.bvh',), 'cm', True)
    """

    name: str
    """What people call it: BVH."""
    suffixes: tuple[str, ...]
    """How its files end, in small letters."""
    use: str
    """Who reads it, in a few words."""
    help: str
    """The same in a sentence."""
    codec: Any
    """What has ``read`` and ``write``, as far as there are any: an object, or the name of a module that is imported on first use."""
    reads: bool = True
    writes: bool = True
    options: tuple[str, ...] = ()
    """What its writer can be told."""
    unit: str | None = None
    """Of length, in which it is written unless told; None where nothing else can be asked for."""
    titles: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Suffix → what such a file is, where the name does not say it."""
    textual: tuple[str, ...] = ()
    """Those of several suffixes under which the same is written as text."""
    holds_many: bool = False
    """Whether one file can hold many clips of one skeleton; the codec then has ``write_all`` and, if it reads, ``read_all``."""
    holds_people: bool = False
    """Whether one file can hold many people who move at the same time; the codec then has ``write_together``."""
    says_unit: bool = True
    """Whether a file tells its unit to whoever reads it."""
    says_rate: bool = True
    """Whether a file tells its frames per second; where it does not, those of the CMU library are taken."""
    rigid: bool = False
    """Whether bones must keep their length to be written."""
    beside: tuple[str, ...] = ()
    """Suffixes of the files that are written beside it."""
    slow: bool = False
    """Whether writing takes so long that people wait for it."""
    needs: Need | None = None
    """What must be there before it can be written."""
    shown: int = 1000
    """Its place among the cards of the studio's export room, the smallest first."""

    def title(self, suffix: str) -> str:
        """What a file of that suffix is.

        >>> FORMATS["GLB"].title(".gltf")
        'glTF, text'
        """
        return self.titles.get(suffix, self.name)

    def missing(self) -> str | None:
        """None where it can be written here, else what to install."""
        return None if self.needs is None else self.needs.missing()

    def read(self, path: str | PathLike[str], options: ReadOptions) -> RawMotion:
        """A file's motion in its own unit and axes."""
        found: RawMotion = self._codec.read(path, options)
        return found

    def read_all(self, path: str | PathLike[str], options: ReadOptions) -> tuple[Motion, ...]:
        """All clips of a file, where it `holds_many`, finished, each by its own name."""
        found: tuple[Motion, ...] = self._codec.read_all(path, options)
        return found

    def write(self, motion: Motion, path: str | PathLike[str], **options: Any) -> None:
        """Write a motion, whole or not at all."""
        self._codec.write(motion, path, **options)

    def write_all(self, motions: Sequence[Motion], path: str | PathLike[str], **options: Any) -> None:
        """Write many clips of one skeleton into a file, where it `holds_many`."""
        self._codec.write_all(motions, path, **options)

    def write_together(self, motions: Iterable[Motion], path: str | PathLike[str], **options: Any) -> None:
        """Write people who move at the same time into a file, where it `holds_people`."""
        self._codec.write_together(motions, path, **options)

    @property
    def _codec(self) -> Any:
        return import_module(self.codec) if isinstance(self.codec, str) else self.codec


FORMATS: Catalogue[Format] = Catalogue("format", home="kinegraph.formats.kinds")
"""Every format of a motion, by name."""


def register(format: Format, *, place: int = 1000) -> Format:
    """Add a format to those that `kinegraph.load` and `kinegraph.save`, the command line and the studio know.

    place: where it stands in lists, the smallest first. `FORMATS.remove` takes it out again.

    >>> from types import SimpleNamespace
    >>> register(Format("XYZ", (".xyz",), "Nobody.", "For nobody.", SimpleNamespace(write=print), reads=False)).name
    'XYZ'
    >>> FORMATS.remove("XYZ")
    """
    check_suffixes(format, FORMATS)
    return FORMATS.register(format, place=place)


def check_suffixes(format: Format, known: Mapping[str, Format]) -> None:
    """Refuse suffixes that are written in another way than ours, or that a known format has already."""
    for suffix in format.suffixes:
        if not suffix.startswith(".") or suffix != suffix.lower():
            raise KinegraphError(f"{format.name}: write a suffix as .abc, in small letters, not as {suffix!r}")
        other = of_suffix(suffix, known)
        if other is not None:
            raise KinegraphError(f"{format.name}: {suffix} files are {other.name} already: choose another suffix")


def of_suffix(suffix: str, known: Mapping[str, Format] = FORMATS) -> Format | None:
    """The format of files that end so, or None.

    >>> of_suffix(".gltf").name
    'GLB'
    """
    return next((format for format in known.values() if suffix in format.suffixes), None)
