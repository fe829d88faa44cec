"""The graph room: graphs built and shown, and two clips compared."""

from kinegraph.studio.rooms.graph import pairs, routes
from kinegraph.studio.server.studio import Room

room = Room("graph", (routes.router, pairs.router), routes.register)
