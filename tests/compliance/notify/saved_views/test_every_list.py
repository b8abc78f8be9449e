"""Every list with a filter can be saved;
those with identifiable rows can be subscribed to, as their pages show them."""

from urllib.parse import quote, urlencode

import pytest
from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from compliance.core.accounts import list_registry
from compliance.notify.saved_views.filter_panel import TOO_LONG_TEXT
from compliance.notify.saved_views.list_access import visible_row_ids
from compliance.notify.saved_views.services import subscribe
from compliance.notify.saved_views.states import Frequency
from tests.compliance.notify.saved_views.save_view import keep, offered
from tests.contracts.test_permission_matrix import browser_for, places
from tests.contracts.url_arguments import Places, person_named

__all__ = ["places"]

# Who opens it, and whether it can be subscribed to.
LISTS = {
    "accounts:people": ("admin", True),
    "alerts:inbox": ("insp", True),
    "audit:findings": ("insp", True),
    "checklists:checklist": ("insp", False),
    "claims:claims": ("mark", True),
    "claims:denied": ("mark", True),
    "conduct:acts": ("insp", True),
    "desk:floor": ("insp", True),
    "disclosures:seen": ("insp", False),
    "disputes:disputes": ("insp", True),
    "disputes:repeats": ("insp", False),
    "equipment:cards": ("insp", True),
    "equipment:chips": ("insp", True),
    "equipment:dice": ("insp", True),
    "equipment:faults": ("insp", True),
    "equipment:inspections": ("insp", True),
    "equipment:shakers": ("insp", True),
    "evidence:ledger": ("insp", False),
    "fairness:signals": ("insp", True),
    "fairness:standing": ("insp", False),
    "floor:tables": ("insp", True),
    "intake:quarantine": ("insp", True),
    "proofs:proofs": ("insp", True),
    "reports:reports": ("insp", True),
    "reviews:queue": ("insp", True),
    "rulebook:truth": ("insp", False),
    "terms:promotions": ("mark", True),
    "trials:differences": ("auth", True),
    "trials:trials": ("auth", True),
    "webhooks:endpoint": ("compl", True),
}
# Search text for each of their lists with a search field, and the minimum number of such fields.
WORDS = "sb-1 & more"
FEWEST_SEARCHES = {"admin": 1, "auth": 1, "compl": 0, "insp": 4, "mark": 2}


def test_every_list_that_can_be_subscribed_to_is_here() -> None:
    assert {name for name, (_, is_subscribable) in LISTS.items() if is_subscribable} == set(list_registry._lists)


@pytest.mark.parametrize("column", sorted({column for column, _ in LISTS.values()}))
def test_each_is_kept_and_its_rows_are_those_of_its_page(column: str, places: Places) -> None:
    person, browser = person_named(column), browser_for(column)
    for name in (name for name, (whose, _) in LISTS.items() if whose == column):
        address = reverse(name, kwargs=places[name])
        kept = keep(person, f"{address}?sort=unknown", name=name)
        assert kept.is_subscribable == LISTS[name][1], name
        assert browser.get(kept.list_url).status_code == 200, name
        if kept.is_subscribable:
            shown = browser.get(kept.list_url).context["table"]
            rows = visible_row_ids(person, kept, timezone.now())
            assert sorted(rows) == sorted(row.pk for row in shown.page.object_list), name
            assert len(rows) == shown.count, name
            assert subscribe(view=kept, every=Frequency.DAY, actor=person, now=kept.kept_at).view == kept


@pytest.mark.parametrize("column", sorted({column for column, _ in LISTS.values()}))
def test_what_was_searched_for_is_kept_with_each_list_that_has_a_search_field(column: str, places: Places) -> None:
    person, browser, searched = person_named(column), browser_for(column), 0
    for name in (name for name, (whose, _) in LISTS.items() if whose == column):
        address = reverse(name, kwargs=places[name])
        for field in _search_fields(browser.get(address).context["panel"].form):
            searched += 1
            kept = keep(person, f"{address}?{urlencode({field: WORDS})}", name=f"{name} {field}")
            assert QueryDict(kept.query)[field] == WORDS, name
            page = browser.get(kept.open_url, follow=True)
            assert page.context["panel"].form[field].value() == WORDS, name
            assert f'value="{escape(WORDS)}"' in page.content.decode(), name
    assert searched >= FEWEST_SEARCHES[column]


def _search_fields(form: forms.Form) -> list[str]:
    fields = form.fields.items()
    return [name for name, field in fields if type(field) is forms.CharField and not field.widget.is_hidden]


@pytest.mark.usefixtures("places")
def test_what_is_too_long_or_cannot_be_used_is_not_kept(places: Places) -> None:
    browser, address = browser_for("mark"), reverse("claims:claims", kwargs=places["claims:claims"])
    assert offered(browser, f"{address}?words={quote('字' * 100)}")
    assert offered(browser, f"{address}?words={quote('字' * 120)}") == "", "nine letters for each in an address"
    assert TOO_LONG_TEXT in browser.get(f"{address}?words={quote('字' * 120)}").content.decode()
    assert offered(browser, f"{address}?words={'x' * 120}")
    assert offered(browser, f"{address}?words={'x' * 121}") == "", "the field takes no more than 120"


def test_a_search_of_everything_is_kept_at_one_casino(places: Places) -> None:
    person, browser = person_named("insp"), browser_for("insp")
    everywhere = browser.get("/search/?q=sb-1").content.decode()
    here = "/casinos/harbour/search/?q=sb-1"
    assert f'href="{here}"' in everywhere
    kept = keep(person, here, name="Table 1")
    assert (kept.list_words, kept.query, kept.is_subscribable) == ("Search at Harbour Casino", "q=sb-1", False)
    opened = browser.get(kept.open_url, follow=True)
    assert opened.context["searched"] == "sb-1"
    assert [kind.title for kind in opened.context["kinds"]] == ["Tables"]
    assert {hit.casino.slug for kind in opened.context["kinds"] for hit in kind.hits} == {"harbour"}


def test_searches_that_may_name_patrons_are_not_offered(places: Places) -> None:
    for name in ("patrons:records", "patrons:looks"):
        assert offered(browser_for("compl"), f"{reverse(name, kwargs=places[name])}?q=Jane") == "", name
