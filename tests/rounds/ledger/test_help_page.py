"""The help page lists the tested attacks, and commands that exist."""

import re

import pytest
from django.core.management import get_commands
from django.test import Client
from django.utils.html import escape

from rounds.ledger.entry_kinds import registered_kinds
from rounds.ledger.verify.threat_table import THREATS


@pytest.mark.django_db
def test_it_prints_every_attack_kind_and_command(client: Client) -> None:
    page = client.get("/help/ledger/").content.decode()
    for attack in THREATS:
        assert f'<th scope="row">{escape(attack.deed)}</th>' in page
        assert all(escape(detector.words) in page for detector in attack.found_by)
    for kind in registered_kinds():
        assert f"<code>{kind.name}</code>" in page
    commands = {"verify_ledger", "export_bundle", "rebuild_search"}
    assert set(re.findall(r"manage\.py (\w+)", page)) == commands
    assert commands <= set(get_commands())
