"""Path editing: the course of a motion, and the same motion on another curve."""
