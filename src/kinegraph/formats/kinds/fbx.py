"""FBX, by way of Blender."""

from kinegraph.errors import KinegraphError
from kinegraph.formats.format import FORMATS, Format, Need


def _missing() -> str | None:
    from kinegraph.formats import blender

    try:
        blender.command("writing FBX")
    except KinegraphError as error:
        return str(error)
    return None


FORMATS.register(
    Format(
        name="FBX",
        suffixes=(".fbx",),
        use="Unity and Unreal.",
        help="For Unity and Unreal, with bones that they take for a rig of their own.",
        codec="kinegraph.formats.fbx",
        options=("units", "up", "mesh"),
        unit="cm",
        needs=Need("Blender", _missing),
        shown=2,
    ),
    place=6,
)
