"""`Watch`: the one way in which long work says how far it is, and is asked to stop.

Work takes a watch and tells it about each of its stages ("read", "compare", "draw" …). A watch that wants the work to stop raises
`Stopped` when it is told or asked; what was made by then is tidied up, and the error passes through to whoever started the work.

>>> def work(watch: Watcher = None) -> None:
...     watch = Watch.of(watch)
...     for number in range(2):
...         watch.tell("count", number + 1, 2)
>>> work(lambda stage, done, total: print(f"{stage}: {done} of {total}"))
count: 1 of 2
count: 2 of 2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kinegraph.errors import KinegraphError


class Stopped(KinegraphError):  # noqa: N818 - whoever stops work has made no error
    """The work was asked to stop, and did."""


class Watch:
    """Follows a piece of work. This one only looks on; others override `tell`, `check` or both."""

    def tell(self, stage: str, done: int, total: int | None) -> None:
        """A stage has come so far; ``total`` is None where nobody knows how much there is to do."""
        self.check()

    def check(self) -> None:
        """Raise `Stopped` where the work should stop. Work calls this where it could stop but has nothing to tell."""

    def expect(self, shares: Mapping[str, float]) -> None:
        """How long the stages will take, in any unit, as far as it can be known; what is told later counts instead."""

    @staticmethod
    def of(given: Watcher) -> Watch:
        """What the caller of a function gave it: a watch, a function to call with what `tell` takes, or None.

        >>> Watch.of(None).tell("read", 1, 2)
        >>> Watch.of(print).tell("read", 1, 2)
        read 1 2
        """
        if given is None:
            return _NOBODY
        return given if isinstance(given, Watch) else _Calling(given)


Tell = Callable[[str, int, int | None], object]
Watcher = Watch | Tell | None
"""What functions take as ``watch``; see `Watch.of`."""


class _Calling(Watch):
    """Passes on what is told to a function; what that raises stops the work."""

    def __init__(self, function: Tell):
        self._function = function

    def tell(self, stage: str, done: int, total: int | None) -> None:
        self._function(stage, done, total)


_NOBODY = Watch()
