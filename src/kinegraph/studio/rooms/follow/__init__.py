"""The follow room: walks through a graph, along paths that are drawn and kept."""

from kinegraph.studio.rooms.follow import routes, sketches
from kinegraph.studio.server.studio import Room

room = Room("follow", (sketches.router,), routes.register)
