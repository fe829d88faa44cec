from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pytest

from kinegraph.catalogue import Catalogue
from kinegraph.errors import KinegraphError


@dataclass(frozen=True)
class Thing:
    name: str


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package of two modules that register a thing each, slowly."""
    package = tmp_path / f"things_of_{tmp_path.name}"
    package.mkdir()
    (package / "__init__.py").write_text(
        f"from kinegraph.catalogue import Catalogue\nTHINGS = Catalogue('thing', home='{package.name}')\n"
    )
    for place, name in ((2, "alpha"), (1, "beta")):
        (package / f"{name}.py").write_text(
            "import time\nfrom types import SimpleNamespace\n"
            f"from {package.name} import THINGS\n"
            f"time.sleep(0.05)\nTHINGS.register(SimpleNamespace(name='{name}'), place={place})\n"
        )
    monkeypatch.syspath_prepend(tmp_path)
    return package.name


def test_things_stand_by_their_places_and_then_as_they_came() -> None:
    things = Catalogue[Thing]("thing")
    for name, place in (("late", 9), ("early", 1)):
        things.register(Thing(name), place=place)
    things.register(Thing("one"))
    things.register(Thing("another"))
    assert list(things) == ["early", "late", "one", "another"]
    assert things["late"] == Thing("late")
    assert things.get("none") is None
    things.remove("late")
    assert list(things) == ["early", "one", "another"]


def test_a_name_is_given_once() -> None:
    things = Catalogue[Thing]("thing")
    things.register(Thing("one"))
    with pytest.raises(KinegraphError, match="already a thing called 'one'"):
        things.register(Thing("one"))
    with pytest.raises(KinegraphError, match="no thing called 'two'"):
        things.remove("two")


def test_what_lies_in_the_home_is_found_when_somebody_looks(home: str) -> None:
    script = (
        f"import sys; import {home} as package\nassert '{home}.alpha' not in sys.modules\nprint(list(package.THINGS))"
    )
    folder = next(path for path in sys.path if (Path(path) / home).is_dir())
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {folder!r})\n{script}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stdout.split("\n")[0] == "['beta', 'alpha']", done.stderr


def test_nobody_sees_half_of_them(home: str) -> None:
    things = __import__(home).THINGS
    seen: list[list[str]] = []
    threads = [Thread(target=lambda: seen.append(list(things))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert seen == [["beta", "alpha"]] * 4
