"""The direct room: scenes on a timeline, and the motion that does what they say."""

from kinegraph.studio.rooms.direct import routes, scenes
from kinegraph.studio.server.studio import Room

room = Room("direct", (scenes.router,), routes.register)
