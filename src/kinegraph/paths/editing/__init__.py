"""Editing the path of a motion: its course, and the same motion on another curve."""
