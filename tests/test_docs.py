"""The documentation keeps its word: links lead somewhere, Python runs, commands exist, and the README stays short.

A ``python`` block that cannot run stands below a comment ``<!-- not run: why -->``. Blocks of one page run one after another, in a folder
of their own that holds a few built-in clips, a graph and a space of punches.
"""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import kinegraph as kg
from kinegraph.cli.app import app

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = [
    README,
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted(page for page in DOCS.rglob("*.md") if "_build" not in page.parts),
]
CLIPS = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "run", "stop")

by_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the line it begins at, and why it is not run, if so."""

    language: str
    text: str
    line: int
    idle: str | None


_FENCE = re.compile(r"^(?P<fence>`{3,}|:{3,})(?P<language>\S*).*$")
_IDLE = re.compile(r"<!-- not run: (.*?) -->")


@cache
def blocks(page: Path) -> tuple[Block, ...]:
    """The code blocks of a page."""
    found, lines, inside = [], page.read_text(encoding="utf-8").splitlines(), None
    for number, line in enumerate(lines):
        match = _FENCE.match(line)
        if inside is None and match and match["fence"].startswith("`"):
            inside, begun = match, number
        elif inside is not None and line.strip() == inside["fence"]:
            above = _IDLE.fullmatch(lines[begun - 1].strip()) if begun else None
            text = "\n".join(lines[begun + 1 : number])
            found.append(Block(inside["language"], text, begun + 2, above[1] if above else None))
            inside = None
    assert inside is None, f"{page}: a block that begins in line {begun + 1} has no end"
    return tuple(found)


@cache
def prose(page: Path) -> str:
    """A page without its code blocks; lines keep their numbers."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^(`{3,}).*?^\1$", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)


@cache
def anchors(page: Path) -> frozenset[str]:
    """What the headings of a page are called in links, as GitHub and the site have it."""
    headings = re.findall(r"^#{1,6} +(.+)$", prose(page), re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings)


@by_page
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "code", prose(page))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name} links to {link}: there is no {target}"
        assert target.is_relative_to(ROOT)
        if anchor:
            assert anchor in anchors(target), f"{page.name} links to {link}: {target.name} has no such heading"


def test_readme_is_short() -> None:
    words = re.sub(r"\]\([^)]*\)", "]", prose(README)).split()
    assert len([word for word in words if re.search(r"\w", word)]) <= 700
    assert max(len(line) for line in README.read_text(encoding="utf-8").splitlines()) < 100


def test_readme_has_a_moving_picture_of_modest_size() -> None:
    assert "docs/images/eight.gif" in README.read_text(encoding="utf-8")
    assert (DOCS / "images" / "eight.gif").stat().st_size < 700_000


def imported(code: str) -> Iterator[str]:
    """Modules of kinegraph that some code imports."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "kinegraph")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "kinegraph":
            yield str(node.module)


def test_nobody_is_shown_deep_imports() -> None:
    # what is added to the package may import its parts
    pages = [page for page in PAGES if page != EXTENDING]
    shown = [(page.name, block.text) for page in pages for block in blocks(page) if block.language == "python"]
    shown += [(file.name, file.read_text(encoding="utf-8")) for file in sorted((ROOT / "examples").glob("*.py"))]
    assert len(shown) > 15
    deep = [f"{where}: {name}" for where, code in shown for name in imported(code) if name.count(".") > 1]
    assert not deep


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the pages speak of."""
    folder = tmp_path_factory.mktemp("prepared")
    (folder / "clips").mkdir()
    for name in CLIPS:
        kg.save(kg.samples.make(name).motion, folder / "clips" / f"{name}.bvh")
    shutil.copy(folder / "clips" / "walk.bvh", folder / "walk.bvh")
    motions = [kg.samples.make(name).motion for name in CLIPS]
    kg.graph.build(motions, kg.graph.Parameters(mirror=True), path=folder / "graph.mog")
    punches = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    kg.strikes.save(kg.strikes.build(punches, "punch"), folder / "punches.mog")
    return folder


EXTENDING = DOCS / "extending.md"
RUNNING = [
    page
    for page in PAGES
    if page != EXTENDING and any(block.language == "python" and not block.idle for block in blocks(page))
]


