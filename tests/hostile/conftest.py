from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hostile.commands import Commands
from tests.hostile.routes import Routes


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    return Commands(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="session")
def routes(commands: Commands) -> Iterator[Routes]:
    held = Routes(commands)
    yield held
    held.close()
