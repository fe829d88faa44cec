"""USD, Universal Scene Description, as text or packed."""

from kinegraph.formats.format import FORMATS, Format, Need

FORMATS.register(
    Format(
        name="USD",
        suffixes=(".usda", ".usdc"),
        use="Maya, Houdini, Omniverse.",
        help="A skinned body as UsdSkel, for Maya, Houdini, Omniverse and usdview.",
        codec="kinegraph.formats.usd",
        reads=False,
        options=("units", "up", "mesh"),
        unit="m",
        titles={".usda": "USD, text", ".usdc": "USD, binary"},
        textual=(".usda",),
        holds_people=True,
        needs=Need.extra("usd", "pxr"),
        shown=3,
    ),
    place=5,
)