@pytest.mark.parametrize("page", RUNNING, ids=lambda page: page.stem)
def test_python_runs(page: Path, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "here"
    shutil.copytree(prepared, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["script.py", "graph.mog"])
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.language == "python" and not block.idle:
            # errors are shown at their line of the page
            code = compile("\n" * (block.line - 1) + block.text, page, "exec")
            exec(code, names)


# files that are added to packages are found there as if they lay in them
_ADDED = """
import importlib, pathlib, sys
import pytest

here = pathlib.Path.cwd()
sys.path.insert(0, str(here))
for file in sorted((here / "src").rglob("*.py")):
    package = ".".join(file.parent.relative_to(here / "src").parts)
    importlib.import_module(package).__path__.append(str(file.parent))
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--import-mode=importlib", "tests"]))
"""


def test_extensions_are_one_file_and_its_test(tmp_path: Path) -> None:
    files = [block.text for block in blocks(EXTENDING) if block.language == "python"]
    tests = 0
    for text in files:
        first, _, rest = text.partition("\n")
        target = tmp_path / first.removeprefix("# ")
        assert target.suffix == ".py", f"a block that does not begin with the name of its file: {first}"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(rest, encoding="utf-8")
        tests += rest.count("\ndef test_")
    # in a process of its own: what is registered there is registered nowhere else
    done = subprocess.run(
        [sys.executable, "-c", _ADDED], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert tests >= 5
    assert f"{tests} passed" in done.stdout


def test_what_is_not_run_says_why() -> None:
    for page in PAGES:
        reasons = _IDLE.findall(re.sub(r"`[^`\n]*`", "", prose(page)))
        idle = [block.idle for block in blocks(page) if block.language == "python" and block.idle]
        assert reasons == idle, f"{page.name}: a comment stands above no block of Python"
        assert all(len(reason) > 10 for reason in reasons)


def commands(page: Path) -> Iterator[list[str]]:
    """Every kinegraph command of a page, as words: in ``sh`` blocks and in indented ones."""
    texts = [block.text for block in blocks(page) if block.language == "sh"]
    texts.append("\n".join(re.findall(r"^ {4}(kinegraph .*)$", prose(page), re.MULTILINE)))
    for line in "\n".join(texts).replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        for first, last in pairwise([-1, *(at for at, word in enumerate(words) if word in ("&&", "|")), len(words)]):
            if words[first + 1 : first + 2] == ["kinegraph"]:
                yield words[first + 2 : last]


@cache
def command_line() -> dict[str, Any]:
    """Every command by its full name: ``follow``, ``space build`` …"""

    def below(group: Any, before: str) -> Iterator[tuple[str, Any]]:
        context = group.make_context("kinegraph", [], resilient_parsing=True)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if hasattr(command, "list_commands"):
                yield from below(command, f"{before}{name} ")
            else:
                yield before + name, command

    return dict(below(get_command(app), ""))


def parse(words: list[str]) -> None:
    """Parse a command without running it; an error of the parser says what is wrong with it."""
    if words[0] in ("--version", "-h", "--help"):
        return
    # the longest name first: `space build` is no `space`
    for count in (2, 1):
        command = command_line().get(" ".join(words[:count]))
        if command is not None:
            break
    assert command is not None, f"there is no command kinegraph {' '.join(words[:2])}"
    if not {"-h", "--help"} & set(words):
        command.make_context(command.name, words[count:])


@by_page
def test_commands_exist(page: Path) -> None:
    for words in commands(page):
        parse(words)
    for inline in re.findall(r"`kinegraph ([a-z][^`]*)`", prose(page)):
        word = inline.split()[0]
        assert word in {name.split()[0] for name in command_line()}, f"there is no command kinegraph {word}"


def test_commands_are_found_and_faults_noticed() -> None:
    assert sum(1 for page in PAGES for _ in commands(page)) > 60
    with pytest.raises(AssertionError, match="no command"):
        parse(["fallow", "g.mog"])
    for faulty in (["follow", "g.mog", "eight:3", "--lable", "walk"], ["build", "clips"], ["follow", "g.mog"]):
        with pytest.raises(Exception, match=r"(?i)no such option|missing"):
            parse(faulty)


def test_overview_names_every_command() -> None:
    table = re.findall(r"`([^`]+)`", "\n".join(re.findall(r"^\|.*$", prose(DOCS / "command-line.md"), re.MULTILINE)))
    assert sorted(table) == sorted(command_line())


def test_tour_names_every_verb() -> None:
    tour = prose(DOCS / "library.md")
    missing = [verb for verb in (*kg.tasks.TASKS, "describe", "evaluate", "render") if f"| `kg.{verb}` |" not in tour]
    assert not missing


@by_page
def test_make_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    shell = "\n".join(block.text for block in blocks(page) if block.language == "sh")
    named = re.findall(r"`make ([a-z][\w-]*)", prose(page)) + re.findall(r"^make ([a-z][\w-]*)", shell, re.MULTILINE)
    assert set(named) <= targets


def test_methods_name_code_that_exists() -> None:
    links = re.findall(r"\[`([\w.]+)`\]\(\.\./src/(kinegraph/[\w/]+)\.py\)", prose(DOCS / "methods.md"))
    assert len(links) > 70
    for name, file in links:
        module = file.removesuffix("/__init__").replace("/", ".").removeprefix("kinegraph.")
        inside = name.removeprefix(module).removeprefix(".")
        assert name.startswith(module), f"{name} is not in {file}.py"
        if inside:
            tree = ast.parse((ROOT / "src" / f"{file}.py").read_text(encoding="utf-8"))
            assert inside in {getattr(node, "name", None) for node in tree.body}, f"{file}.py has no {inside}"


def test_glossary_is_in_order() -> None:
    section = prose(DOCS / "conventions.md").split("## Words", 1)[1].split("\n## ", 1)[0]
    words = re.findall(r"^\| ([a-z][\w, ]*) \|", section, re.MULTILINE)
    assert words[0] == "word"
    assert len(words) > 40
    assert words[1:] == sorted(set(words[1:]))
