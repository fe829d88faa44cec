import pytest

from tests.rendering.render_motions import make_creature, make_person


@pytest.fixture
def person():
    return make_person()


@pytest.fixture
def creature():
    return make_creature()
