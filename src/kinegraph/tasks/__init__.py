"""Tasks: whatever a person can ask for, each typed once. Command line, server, page and notebook all speak them.

>>> from kinegraph import tasks
>>> tasks.Follow("eight:2.5", label="walk").label
'walk'
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.tasks.kinds.build import Build as Build
    from kinegraph.tasks.kinds.clean import Clean as Clean
    from kinegraph.tasks.kinds.compare import Compare as Compare
    from kinegraph.tasks.kinds.compare import Compared as Compared
    from kinegraph.tasks.kinds.convert import Convert as Convert
    from kinegraph.tasks.kinds.convert import Converted as Converted
    from kinegraph.tasks.kinds.direct import Direct as Direct
    from kinegraph.tasks.kinds.follow import Follow as Follow
    from kinegraph.tasks.kinds.join import Join as Join
    from kinegraph.tasks.kinds.learn import Learn as Learn
    from kinegraph.tasks.kinds.repath import Repath as Repath
    from kinegraph.tasks.kinds.strike import Strike as Strike
    from kinegraph.tasks.kinds.visit import Visit as Visit
    from kinegraph.tasks.kinds.wander import Wander as Wander
    from kinegraph.tasks.made import Made as Made
    from kinegraph.tasks.made import Provenance as Provenance
    from kinegraph.tasks.made import TransitionSpan as TransitionSpan
    from kinegraph.tasks.task import TASKS as TASKS
    from kinegraph.tasks.task import Task as Task
    from kinegraph.tasks.task import register as register

__getattr__, __dir__, __all__ = lazy.attach(__name__)
