"""The crowd room: many people of a scenario, who are computed while they are looked at."""

from kinegraph.studio.rooms.crowd import routes
from kinegraph.studio.server.studio import Room

room = Room("crowd", (routes.router,), routes.register)
