"""The tasks that kinegraph comes with. Importing this registers them."""

from kinegraph.tasks.build import Build
from kinegraph.tasks.clean import Clean
from kinegraph.tasks.compare import Compare
from kinegraph.tasks.follow import Follow
from kinegraph.tasks.join import Join
from kinegraph.tasks.repath import Repath
from kinegraph.tasks.strike import Strike
from kinegraph.tasks.visit import Visit
from kinegraph.tasks.wander import Wander

__all__ = ["Build", "Clean", "Compare", "Follow", "Join", "Repath", "Strike", "Visit", "Wander"]
