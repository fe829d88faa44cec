"""Feet: when they stand, and (to come) keeping them from sliding."""
