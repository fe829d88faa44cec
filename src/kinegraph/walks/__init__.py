"""Online: from a motion graph to walks through it: random, in order, along a path. One request, one search, one `Walk`."""
