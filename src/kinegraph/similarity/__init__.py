"""How alike two clips are, at every pair of moments: point clouds, aligned distance, local minima."""
