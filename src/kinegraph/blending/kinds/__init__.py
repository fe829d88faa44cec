"""The blends: a file each, or one for several that are alike, found by `kinegraph.blending.named.BLENDS`. A new blend is one more."""
