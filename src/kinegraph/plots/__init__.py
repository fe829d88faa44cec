"""Pictures of distances, graphs and walks, drawn with matplotlib."""
