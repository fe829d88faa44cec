"""The repath room: one clip bent along another path."""

from kinegraph.studio.rooms.repath import grounds, routes
from kinegraph.studio.server.room import Room

room = Room("repath", (routes.router, grounds.router), routes.register)
