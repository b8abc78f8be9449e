"""Subscriptions: each row is reported once, only what the person may see when it is sent, until one click ends it."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import DatabaseError, OperationalError, connection, transaction
from django.test import Client

from compliance.core.accounts.models import RoleAssignment
from compliance.core.accounts.roles import Role
from compliance.core.web.mail.outbox import MAX_ATTEMPTS, RETENTION, delete_old_emails, send_due_emails
from compliance.core.web.models import EmailState, OutgoingEmail
from compliance.notify.saved_views import services
from compliance.notify.saved_views.list_access import MAX_ROWS
from compliance.notify.saved_views.models import MessagePart, NewRowsMessage, SavedView, Subscription
from compliance.notify.saved_views.services import CHECK_INTERVAL, QUIET_PERIOD, subscribe
from compliance.notify.saved_views.states import Frequency
from compliance.notify.saved_views.subscriptions import new_rows
from compliance.notify.saved_views.subscriptions.emails import delete_ended_subscriptions
from compliance.notify.saved_views.subscriptions.new_rows import check_due_subscriptions, select_new_rows
from rounds.floor.fact_values import GamingDayValue
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.reviews.scenario import ReviewScenario, many_reviews
from tests.compliance.notify.saved_views.save_view import QUEUE, keep
from tests.rounds.floor.crew import record_table_fact

# 1 pm in Sydney.
NOON = datetime(2026, 11, 16, 2, 0, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
STOP = re.compile(r"http://[^/]+(/views/stop/\S+)")


@pytest.fixture
def view(office: ReviewScenario) -> SavedView:
    many_reviews(office, 3)
    return keep(office.ines)


def want(view: SavedView, office: ReviewScenario, every: Frequency = Frequency.ONCE) -> Subscription:
    return subscribe(view=view, every=every, actor=office.ines, now=NOON)


def tell(now: datetime) -> list[str]:
    """One run of the task; returns what was sent."""
    mail.outbox.clear()
    check_due_subscriptions(lambda: now)
    send_due_emails(lambda: now)
    return [str(message.body) for message in mail.outbox]


def test_what_is_there_already_is_known_and_what_comes_is_told_once(view: SavedView, office: ReviewScenario) -> None:
    want(view, office)
    assert tell(NOON + CHECK_INTERVAL) == []
    many_reviews(office, 3, first=3)
    assert tell(NOON + CHECK_INTERVAL) == [], "it was just looked at"
    [body] = tell(NOON + 2 * CHECK_INTERVAL)
    assert "Serious (Harbour Casino): 1 new, 2 in all" in body, "of three new ones, one is serious"
    assert f"/casinos/harbour/views/{view.pk}/open/" in body
    assert "SETTLE" not in body
    assert "Sentence" not in body
    assert tell(NOON + 2 * CHECK_INTERVAL) == []
    many_reviews(office, 3, first=6)
    assert tell(NOON + 2 * CHECK_INTERVAL + QUIET_PERIOD - SECOND) == []
    [body] = tell(NOON + 2 * CHECK_INTERVAL + QUIET_PERIOD)
    assert "1 new, 3 in all" in body
    page = browser_of(office.ines).get(view.get_absolute_url()).content.decode()
    assert page.count(">Sent<") >= 2


def test_what_comes_to_fit_the_filter_is_new_as_well(view: SavedView, office: ReviewScenario) -> None:
    late = keep(office.ines, f"{QUEUE}?late=on", name="Late")
    subscribe(view=late, every=Frequency.ONCE, actor=office.ines, now=office.now - DAY)
    assert tell(office.now) == [], "due at this moment, and not late yet"
    [body] = tell(office.now + CHECK_INTERVAL)
    assert "Late (Harbour Casino): 1 new" in body, "the first is past its service level by now"


@pytest.mark.parametrize(("every", "due"), [(Frequency.DAY, DAY), (Frequency.WEEK, 7 * DAY)])
def test_once_a_gaming_day_or_week_by_the_casinos_clock(
    every: Frequency, due: timedelta, view: SavedView, office: ReviewScenario
) -> None:
    record_table_fact(office.house.crew, None, GamingDayValue(cut_over="06:00"))
    want(view, office, every)
    many_reviews(office, 3, first=3)
    # The gaming day of the 16th ends at 6 am on the 17th in Sydney.
    over = datetime(2026, 11, 15, 19, 0, tzinfo=UTC) + due
    assert tell(over - SECOND) == []
    assert len(tell(over)) == 1
    many_reviews(office, 3, first=6)
    assert tell(over + due - SECOND) == []
    assert len(tell(over + 3 * due)) == 1, "however long the workers were away, it is one message"


def test_whoever_was_told_at_once_is_left_alone_with_every_other_view_too(
    view: SavedView, office: ReviewScenario
) -> None:
    want(view, office)
    many_reviews(office, 3, first=3)
    assert len(tell(NOON + CHECK_INTERVAL)) == 1
    want(keep(office.ines, f"{QUEUE}?severity=note", name="Notes"), office)
    want(keep(office.ines, f"{QUEUE}?severity=breach", name="Breaches"), office, Frequency.DAY)
    many_reviews(office, 3, first=6)
    assert tell(NOON + 2 * CHECK_INTERVAL) == []
    assert tell(NOON + CHECK_INTERVAL + QUIET_PERIOD - SECOND) == []
    [body] = tell(NOON + CHECK_INTERVAL + QUIET_PERIOD)
    assert "Serious (Harbour Casino): 1 new" in body
    assert "Notes (Harbour Casino): 1 new" in body
    [body] = tell(NOON + DAY)
    assert "Breaches (" in body


def test_one_message_for_all_views_that_are_due_and_none_without_news(view: SavedView, office: ReviewScenario) -> None:
    notes = keep(office.ines, f"{QUEUE}?severity=note", name="Notes")
    breaches = keep(office.ines, f"{QUEUE}?severity=breach&table=sb-1", name="Breaches")
    for one in (view, notes, breaches):
        want(one, office)
    many_reviews(office, 3, first=5)
    [body] = tell(NOON + CHECK_INTERVAL)
    assert "Serious (" in body
    assert "Notes (" in body
    assert "Breaches (" not in body
    assert mail.outbox[0].subject == "2 new in 2 views"
    assert mail.outbox[0].to == ["ines@example.com"]


def test_nothing_is_told_that_the_person_may_not_see_when_it_is_sent(view: SavedView, office: ReviewScenario) -> None:
    subscription = want(view, office)
    many_reviews(office, 3, first=3)
    held = RoleAssignment.objects.filter(user=office.ines)
    # Found while she held the role, to be sent after she has lost it.
    assert check_due_subscriptions(lambda: NOON + CHECK_INTERVAL) == 1
    held.update(ended_at=NOON)
    assert tell(NOON + CHECK_INTERVAL) == []
    assert NewRowsMessage.objects.get().email.state == EmailState.WITHHELD
    many_reviews(office, 3, first=6)
    assert tell(NOON + DAY) == []
    subscription.refresh_from_db()
    assert subscription.trouble_code == new_rows.CLOSED
    RoleAssignment.objects.create(user=office.ines, casino=office.casino, role=Role.INSPECTOR, given_at=NOON + DAY)
    [body] = tell(NOON + 2 * DAY)
    assert "1 new, 3 in all" in body, "what came while she could not see it is new to her"
    many_reviews(office, 3, first=9)
    office.ines.is_active = False
    office.ines.save()
    assert tell(NOON + 3 * DAY) == []
    assert NewRowsMessage.objects.count() == 2, "nobody looks for somebody who is gone"


def test_a_shared_view_tells_its_reader_until_it_is_not_shared_any_more(
    view: SavedView, office: ReviewScenario
) -> None:
    services.change_view(view=view, name="Serious", shared_with="inspectorate", is_usual=False, actor=office.ines)
    subscribe(view=view, every=Frequency.ONCE, actor=office.iris, now=NOON)
    many_reviews(office, 3, first=3)
    assert len(tell(NOON + CHECK_INTERVAL)) == 1
    services.change_view(view=view, name="Serious", shared_with="", is_usual=False, actor=office.ines)
    many_reviews(office, 3, first=6)
    assert tell(NOON + DAY) == []
    services.remove_view(view=view, actor=office.ines)
    assert not Subscription.objects.exists()


def test_the_link_stops_it_without_signing_in_and_only_when_it_is_posted(
    view: SavedView, office: ReviewScenario
) -> None:
    want(view, office)
    many_reviews(office, 3, first=3)
    [body] = tell(NOON + CHECK_INTERVAL)
    sent = mail.outbox[0]
    found = STOP.search(body)
    assert found
    assert sent.extra_headers["List-Unsubscribe"].endswith(f"{found[1]}>")
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    # As a mail provider posts it: no cookie, no CSRF token.
    stranger = Client(enforce_csrf_checks=True)
    asked = stranger.get(found[1]).content.decode()
    assert "what is new in 1 view." in asked
    assert "Serious" not in asked
    assert Subscription.objects.active().count() == 1, "programs that follow links stop nothing"
    stopped = stranger.post(found[1], "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded")
    assert stopped.status_code == 200
    assert not Subscription.objects.active().exists()
    assert "You are not told of" in stranger.post(found[1]).content.decode()
    assert stranger.post(f"{found[1][:-2]}/").status_code == 404
    many_reviews(office, 3, first=6)
    assert tell(NOON + DAY) == []


def test_a_message_that_was_found_before_it_was_stopped_is_not_sent(view: SavedView, office: ReviewScenario) -> None:
    want(view, office)
    many_reviews(office, 3, first=3)
    check_due_subscriptions(lambda: NOON + CHECK_INTERVAL)
    browser = browser_of(office.ines)
    assert browser.post(f"{view.get_absolute_url()}tell/stop/").status_code == 302
    assert tell(NOON + CHECK_INTERVAL) == []


def test_a_mail_server_that_fails_is_tried_again_and_not_for_ever(
    view: SavedView, office: ReviewScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    want(view, office)
    many_reviews(office, 3, first=3)
    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", _refuse)
    assert tell(NOON + CHECK_INTERVAL) == []
    message = NewRowsMessage.objects.get().email
    assert (message.state, message.attempts) == (EmailState.WAITING, 1)
    assert message.next_try_at > NOON + CHECK_INTERVAL
    OutgoingEmail.objects.filter(state="waiting").update(attempts=MAX_ATTEMPTS - 2)
    for days, becomes in ((1, EmailState.WAITING), (2, EmailState.GIVEN_UP), (3, EmailState.GIVEN_UP)):
        send_due_emails(lambda days=days: NOON + days * DAY)  # type: ignore[misc]
        message.refresh_from_db()
        assert message.state == becomes
    assert message.attempts == MAX_ATTEMPTS


def _refuse(*_: object) -> int:
    raise ConnectionRefusedError


def test_a_list_that_cannot_be_read_keeps_nobody_else_waiting(view: SavedView, office: ReviewScenario) -> None:
    """Such as a query that times out; it is retried later, and nothing is reported twice."""
    want(view, office)
    hers = keep(office.iris)
    subscribe(view=hers, every=Frequency.ONCE, actor=office.iris, now=NOON)
    many_reviews(office, 3, first=3)
    failed: list[str] = []

    def fail_once(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.endswith(f"LIMIT {MAX_ROWS}") and not failed:
            failed.append(sql)
            raise OperationalError("canceling statement due to statement timeout")
        return execute(sql, *rest)

    with connection.execute_wrapper(fail_once):
        assert len(tell(NOON + CHECK_INTERVAL)) == 1
    assert failed
    assert Subscription.objects.get(trouble_code=new_rows.CLOSED).person == office.ines
    assert len(tell(NOON + CHECK_INTERVAL + new_rows.RETRY_CLOSED_AFTER)) == 1


def test_of_more_people_than_are_looked_for_at_once_each_has_a_turn(
    view: SavedView, office: ReviewScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_rows, "BATCH_SIZE", 1)
    want(view, office)
    hers = keep(office.iris)
    subscribe(view=hers, every=Frequency.ONCE, actor=office.iris, now=NOON)
    for turn in range(1, 5):
        check_due_subscriptions(lambda turn=turn: NOON + turn * CHECK_INTERVAL)  # type: ignore[misc]
    assert sorted(Subscription.objects.values_list("looked_at", flat=True)) == [
        NOON + 3 * CHECK_INTERVAL,
        NOON + 4 * CHECK_INTERVAL,
    ]


def test_of_a_longer_list_what_slides_into_sight_is_not_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_rows, "MAX_ROWS", 3)
    assert select_new_rows([9, 8, 7], [8, 7, 6]) == {9}
    assert select_new_rows([8, 7, 5], [8, 7, 6]) == set(), "6 left, and 5 had been there all the time"
    assert select_new_rows([8, 5], [8, 7]) == {5}


def test_limits_pages_and_what_the_database_keeps(
    view: SavedView, office: ReviewScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = browser_of(office.ines)
    tell_me = f"{view.get_absolute_url()}tell/"
    assert "Choose how often." in browser.post(tell_me, {}).content.decode()
    assert browser.post(tell_me, {"every": "week"}).status_code == 302
    assert browser.post(tell_me, {"every": "day"}).status_code == 302
    assert Subscription.objects.get().every == "day", "asked again, only how often changes"
    assert "Once a gaming day" in browser.get("/casinos/harbour/views/").content.decode()
    monkeypatch.setattr(services, "MAX_SUBSCRIPTIONS", 1)
    other = keep(office.ines, f"{QUEUE}?severity=note", name="Notes")
    refused = browser.post(f"{other.get_absolute_url()}tell/", {"every": "day"}).content.decode()
    assert "Stop one that you no longer need." in refused
    SavedView.objects.filter(pk=other.pk).update(path="/casinos/harbour/ledger/")
    monkeypatch.setattr(services, "MAX_SUBSCRIPTIONS", 9)
    refused = browser.post(f"{other.get_absolute_url()}tell/", {"every": "day"}).content.decode()
    assert "cannot be worked out" in refused
    Subscription.objects.update(next_look_at=NOON)
    many_reviews(office, 3, first=3)
    assert len(tell(NOON)) == 1
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        NewRowsMessage.objects.update(person=office.iris)
    delete_old_emails(NOON + RETENTION)
    assert MessagePart.objects.count() == 1
    Subscription.objects.update(ended_at=NOON)
    delete_ended_subscriptions(NOON + RETENTION + SECOND)
    assert Subscription.objects.exists(), "its e-mail is still there"
    delete_old_emails(NOON + RETENTION + SECOND)
    assert not NewRowsMessage.objects.exists()
    assert not MessagePart.objects.exists()
    delete_ended_subscriptions(NOON + RETENTION + SECOND)
    assert not Subscription.objects.exists()
