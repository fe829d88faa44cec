"""The tasks that kinegraph comes with, a file each. A file put here is found without being named anywhere."""
