"""How a body moves, and what that tells: the beliefs from which `annotate` makes labels."""
