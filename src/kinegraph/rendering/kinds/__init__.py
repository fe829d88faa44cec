"""What a motion can be drawn as: a file each, found by `kinegraph.rendering.pictures.PICTURES`. A new kind of picture is one more."""
