"""Tasks: whatever a person can ask for, each typed once. Command line, server, page and notebook all speak them.

>>> from kinegraph import tasks
>>> tasks.Follow("eight:2.5", label="walk").label
'walk'
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.tasks.build import Build as Build
    from kinegraph.tasks.clean import Clean as Clean
    from kinegraph.tasks.compare import Compare as Compare
    from kinegraph.tasks.compare import Compared as Compared
    from kinegraph.tasks.follow import Follow as Follow
    from kinegraph.tasks.join import Join as Join
    from kinegraph.tasks.made import Made as Made
    from kinegraph.tasks.made import Provenance as Provenance
    from kinegraph.tasks.made import TransitionSpan as TransitionSpan
    from kinegraph.tasks.repath import Repath as Repath
    from kinegraph.tasks.strike import Strike as Strike
    from kinegraph.tasks.task import Task as Task
    from kinegraph.tasks.task import register as register
    from kinegraph.tasks.task import tasks as tasks
    from kinegraph.tasks.visit import Visit as Visit
    from kinegraph.tasks.wander import Wander as Wander

__getattr__, __dir__, __all__ = lazy.attach(__name__)
