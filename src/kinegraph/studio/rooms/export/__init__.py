"""The export room: motions for other tools, and the commands that do the same."""

from kinegraph.studio.rooms.export import routes
from kinegraph.studio.server.studio import Room

room = Room("export", (routes.router,), routes.register)
