"""Several labels at once: ``walk+happy`` asks for both, ``walk|run`` for either, ``!jump`` for frames that do not bear it.

``and``, ``or`` and ``not`` say the same in words, and parentheses group. ``!`` binds closest, then ``+``, then ``|``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from kinegraph.arrays import Bools
from kinegraph.errors import GraphError

_AND, _OR, _NOT = "+", "|", "!"
_WORDS = {"and": _AND, "or": _OR, "not": _NOT}
_TOKEN = re.compile(r"\s*([+|!()]|[A-Za-z0-9_-]+)\s*")
_SIGN = re.compile(r"[+|!()]|\b(?:and|or|not)\b")


@dataclass(frozen=True)
class Expression:
    """What a text asks of labels, understood.

    >>> asked = Expression.of("walk+!(turn_left|turn_right)")
    >>> asked.labels
    ('walk', 'turn_left', 'turn_right')
    >>> import numpy as np
    >>> borne = {"walk": [1, 1, 0, 0], "turn_left": [0, 1, 0, 1], "turn_right": [0, 0, 0, 0]}
    >>> asked.frames(lambda label: np.array(borne[label], bool)).tolist()
    [True, False, False, False]
    """

    text: str
    steps: tuple[str, ...]
    """Labels and signs; a sign stands behind what it joins."""

    @classmethod
    def of(cls, text: str) -> Expression:
        """The expression that a text says. One without any sign is a label. A `GraphError` tells what cannot be understood."""
        if not is_expression(text):
            return cls(text, (text.strip(),))
        return cls(text, tuple(_Reader(text).whole()))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that it names, each once."""
        return tuple(dict.fromkeys(step for step in self.steps if step not in (_AND, _OR, _NOT)))

    def frames(self, bears: Callable[[str], Bools]) -> Bools:
        """``(F,)``: the frames for which it holds. bears: label → the frames ``(F,)`` that bear it."""
        held: list[Bools] = []
        for step in self.steps:
            if step == _NOT:
                held.append(~held.pop())
            elif step in (_AND, _OR):
                two, one = held.pop(), held.pop()
                held.append(one & two if step == _AND else one | two)
            else:
                held.append(bears(step))
        return held.pop()


def is_expression(text: str) -> bool:
    """Whether a text is more than a label.

    >>> is_expression("walk"), is_expression("walk-slow_2"), is_expression("!walk"), is_expression("walk or run")
    (False, False, True, True)
    """
    return _SIGN.search(text) is not None


class _Reader:
    """Reads a text from its beginning to its end."""

    def __init__(self, text: str):
        self._text = text
        self._tokens: list[str] = []
        place = 0
        while place < len(text):
            token = _TOKEN.match(text, place)
            if token is None:
                raise self._odd(f"{text[place]!r} is no part of a label")
            self._tokens.append(_WORDS.get(token[1], token[1]))
            place = token.end()
        self._next = 0

    def whole(self) -> list[str]:
        found = self._either()
        if self._next < len(self._tokens):
            raise self._odd(f"{self._tokens[self._next]!r} stands where +, | or the end should")
        return found

    def _either(self) -> list[str]:
        found = self._all()
        while self._takes(_OR):
            found += [*self._all(), _OR]
        return found

    def _all(self) -> list[str]:
        found = self._one()
        while self._takes(_AND):
            found += [*self._one(), _AND]
        return found

    def _one(self) -> list[str]:
        if self._takes(_NOT):
            return [*self._one(), _NOT]
        if self._takes("("):
            found = self._either()
            if not self._takes(")"):
                raise self._odd("a ) is missing")
            return found
        token = self._tokens[self._next] if self._next < len(self._tokens) else ""
        if token in ("", _AND, _OR, ")"):
            raise self._odd(f"a label is missing {f'before {token!r}' if token else 'at the end'}")
        self._next += 1
        return [token]

    def _takes(self, sign: str) -> bool:
        taken = self._tokens[self._next : self._next + 1] == [sign]
        self._next += taken
        return taken

    def _odd(self, why: str) -> GraphError:
        return GraphError(
            f"cannot understand the labels {self._text!r}: {why}; say walk+happy for both, walk|run for either, !jump for not"
        )
