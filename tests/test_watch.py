from __future__ import annotations

import pytest

from kinegraph.errors import KinegraphError
from kinegraph.watch import Stopped, Watch


class Ending(Watch):
    """Lets work go on for so many checks."""

    def __init__(self, checks: int) -> None:
        self.left = checks

    def check(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Stopped("enough")


def test_nobody_watches_by_default() -> None:
    watch = Watch.of(None)
    watch.tell("read", 0, None)
    watch.check()
    assert Watch.of(None) is watch


def test_a_function_is_told_of_each_stage() -> None:
    told: list[tuple[str, int, int | None]] = []
    watch = Watch.of(lambda *what: told.append(what))
    watch.tell("read", 1, 2)
    watch.check()
    watch.tell("draw", 5, None)
    assert told == [("read", 1, 2), ("draw", 5, None)]


def test_a_watch_is_taken_as_it_is() -> None:
    watch = Ending(1)
    assert Watch.of(watch) is watch


def test_to_tell_is_to_ask_whether_to_go_on() -> None:
    watch = Ending(2)
    watch.tell("read", 1, 3)
    watch.check()
    with pytest.raises(Stopped, match="enough"):
        watch.tell("read", 3, 3)


def test_what_a_function_raises_stops_the_work() -> None:
    def stop(stage: str, done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Watch.of(stop).tell("read", 1, 3)


def test_stopped_is_caught_with_all_else() -> None:
    assert issubclass(Stopped, KinegraphError)
