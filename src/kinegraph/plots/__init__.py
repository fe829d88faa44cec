"""Pictures of distances and graphs, drawn with matplotlib."""
