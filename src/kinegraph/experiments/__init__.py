"""Published experiments, repeated: figures side by side with those of the documents, and pictures as theirs.

>>> import kinegraph as kg
>>> len(kg.experiments.EXPERIMENTS) > 20
True
>>> kg.experiments.EXPERIMENTS["manchester-graph"].where
'section 5.1.2, figures 5.6 and A.2'
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.experiments.clips import Clips as Clips
    from kinegraph.experiments.experiment import DOCUMENTS as DOCUMENTS
    from kinegraph.experiments.experiment import EXPERIMENTS as EXPERIMENTS
    from kinegraph.experiments.experiment import Experiment as Experiment
    from kinegraph.experiments.experiment import Outcome as Outcome
    from kinegraph.experiments.experiment import Picture as Picture
    from kinegraph.experiments.running import Repeated as Repeated
    from kinegraph.experiments.running import repeat as repeat

__getattr__, __dir__, __all__ = lazy.attach(__name__)
