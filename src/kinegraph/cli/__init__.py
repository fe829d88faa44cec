"""The command line: one module a command. `main` is what the shell calls."""

from __future__ import annotations

import signal
import sys
from types import FrameType

__all__ = ["main"]

_STOPPED = 128 + signal.SIGINT


def main(instead_of: object = signal.default_int_handler) -> None:
    """Run the command line; Ctrl-C is one line and exit 130 whenever it comes, while commands are still imported, too.

    instead_of: who listens to Ctrl-C until now and need not go on; anybody else is left alone.
    """
    pressed = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is instead_of:
        signal.signal(signal.SIGINT, interrupt)
    usual = sys.unraisablehook
    # what is tidied up while somebody presses Ctrl-C is none of their business
    sys.unraisablehook = lambda told: None if pressed else usual(told)
    try:
        from kinegraph.cli.app import main as run

        run()
    except KeyboardInterrupt:
        _stop()
    except Exception:
        # of an import that was interrupted packages make errors of their own
        if not pressed:
            raise
        _stop()
    finally:
        # what is left is to end, and may be ended at once
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _stop() -> None:
    print("error: stopped; nothing half-written was left", file=sys.stderr)
    raise SystemExit(_STOPPED)
