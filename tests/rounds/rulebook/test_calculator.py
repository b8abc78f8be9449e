"""The calculator at the table: what it asks, what it answers, and what it says when it cannot."""

import pytest
from django.test import Client

from tests.compliance.accounts.cast import browser_of
from tests.rounds.rulebook.rulers import Rulers

URL = "/casinos/harbour/calculator/"


@pytest.fixture
def gus(rulers: Rulers) -> Client:
    return browser_of(rulers.gus)


def test_opens(gus: Client) -> None:
    page = gus.get(URL)
    assert page.status_code == 200
    page = gus.get(
        URL,
        {
            "rules": "shipped:rws-sic-bo-etg@8",
            "pay_table": "1",
            "bet": "total:8",
            "dice-1": "2",
            "dice-2": "3",
            "dice-3": "3",
            "stake": "1.00",
            "ask": "1",
        },
    )
    text = page.content.decode()
    assert "Hand back" in text, text
    assert "$9.50" in text
