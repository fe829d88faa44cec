"""The curve in an SVG file: its first path, polyline, polygon or line, as points on the floor.

Seen from above, with +Z up the page, the path looks as it does in the drawing. +X is to the left of somebody who faces +Z. So SVG's x,
which goes right, becomes −X, and SVG's y, which goes down the page, becomes −Z: what bends to the right in the drawing is walked to the
right.

A user unit is a metre, unless the drawing says how large it is: a width in mm, cm, in, pt, pc or m gives the scale, together with the
viewBox. Transforms are not supported: a drawing with a transform that moves the curve is refused.
"""

from __future__ import annotations

import pathlib
import re
import xml.etree.ElementTree as ElementTree

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import FormatError
from kinegraph.formats.numbers import to_float
from kinegraph.formats.text import quoted
from kinegraph.paths import outline

_INCH = 0.0254
_METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": _INCH, "pt": _INCH / 72, "pc": _INCH / 6}
_SIZE = re.compile(r"\s*([0-9.eE+-]+?)\s*(m|cm|mm|in|pt|pc|px|em|ex|%|)\s*")
_ENCODING = re.compile(r"^(\s*<\?xml[^>]*?)\s+encoding\s*=\s*(?:\"[^\"]*\"|'[^']*')", re.DOTALL)
_CURVES = ("path", "polyline", "polygon", "line")


def points_of(text: str, file: pathlib.Path) -> Array:
    """Points ``(N, 2)`` on the floor of the first curve of an SVG document; ``file`` is for messages."""
    if "<!ENTITY" in text:
        raise FormatError("an SVG with entities of its own is not read", file)
    # a text has no encoding any more, whatever it declares
    text = _ENCODING.sub(r"\1", text, count=1)
    try:
        root = ElementTree.fromstring(text.encode("utf-8", "replace"))
    except ElementTree.ParseError as error:
        line, column = error.position
        raise FormatError(f"this is not SVG: {error.msg.partition(':')[0]}", file, line, column + 1) from None
    if _name(root) != "svg":
        raise FormatError(f"this is not SVG: its root is <{_name(root)}>", file)
    curve, moved = _first_curve(root, root.get("transform") is not None)
    if curve is None:
        raise FormatError(f"no {', '.join(_CURVES)} is drawn in this SVG", file)
    if moved:
        raise FormatError(
            f"the <{_name(curve)}> is moved by a transform, which is not carried out: save it with transforms applied",
            file,
        )
    return _metres_per_unit(root, file) * -_drawn(curve, file)


def _name(element: ElementTree.Element) -> str:
    """The element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _first_curve(root: ElementTree.Element, moved: bool) -> tuple[ElementTree.Element | None, bool]:
    """The first element that draws a curve, in the order of the document, and whether a transform applies to it."""
    waiting = [(root, moved)]
    while waiting:
        element, moved = waiting.pop()
        if _name(element) in _CURVES:
            return element, moved
        # what stands in these is not drawn where it stands
        if _name(element) not in ("defs", "symbol", "clipPath", "mask", "marker", "pattern"):
            waiting += [(child, moved or child.get("transform") is not None) for child in reversed(element)]
    return None, False


def _drawn(curve: ElementTree.Element, file: pathlib.Path) -> Array:
    """The curve's points ``(N, 2)`` in user units, y down."""
    kind = _name(curve)
    if kind == "path":
        try:
            return outline.points_of(curve.get("d", ""))
        except outline.OutlineError as error:
            raise FormatError(
                f"the <path> cannot be read at character {error.offset + 1} of its d: {error}", file
            ) from None
    if kind == "line":
        words = [curve.get(name, "0") for name in ("x1", "y1", "x2", "y2")]
    else:
        words = curve.get("points", "").replace(",", " ").split()
    values = [to_float(word.strip().encode()) for word in words]
    if len(values) % 2 or None in values:
        wrong = next(
            (word for word, value in zip(words, values, strict=True) if value is None), "an odd count of numbers"
        )
        raise FormatError(f"the points of the <{kind}> hold {quoted(wrong)}", file)
    points = np.array(values, dtype=np.float64).reshape(-1, 2)
    return np.concatenate([points, points[:1]]) if kind == "polygon" else points


def _metres_per_unit(root: ElementTree.Element, file: pathlib.Path) -> float:
    """How long a user unit is: 1 m where the drawing has no physical size."""
    width = _SIZE.fullmatch(root.get("width", ""))
    if width is None or width.group(2) not in _METRES:
        return 1.0
    size = to_float(width.group(1).encode())
    box = [to_float(word.encode()) for word in root.get("viewBox", "").replace(",", " ").split()]
    if size is None or len(box) != 4 or not box[2] or not (size > 0 and box[2] > 0):
        raise FormatError(
            "a width in physical units needs a viewBox of four numbers, to say how long a user unit is", file
        )
    return size * _METRES[width.group(2)] / box[2]
