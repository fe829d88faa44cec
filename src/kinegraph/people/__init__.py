"""People that are steered while they move: where each is in the graph, what it does next, and its feet, frame by frame.

>>> import kinegraph as kg
>>> names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "stop")
>>> person = kg.live(kg.graph.build([kg.samples.make(name).motion for name in names]))
>>> for frame in range(60):
...     pose = person.step(velocity=(0.0, 1.2))
>>> person.motion
Motion('live', 61 frames at 30/s, 24 joints)
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.people.person import LivePose as LivePose
    from kinegraph.people.person import Person as Person
    from kinegraph.people.person import live as live
    from kinegraph.people.replay import stepped as stepped
    from kinegraph.people.steered import People as People
    from kinegraph.people.stick import Intent as Intent
    from kinegraph.people.stick import Stick as Stick
    from kinegraph.people.striking import LiveStrike as LiveStrike

__getattr__, __dir__, __all__ = lazy.attach(__name__)
