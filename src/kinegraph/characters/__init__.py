"""Characters: anybody's rigged mesh, and motions put on it. `docs/characters.md` is the guide.

>>> import pathlib, tempfile
>>> import kinegraph as kg
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> kg.save(kg.samples.make("stand").motion, folder / "hero.glb")        # a rigged mesh, such as yours
>>> hero = kg.characters.load(folder / "hero.glb")
>>> kg.characters.save(kg.samples.make("walk").motion, hero, folder / "walking.glb")
()
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.characters.character import Character as Character
    from kinegraph.characters.character import load as load
    from kinegraph.characters.moving import Moved as Moved
    from kinegraph.characters.moving import put as put
    from kinegraph.characters.saving import save as save
    from kinegraph.characters.saving import save_all as save_all
    from kinegraph.characters.sketching import Sketch as Sketch
    from kinegraph.characters.sketching import sketch as sketch
    from kinegraph.characters.writing import write as write

__getattr__, __dir__, __all__ = lazy.attach(__name__)
