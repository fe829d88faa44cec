"""glTF 2.0 (`.glb`, `.gltf`): a skinned body and its clips, as engines, viewers and Blender read them.

`read` takes one clip of a file, `read_all` all of them; `write` puts one clip into a file, `write_all` several on one body,
`write_together` many bodies that move at the same time.
"""

from kinegraph.formats.gltf.read import read, read_all
from kinegraph.formats.gltf.together import write_together
from kinegraph.formats.gltf.write import write, write_all

__all__ = ["read", "read_all", "write", "write_all", "write_together"]
