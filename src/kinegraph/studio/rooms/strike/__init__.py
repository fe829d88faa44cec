"""The strike room: spaces of strikes, and the strike that hits a target."""

from kinegraph.studio.rooms.strike import routes
from kinegraph.studio.server.studio import Room

room = Room("strike", (routes.router,), routes.register)
