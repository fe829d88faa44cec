"""The library: clips taken, shown, named, labelled and trimmed."""

from kinegraph.studio.rooms.library import routes, samples
from kinegraph.studio.server.studio import Room

room = Room("library", (routes.router, samples.router), routes.register)
