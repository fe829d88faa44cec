"""The verbs of `import kinegraph as kg`: one function a task, with the task's wishes as its arguments."""

from __future__ import annotations

from kinegraph.tasks.build import Build
from kinegraph.tasks.clean import Clean
from kinegraph.tasks.compare import Compare
from kinegraph.tasks.follow import Follow
from kinegraph.tasks.join import Join
from kinegraph.tasks.repath import Repath
from kinegraph.tasks.strike import Strike
from kinegraph.tasks.task import verb
from kinegraph.tasks.visit import Visit
from kinegraph.tasks.wander import Wander

build = verb(Build)
clean = verb(Clean)
compare = verb(Compare)
follow = verb(Follow)
join = verb(Join)
repath = verb(Repath)
strike = verb(Strike)
visit = verb(Visit)
wander = verb(Wander)
