"""Curves on the floor: shapes, files, arc length; and motions bent onto them."""
