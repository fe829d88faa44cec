"""NPZ, NumPy's own archives."""

from kinegraph.formats.format import FORMATS, Format

FORMATS.register(
    Format(
        name="NPZ",
        suffixes=(".npz",),
        use="NumPy, with nothing lost.",
        help="Every number as it is, for NumPy and for kinegraph.",
        codec="kinegraph.formats.npz",
        titles={".npz": "NumPy arrays"},
        holds_people=True,
        shown=6,
    ),
    place=3,
)
