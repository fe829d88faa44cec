"""The command line: one module a command. `main` is what the shell calls."""

from kinegraph.cli.app import main

__all__ = ["main"]
