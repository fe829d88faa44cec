"""What Typer is to see of a command: its own parameters, and those that decorators add. Worked out when the command is called, since
formats, blends and tasks may have been registered since.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

_LATE = "_parameters_of_command"


def parameters(command: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of a command, with those that decorators have added."""
    late = getattr(command, _LATE, None)
    found = late() if late else inspect.signature(command, eval_str=True).parameters.values()
    return [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in found]


def gathering(
    command: Callable[..., Any],
    name: str,
    more: Callable[[], Sequence[inspect.Parameter]],
    gather: Callable[[dict[str, Any]], Any],
) -> Callable[..., Any]:
    """The command with more parameters, which are gathered into its parameter ``name``."""

    @wraps(command)
    def with_more(**said: Any) -> Any:
        given = {one.name: said.pop(one.name) for one in more()}
        return command(**said, **{name: gather(given)})

    setattr(with_more, _LATE, lambda: [*(one for one in parameters(command) if one.name != name), *more()])
    return with_more


def signed(command: Callable[..., Any], own: Sequence[inspect.Parameter] | None = None) -> Callable[..., Any]:
    """The command with the signature that Typer reads."""
    found = parameters(command) if own is None else own
    command.__signature__ = inspect.Signature(found)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in found}
    return command
