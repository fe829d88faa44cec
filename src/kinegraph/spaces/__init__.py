"""Parametric motion: punch or kick a target, inside and beyond what was captured."""
