"""The live room: people who are steered by whoever looks at them, a socket each."""

from kinegraph.studio.rooms.live import routes
from kinegraph.studio.server.studio import Room

room = Room("live", (routes.router,), routes.register)
