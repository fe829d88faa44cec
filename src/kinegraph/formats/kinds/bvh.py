"""BVH, Biovision's text files."""

from kinegraph.formats.format import FORMATS, Format

FORMATS.register(
    Format(
        name="BVH",
        suffixes=(".bvh",),
        use="Nearly every mocap tool.",
        help="What nearly every mocap tool reads, and kinegraph itself.",
        codec="kinegraph.formats.bvh",
        options=("units", "order"),
        unit="cm",
        says_unit=False,
        shown=4,
    ),
    place=1,
)
