"""Every list with a filter can be kept; those whose rows can be known again are told of as their pages show them."""

import pytest
from django.urls import reverse

from compliance.saved.opening import rows_seen_by
from compliance.saved.services import subscribe
from compliance.saved.states import Every
from tests.compliance.saved.keeping import keep, offered
from tests.contracts.places import Places, who
from tests.contracts.test_permission_matrix import browser_for, places

__all__ = ["places"]

# Who opens it, and whether one can be told of what is new in it.
LISTS = {
    "accounts:people": ("admin", True),
    "alerts:inbox": ("insp", True),
    "audit:findings": ("insp", True),
    "claims:claims": ("mark", True),
    "conduct:acts": ("insp", True),
    "disclosures:seen": ("insp", False),
    "disputes:disputes": ("insp", True),
    "evidence:ledger": ("insp", False),
    "fairness:signals": ("insp", True),
    "intake:quarantine": ("insp", True),
    "reports:reports": ("insp", True),
    "reviews:queue": ("insp", True),
    "terms:promotions": ("mark", True),
    "webhooks:endpoint": ("compl", True),
}


@pytest.mark.parametrize("column", sorted({column for column, _ in LISTS.values()}))
def test_each_is_kept_and_its_rows_are_those_of_its_page(column: str, places: Places) -> None:
    person, browser = who(column), browser_for(column)
    for name in (name for name, (whose, _) in LISTS.items() if whose == column):
        address = reverse(name, kwargs=places[name])
        kept = keep(person, f"{address}?state=all", name=name)
        assert kept.can_be_told == LISTS[name][1], name
        assert browser.get(kept.address).status_code == 200, name
        if kept.can_be_told:
            shown = browser.get(kept.address).context["table"]
            assert len(rows_seen_by(person, kept)) == shown.count, name
            assert subscribe(view=kept, every=Every.DAY, actor=person, now=kept.kept_at).view == kept


def test_searches_that_may_name_patrons_are_not_offered(places: Places) -> None:
    for name in ("patrons:records", "patrons:looks"):
        assert offered(browser_for("compl"), f"{reverse(name, kwargs=places[name])}?q=Jane") == "", name
