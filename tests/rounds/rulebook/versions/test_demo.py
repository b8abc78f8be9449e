"""Demo data: each of the five casinos has an approved version, with a substitute for the source document."""

from datetime import UTC, datetime

import pytest
from django.core.management import call_command

from compliance.core.accounts.models import Casino
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import version_in_force
from rounds.rulebook.versions.demo import make_demo_rules

RULES = {
    "harbour": "nsw-sic-bo",
    "sentosa": "rws-sic-bo-etg",
    "marina": "mbs-3-card-sic-bo",
    "adelaide": "skycity-big-and-small",
    "boardwalk": "licensee-sic-bo",
}


@pytest.mark.django_db
def test_every_demo_casino_has_its_rules_in_force_and_running_it_again_changes_nothing() -> None:
    call_command("demo")
    today = datetime.now(UTC)
    for slug, rules in RULES.items():
        version = version_in_force(Casino.objects.get(slug=slug), rules, today)
        assert version is not None
        assert (version.proposed_by.name, str(version.approved_by)) == ("Compliance officer", "Inspector")
        document = bytes(version.source_document.content).decode()
        assert document.startswith("Demo copy: not the published rules.")
        held = version.proposed_by.roles.get(casino=version.casino)
        assert version.approved_at is not None
        assert held.given_at < version.proposed_at < version.approved_at < today
    make_demo_rules(began_at=today)
    assert RuleVersion.objects.count() == 5
