"""Offline: from clips to a pruned motion graph, kept in one `.mog` file."""
