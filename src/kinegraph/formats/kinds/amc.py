"""Acclaim's motions (AMC), each with its skeleton (ASF)."""

from kinegraph.formats.format import FORMATS, Format

FORMATS.register(
    Format(
        name="AMC",
        suffixes=(".amc",),
        use="Acclaim tools.",
        help="For tools that read Acclaim files; the skeleton is written beside it as ASF.",
        codec="kinegraph.formats.amc",
        options=("skeleton",),
        titles={".amc": "Acclaim AMC with ASF"},
        says_rate=False,
        rigid=True,
        beside=(".asf",),
        shown=5,
    ),
    place=2,
)
