"""glTF 2.0, packed (GLB) or as text."""

from kinegraph.formats.format import FORMATS, Format

FORMATS.register(
    Format(
        name="GLB",
        suffixes=(".glb", ".gltf"),
        use="Blender, Godot, three.js.",
        help="Body, bones and animation in one file: the safest way into Blender, Godot and three.js.",
        codec="kinegraph.formats.gltf",
        options=("mesh",),
        titles={".glb": "glTF, binary", ".gltf": "glTF, text"},
        textual=(".gltf",),
        holds_many=True,
        holds_people=True,
        shown=1,
    ),
    place=4,
)
