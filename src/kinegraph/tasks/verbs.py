"""The verbs of `import kinegraph as kg`: one function a task, with the task's wishes as its arguments.

They are made when they are first asked for; the lines below tell type checkers what they give.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kinegraph.tasks.task import TASKS, verb

if TYPE_CHECKING:
    from kinegraph.graph.model import MotionGraph
    from kinegraph.strikes.space import Space
    from kinegraph.tasks.kinds.compare import Compared
    from kinegraph.tasks.kinds.convert import Converted
    from kinegraph.tasks.made import Made

build: Callable[..., MotionGraph]
clean: Callable[..., Made]
compare: Callable[..., Compared]
convert: Callable[..., Converted]
direct: Callable[..., Made]
follow: Callable[..., Made]
join: Callable[..., Made]
learn: Callable[..., Space]
repath: Callable[..., Made]
steer: Callable[..., Made]
strike: Callable[..., Made]
visit: Callable[..., Made]
wander: Callable[..., Made]


def __getattr__(name: str) -> Any:
    if name in TASKS:
        return verb(TASKS[name])
    raise AttributeError(f"no task is called {name!r}")
