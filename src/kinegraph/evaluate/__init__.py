"""How good a motion is: deviation, foot slide, smoothness; and what a graph can do."""
