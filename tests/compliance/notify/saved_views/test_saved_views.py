"""Saved views: saved by the link a page offers, opened by the list's own rule, shared with colleagues only."""

from datetime import timedelta
from urllib.parse import quote

import pytest
from django.core import signing
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from compliance.core.accounts.models import RoleAssignment
from compliance.core.web.errors import NotFound
from compliance.inspection.reviews.views.forms import QueueFilter
from compliance.notify.saved_views import services
from compliance.notify.saved_views.errors import NotAColleague
from compliance.notify.saved_views.filter_panel import LIST_SALT
from compliance.notify.saved_views.models import SavedView
from compliance.notify.saved_views.views.common import filters_text
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.notify.saved_views.save_view import QUEUE, keep, offered

VIEWS = "/casinos/harbour/views/"


def text(browser: Client, address: str) -> str:
    return browser.get(address, follow=True).content.decode()


def test_a_filtered_list_is_kept_and_opens_from_the_list_from_home_and_from_its_own_page(
    office: ReviewScenario,
) -> None:
    office.overpay()
    browser = browser_of(office.ines)
    assert offered(browser, QUEUE) == "", "nothing narrows it"
    assert offered(browser, f"{QUEUE}?state=&page=2&view=none") == ""
    view = keep(office.ines, f"{QUEUE}?severity=serious&sort=-code&page=2&outcome=", name="  Serious   ones ")
    assert (view.name, view.query, view.path) == ("Serious ones", "severity=serious&sort=-code", QUEUE)
    assert view.list_words == "Findings at Harbour Casino"
    opened = browser.get(view.open_url)
    assert opened["Location"] == f"{QUEUE}?severity=serious&sort=-code&view={view.pk}"
    page = text(browser, opened["Location"])
    assert f'view={view.pk}" aria-current="page">Serious ones</a>' in page
    assert "SETTLE-OVERPAID" in page
    assert "Keep this view" not in page, "it is kept already"
    assert f'<a href="{view.open_url}">Serious ones</a>' in text(browser, "/")
    assert "severity: serious; sorted by code, the last first" in text(browser, VIEWS)
    assert "Serious ones" not in text(browser_of(office.cora), VIEWS)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("words=sb-1&state=asked&state=late", "search: sb-1; state: asked, late"),
        ("gaming_day=2026-11-16&late=on", "gaming day: 2026-11-16; late: yes"),
        ("samples-sort=seeded_by_name", "sorted by seeded by"),
        ("sort=-made_at", "sorted by made, the last first"),
    ],
)
def test_what_narrows_a_list_is_said_without_the_words_of_addresses(query: str, words: str) -> None:
    assert filters_text(SavedView(query=query)) == words


