"""While the ledger's key file is missing, pages show what needs no key, and say what is missing."""

import pytest
from django.test import Client
from pytest_django import Settings

from rounds.ledger.health import check_checkpoints
from rounds.ledger.readers.search import size_of
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.transparency.ledger_pages.harbour_scenario import OPENED_AT, Floor, play
from tests.compliance.transparency.witness_registry.witness_posts import PAGE, register
from tests.rounds.ledger import harbour_log

MISSING = "The log’s key is missing"


@pytest.fixture
def without_key(floor: Floor, settings: Settings) -> Floor:
    """A witness is registered and two rounds are signed; then the key file is removed."""
    register(floor.harbour, floor.ines)
    play(2)
    harbour_log.sign()
    settings.LEDGER_KEY_FILE.unlink()
    return floor


def test_the_witnesses_are_listed_all_the_same(without_key: Floor) -> None:
    page = browser_of(without_key.ines).get(PAGE)
    assert page.status_code == 200
    assert "inspectorate.example/witness" in page.content.decode()
    assert MISSING in page.content.decode()


def test_pages_that_need_no_key_are_as_ever(without_key: Floor) -> None:
    sam, last = browser_of(without_key.sam), size_of("harbour") - 1
    for address in (
        "/casinos/harbour/ledger/",
        f"/casinos/harbour/ledger/{last}/",
        "/logs/",
        "/logs/harbour/checkpoint",
    ):
        assert sam.get(address).status_code == 200, address


def test_a_check_goes_as_far_as_it_can(without_key: Floor) -> None:
    last = size_of("harbour") - 1
    page = browser_of(without_key.sam).get(f"/casinos/harbour/ledger/{last}/check/").content.decode()
    assert "Not checked to the end" in page
    assert "The root is the one in the checkpoint" in page
    assert "It does not fit" not in page


@pytest.mark.parametrize("address", ["/logs/harbour/key", "/api/v1/logs/harbour/proof/inclusion?index=0"])
def test_what_cannot_be_answered_without_it_is_refused_in_words(
    without_key: Floor, settings: Settings, address: str
) -> None:
    answer = Client().get(address)
    assert answer.status_code == 503
    assert "cannot read the key that signs its logs" in answer.content.decode()
    assert str(settings.LEDGER_KEY_FILE.parent) not in answer.content.decode(), "Where it lies is nobody's business."


def test_the_status_page_tells_before_entries_wait(without_key: Floor) -> None:
    reading = check_checkpoints(OPENED_AT)
    assert (reading.is_ok, reading.detail) == (
        False,
        "The log's key is missing: nothing is signed until it is put back.",
    )
