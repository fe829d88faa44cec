"""The optional test that Blender reads what we write: see test_blender.py."""
