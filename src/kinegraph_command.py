"""The first lines of the `kinegraph` command: from here on Ctrl-C is one line and exit code 130, whatever is being imported.

They stand beside the package, since importing anything of it takes a moment, and import nothing that Python has not loaded by itself.
"""

# what `signal` is made of: that module is written in Python, and reading it takes a moment too
import _signal  # type: ignore[import-not-found]
import os


def _leave(number: int, frame: object) -> None:
    # nothing has been begun that would have to be tidied up
    os.write(2, b"error: stopped; nothing half-written was left\n")
    os._exit(130)


# whoever has switched Ctrl-C off, as for a command in the background, is left alone
if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _leave)


def main() -> None:
    """Run the command line, which listens to Ctrl-C by itself."""
    from kinegraph.cli import main as run

    run(instead_of=_leave)
