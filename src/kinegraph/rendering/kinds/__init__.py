"""What a motion can be drawn as: one file for each, found by `kinegraph.rendering.pictures.PICTURES`. A new kind is one more file."""
