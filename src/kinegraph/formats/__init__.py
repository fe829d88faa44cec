"""Motion files in and out: `load` and `save` choose the format by the suffix."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.formats.format import FORMATS as FORMATS
    from kinegraph.formats.format import Format as Format
    from kinegraph.formats.format import Need as Need
    from kinegraph.formats.format import register as register
    from kinegraph.formats.intake import Intake as Intake
    from kinegraph.formats.intake import Take as Take
    from kinegraph.formats.intake import clips as clips
    from kinegraph.formats.options import ReadOptions as ReadOptions
    from kinegraph.formats.registry import load as load
    from kinegraph.formats.registry import save as save
    from kinegraph.formats.registry import suffixes as suffixes
    from kinegraph.formats.registry import written_suffixes as written_suffixes
    from kinegraph.formats.together import save_together as save_together

__getattr__, __dir__, __all__ = lazy.attach(__name__)