def test_what_the_list_does_not_know_any_more_is_said(office: ReviewScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    view = keep(office.ines, f"{QUEUE}?severity=serious&code=SETTLE-OVERPAID")
    browser = browser_of(office.ines)
    words = "asks for something that the list does not know any more"
    assert words not in text(browser, view.open_url)
    SavedView.objects.filter(pk=view.pk).update(query="severity=grave&code=SETTLE-OVERPAID")
    assert f"{words}: Severity." in text(browser, view.open_url)
    SavedView.objects.filter(pk=view.pk).update(query="severity=serious&code=SETTLE-OVERPAID")
    monkeypatch.delitem(QueueFilter.base_fields, "code")
    assert f"{words}: code." in text(browser, view.open_url)
    SavedView.objects.filter(pk=view.pk).update(path="/casinos/harbour/long-gone/")
    gone = browser.get(view.open_url)
    assert gone.status_code == 404
    assert "leads nowhere any more" in gone.content.decode()


def test_only_what_a_page_offered_can_be_kept(office: ReviewScenario) -> None:
    browser = browser_of(office.ines)
    shown = {"path": QUEUE, "words": "Findings", "query": "severity=serious"}
    forged = quote(signing.dumps(shown, salt="another"))
    for link in (
        "",
        "nonsense",
        forged,
        quote(signing.dumps(shown | {"path": "/casinos/marina/reviews/"}, salt=LIST_SALT)),
    ):
        assert browser.post(f"{VIEWS}keep/?list={link}", {"name": "x"}).status_code == 404
    assert offered(browser, "/casinos/harbour/personal-data/?q=Jane") == "", "it might name a patron"
    assert not SavedView.objects.exists()


def test_a_name_is_asked_for_and_taken_once_a_list(office: ReviewScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    view = keep(office.ines, name="Serious")
    browser = browser_of(office.ines)
    link = offered(browser, f"{QUEUE}?severity=note")
    assert "Give the view a name." in browser.post(link, {"name": " "}).content.decode()
    refused = browser.post(link, {"name": "SERIOUS"}).content.decode()
    assert "kept another view of this list under that name" in refused
    assert 'value="SERIOUS"' in refused, "what was typed is still there"
    monkeypatch.setattr(services, "MAX_VIEWS", 1)
    assert "more cannot be kept" in browser.post(link, {"name": "Notes"}).content.decode()
    assert keep(office.iris, name="Serious").owner == office.iris, "each person's own"
    same = {"owner": office.ines, "casino": office.casino, "path": view.path, "kept_at": view.kept_at}
    with pytest.raises(IntegrityError, match="saved_view_name_once"), transaction.atomic():
        SavedView.objects.create(name="serious", **same)
    SavedView.objects.create(name="Notes", **same)


def test_it_is_renamed_and_removed_by_its_owner_alone(office: ReviewScenario) -> None:
    view = keep(office.ines, shared_with="inspectorate")
    mine, hers = browser_of(office.ines), browser_of(office.iris)
    for act in ("change", "remove"):
        assert hers.post(f"{VIEWS}{view.pk}/{act}/", {"name": "Hers"}).status_code == 404
    assert "Rename or share" not in text(hers, view.get_absolute_url())
    assert mine.post(f"{VIEWS}{view.pk}/change/", {"name": "Grave"}).status_code == 302
    view.refresh_from_db()
    assert (view.name, view.shared_with) == ("Grave", "")
    assert mine.post(f"{VIEWS}{view.pk}/remove/").status_code == 302
    assert not SavedView.objects.exists()


def test_what_was_removed_in_another_window_does_not_come_back(office: ReviewScenario) -> None:
    view = keep(office.ines)
    SavedView.objects.filter(pk=view.pk).delete()
    with pytest.raises(NotFound):
        services.change_view(view=view, name="Grave", shared_with="", is_usual=False, actor=office.ines)
    with pytest.raises(NotFound):
        services.remove_view(view=view, actor=office.ines)
    assert not SavedView.objects.exists()


def test_it_is_shared_with_colleagues_and_opens_nothing_to_anybody(office: ReviewScenario) -> None:
    view = keep(office.ines, shared_with="inspectorate", is_usual="on")
    mine = f"{VIEWS}{view.pk}/open/"
    for colleague in (office.iris, office.olga):
        browser = browser_of(colleague)
        assert 'Serious <span class="hint">by Ines</span>' in text(browser, QUEUE)
        assert browser.get(QUEUE).status_code == 200, "it is not their usual one"
        assert browser.get(mine)["Location"].startswith(QUEUE)
    for other in (office.cora, office.sid, office.house.crew.cast.otto):
        assert browser_of(other).get(mine).status_code == 404
    with pytest.raises(NotAColleague):
        services.change_view(view=view, name="x", shared_with="compliance-officer", is_usual=False, actor=office.ines)
    assert (
        "is not one of the available choices"
        in browser_of(office.ines)
        .post(f"{VIEWS}{view.pk}/change/", {"name": "x", "shared_with": "compliance-officer"})
        .content.decode()
    )
    # Sharing with people who may not open the list does not open it to them.
    SavedView.objects.filter(pk=view.pk).update(shared_with="compliance-officer", owner=office.cora)
    assert browser_of(office.cora).get(mine).status_code == 404
    SavedView.objects.filter(pk=view.pk).update(shared_with="inspectorate", owner=office.ines)
    RoleAssignment.objects.filter(user=office.ines).update(ended_at=timezone.now() + timedelta(seconds=1))
    assert browser_of(office.iris).get(mine).status_code == 404, "whoever shared it does not work there any more"


def test_the_usual_view_opens_with_the_list_and_the_whole_list_is_one_link_away(office: ReviewScenario) -> None:
    first = keep(office.ines, name="First", is_usual="on")
    second = keep(office.ines, f"{QUEUE}?severity=note", name="Second", is_usual="on")
    first.refresh_from_db()
    assert (first.is_usual, second.is_usual) == (False, True)
    with pytest.raises(IntegrityError, match="saved_view_one_usual"), transaction.atomic():
        SavedView.objects.filter(pk=first.pk).update(is_usual=True)
    browser = browser_of(office.ines)
    assert browser.get(QUEUE)["Location"] == second.list_url
    assert browser.get(f"{QUEUE}?view=none").status_code == 200
    assert browser.get(f"{QUEUE}?state=all").status_code == 200
    remove = '<a href="?view=none"><span class="visually-hidden">Remove</span> State: All'
    assert remove in text(browser, f"{QUEUE}?state=all"), "to take off the last filter shows the whole list"
    assert browser.get(f"{QUEUE}?format=csv").status_code == 200
    assert browser_of(office.iris).get(QUEUE).status_code == 200
