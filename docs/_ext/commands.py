"""Sphinx: the directive ``commands``, the reference of the command line, made from the commands themselves."""

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from typer.main import get_command

from kinegraph.cli.app import app as typer_app


def commands(group: Any, before: str) -> Iterator[tuple[str, Any]]:
    """Every command below a group with its full name, in the order in which help lists them."""
    context = group.make_context(before, [], resilient_parsing=True)
    for name in group.list_commands(context):
        full, command = f"{before} {name}", group.get_command(context, name)
        if hasattr(command, "list_commands"):
            yield from commands(command, full)
        elif not command.hidden:
            yield full, command


class Commands(SphinxDirective):
    """A section for each command: what it does, how it is called, examples, arguments and options."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """Called by Sphinx."""
        return [self._section(name, command) for name, command in commands(get_command(typer_app), "kinegraph")]

    def _section(self, name: str, command: Any) -> nodes.section:
        section = nodes.section(ids=[name.replace(" ", "-")], names=[name])
        section += nodes.title("", "", nodes.literal("", name))
        words, examples = _help(command.help or "")
        section += [nodes.paragraph("", "", *_inline(paragraph)) for paragraph in words]
        section += _code(_usage(name, command))
        if examples:
            section += _code("\n".join(examples))
        shown = [one for one in command.params if not getattr(one, "hidden", False)]
        section += _table(
            [(_calls(one), _about(one)) for one in sorted(shown, key=lambda one: one.param_type_name != "argument")]
        )
        return section


def _help(text: str) -> tuple[list[str], list[str]]:
    """Paragraphs of a help text, and the lines below ``\\b``, which are examples."""
    words, examples = [], []
    for paragraph in text.split("\n\n"):
        if "\b" in paragraph:
            examples += [line for line in paragraph.replace("\b", "").strip().splitlines() if line.strip()]
        elif paragraph.strip():
            words.append(" ".join(paragraph.split()))
    return words, examples


def _usage(name: str, command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    required = [one for one in command.params if one.param_type_name == "option" and one.required]
    words = [name, *(f"[{_value(one)}]" if not one.required else _value(one) for one in arguments)]
    words += [f"{one.opts[0]} {_value(one)}" for one in required]
    return " ".join([*words, "[OPTIONS]"])


def _calls(parameter: Any) -> str:
    """How a parameter is written: ``-o, --output OUT``."""
    if parameter.param_type_name == "argument":
        return _value(parameter)
    written = ", ".join([*parameter.opts, *parameter.secondary_opts])
    return written if parameter.is_flag else f"{written} {_value(parameter)}"


def _value(parameter: Any) -> str:
    if parameter.metavar:
        return str(parameter.metavar)
    if parameter.param_type_name == "argument":
        return str(parameter.name).upper()
    kind = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
    return {int: "N", float: "NUMBER", str: "TEXT"}.get(kind, "VALUE")


def _about(parameter: Any) -> str:
    """What a parameter is for; its default and its limits, where the text does not say them."""
    text = (parameter.help or "").strip()
    more = []
    if parameter.required:
        more.append("required")
    default = parameter.default
    if default not in (None, False, "", ()) and not callable(default):
        shown = f"{default:.4g}" if isinstance(default, float) else str(default)
        more.append(f"default: {shown}")
    least, most = getattr(parameter, "min", None), getattr(parameter, "max", None)
    if least is not None and most is not None:
        more.append(f"{least} to {most}")
    elif least is not None:
        more.append(f"at least {least}")
    elif most is not None:
        more.append(f"at most {most}")
    if getattr(parameter, "multiple", False):
        more.append("may be repeated")
    return f"{text} [{'; '.join(more)}]" if more else text


def _inline(text: str) -> list[nodes.Node]:
    """Text whose `backticks` are code."""
    return [
        nodes.literal("", part) if odd % 2 else nodes.Text(part)
        for odd, part in enumerate(re.split(r"`([^`]+)`", text))
    ]


def _code(text: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language="sh")


def _table(rows: list[tuple[str, str]]) -> nodes.table:
    table, group, body = nodes.table(classes=["options"]), nodes.tgroup(cols=2), nodes.tbody()
    group += [nodes.colspec(colwidth=30), nodes.colspec(colwidth=70)]
    for call, about in rows:
        row = nodes.row()
        row += nodes.entry("", nodes.paragraph("", "", nodes.literal("", call)))
        row += nodes.entry("", nodes.paragraph("", "", *_inline(about)))
        body += row
    group += body
    table += group
    return table


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True}
