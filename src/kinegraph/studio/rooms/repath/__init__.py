"""The repath room: one clip bent along another path."""

from kinegraph.studio.rooms.repath import fields, routes
from kinegraph.studio.server.studio import Room

room = Room("repath", (routes.router, fields.router), routes.register)
