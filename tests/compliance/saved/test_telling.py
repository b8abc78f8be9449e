"""Being told of what is new in a view: once, only what one may see when it is sent, and no more after one click."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import DatabaseError, OperationalError, connection, transaction
from django.test import Client

from compliance.accounts.models import RoleHeld
from compliance.accounts.roles import Role
from compliance.alerts.delivering import MOST_ATTEMPTS
from compliance.saved import letters, news, services
from compliance.saved.letters import send_due, throw_away_old
from compliance.saved.models import Message, Part, SavedView, Subscription
from compliance.saved.news import find_news, new_among
from compliance.saved.opening import MOST_ROWS
from compliance.saved.services import LOOK_EVERY, QUIET_FOR, subscribe
from compliance.saved.states import SENDING_MAY_FOLLOW, Every, Sending
from rounds.floor.values import GamingDay
from tests.compliance.accounts.cast import browser_of
from tests.compliance.reviews.office import Office, many_reviews
from tests.compliance.saved.keeping import QUEUE, keep
from tests.rounds.floor.crew import state

# 1 pm in Sydney.
NOON = datetime(2026, 11, 16, 2, 0, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
STOP = re.compile(r"http://[^/]+(/views/stop/\S+)")


@pytest.fixture
def view(office: Office) -> SavedView:
    many_reviews(office, 3)
    return keep(office.ines)


def want(view: SavedView, office: Office, every: Every = Every.ONCE) -> Subscription:
    return subscribe(view=view, every=every, actor=office.ines, now=NOON)


def tell(now: datetime) -> list[str]:
    """One turn of the bell; what was sent."""
    mail.outbox.clear()
    find_news(lambda: now)
    send_due(lambda: now)
    return [str(message.body) for message in mail.outbox]


def test_what_is_there_already_is_known_and_what_comes_is_told_once(view: SavedView, office: Office) -> None:
    want(view, office)
    assert tell(NOON + LOOK_EVERY) == []
    many_reviews(office, 3, first=3)
    assert tell(NOON + LOOK_EVERY) == [], "it was just looked at"
    [body] = tell(NOON + 2 * LOOK_EVERY)
    assert "Serious (Harbour Casino): 1 new, 2 in all" in body, "of three new ones, one is serious"
    assert f"/casinos/harbour/views/{view.pk}/open/" in body
    assert "SETTLE" not in body
    assert "Sentence" not in body
    assert tell(NOON + 2 * LOOK_EVERY) == []
    many_reviews(office, 3, first=6)
    assert tell(NOON + 2 * LOOK_EVERY + QUIET_FOR - SECOND) == []
    [body] = tell(NOON + 2 * LOOK_EVERY + QUIET_FOR)
    assert "1 new, 3 in all" in body
    page = browser_of(office.ines).get(view.get_absolute_url()).content.decode()
    assert page.count(">Sent<") >= 2


def test_what_comes_to_fit_the_filter_is_new_as_well(view: SavedView, office: Office) -> None:
    late = keep(office.ines, f"{QUEUE}?late=on", name="Late")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("compliance.reviews.views.queue.timezone.now", lambda: office.now - DAY)
        want(late, office)
    [body] = tell(NOON + LOOK_EVERY)
    assert "Late (Harbour Casino): 1 new" in body, "the first is past its service level by now"


@pytest.mark.parametrize(("every", "due"), [(Every.DAY, DAY), (Every.WEEK, 7 * DAY)])
def test_once_a_gaming_day_or_week_by_the_casinos_clock(
    every: Every, due: timedelta, view: SavedView, office: Office
) -> None:
    state(office.house.crew, None, GamingDay(cut_over="06:00"))
    want(view, office, every)
    many_reviews(office, 3, first=3)
    # The gaming day of the 16th is over at 6 am on the 17th in Sydney.
    over = datetime(2026, 11, 15, 19, 0, tzinfo=UTC) + due
    assert tell(over - SECOND) == []
    assert len(tell(over)) == 1
    many_reviews(office, 3, first=6)
    assert tell(over + due - SECOND) == []
    assert len(tell(over + 3 * due)) == 1, "however long the workers were away, it is one message"


def test_whoever_was_told_at_once_is_left_alone_with_every_other_view_too(view: SavedView, office: Office) -> None:
    want(view, office)
    many_reviews(office, 3, first=3)
    assert len(tell(NOON + LOOK_EVERY)) == 1
    want(keep(office.ines, f"{QUEUE}?severity=note", name="Notes"), office)
    want(keep(office.ines, f"{QUEUE}?severity=breach", name="Breaches"), office, Every.DAY)
    many_reviews(office, 3, first=6)
    assert tell(NOON + 2 * LOOK_EVERY) == []
    assert tell(NOON + LOOK_EVERY + QUIET_FOR - SECOND) == []
    [body] = tell(NOON + LOOK_EVERY + QUIET_FOR)
    assert "Serious (Harbour Casino): 1 new" in body
    assert "Notes (Harbour Casino): 1 new" in body
    [body] = tell(NOON + DAY)
    assert "Breaches (" in body


def test_one_message_for_all_views_that_are_due_and_none_without_news(view: SavedView, office: Office) -> None:
    notes = keep(office.ines, f"{QUEUE}?severity=note", name="Notes")
    breaches = keep(office.ines, f"{QUEUE}?severity=breach&table=sb-1", name="Breaches")
    for one in (view, notes, breaches):
        want(one, office)
    many_reviews(office, 3, first=5)
    [body] = tell(NOON + LOOK_EVERY)
    assert "Serious (" in body
    assert "Notes (" in body
    assert "Breaches (" not in body
    assert mail.outbox[0].subject == "2 new in 2 views"
    assert mail.outbox[0].to == ["ines@example.com"]


def test_nothing_is_told_that_the_person_may_not_see_when_it_is_sent(view: SavedView, office: Office) -> None:
    subscription = want(view, office)
    many_reviews(office, 3, first=3)
    held = RoleHeld.objects.filter(user=office.ines)
    # Found while she held the role, and to be sent when she does not any more.
    assert find_news(lambda: NOON + LOOK_EVERY) == 1
    held.update(ended_at=NOON)
    assert tell(NOON + LOOK_EVERY) == []
    assert Message.objects.get().state == Sending.WITHHELD
    many_reviews(office, 3, first=6)
    assert tell(NOON + DAY) == []
    subscription.refresh_from_db()
    assert subscription.trouble_code == news.CLOSED
    RoleHeld.objects.create(user=office.ines, casino=office.casino, role=Role.INSPECTOR, given_at=NOON + DAY)
    [body] = tell(NOON + 2 * DAY)
    assert "1 new, 3 in all" in body, "what came while she could not see it is new to her"
    many_reviews(office, 3, first=9)
    office.ines.is_active = False
    office.ines.save()
    assert tell(NOON + 3 * DAY) == []
    assert Message.objects.count() == 2, "nobody looks for somebody who is gone"


def test_a_shared_view_tells_its_reader_until_it_is_not_shared_any_more(view: SavedView, office: Office) -> None:
    services.change_view(view=view, name="Serious", shared_with="inspectorate", is_usual=False, actor=office.ines)
    subscribe(view=view, every=Every.ONCE, actor=office.iris, now=NOON)
    many_reviews(office, 3, first=3)
    assert len(tell(NOON + LOOK_EVERY)) == 1
    services.change_view(view=view, name="Serious", shared_with="", is_usual=False, actor=office.ines)
    many_reviews(office, 3, first=6)
    assert tell(NOON + DAY) == []
    services.remove_view(view=view, actor=office.ines)
    assert not Subscription.objects.exists()


def test_the_link_stops_it_without_signing_in_and_only_when_it_is_posted(view: SavedView, office: Office) -> None:
    want(view, office)
    many_reviews(office, 3, first=3)
    [body] = tell(NOON + LOOK_EVERY)
    sent = mail.outbox[0]
    found = STOP.search(body)
    assert found
    assert sent.extra_headers["List-Unsubscribe"].endswith(f"{found[1]}>")
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    # As a mail provider does: no cookie, no token of a form.
    stranger = Client(enforce_csrf_checks=True)
    asked = stranger.get(found[1]).content.decode()
    assert "what is new in 1 view." in asked
    assert "Serious" not in asked
    assert Subscription.objects.running().count() == 1, "programs that follow links stop nothing"
    stopped = stranger.post(found[1], "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded")
    assert stopped.status_code == 200
    assert not Subscription.objects.running().exists()
    assert "You are not told of" in stranger.post(found[1]).content.decode()
    assert stranger.post(f"{found[1][:-2]}/").status_code == 404
    many_reviews(office, 3, first=6)
    assert tell(NOON + DAY) == []


def test_a_message_that_was_found_before_it_was_stopped_is_not_sent(view: SavedView, office: Office) -> None:
    want(view, office)
    many_reviews(office, 3, first=3)
    find_news(lambda: NOON + LOOK_EVERY)
    browser = browser_of(office.ines)
    assert browser.post(f"{view.get_absolute_url()}tell/stop/").status_code == 302
    assert tell(NOON + LOOK_EVERY) == []


def test_a_mail_server_that_fails_is_tried_again_and_not_for_ever(
    view: SavedView, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    want(view, office)
    many_reviews(office, 3, first=3)
    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", _refuse)
    assert tell(NOON + LOOK_EVERY) == []
    message = Message.objects.get()
    assert (message.state, message.attempts) == (Sending.WAITING, 1)
    assert message.next_try_at > NOON + LOOK_EVERY
    Message.objects.update(attempts=MOST_ATTEMPTS - 2)
    for days, becomes in ((1, Sending.WAITING), (2, Sending.GIVEN_UP), (3, Sending.GIVEN_UP)):
        send_due(lambda days=days: NOON + days * DAY)  # type: ignore[misc]
        message.refresh_from_db()
        assert message.state == becomes
    assert message.attempts == MOST_ATTEMPTS


def _refuse(*_: object) -> int:
    raise ConnectionRefusedError


def test_a_list_that_cannot_be_read_keeps_nobody_else_waiting(view: SavedView, office: Office) -> None:
    """Such as one that takes PostgreSQL too long; it is tried again later, and nothing is told twice."""
    want(view, office)
    hers = keep(office.iris)
    subscribe(view=hers, every=Every.ONCE, actor=office.iris, now=NOON)
    many_reviews(office, 3, first=3)
    failed: list[str] = []

    def fail_once(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.endswith(f"LIMIT {MOST_ROWS}") and not failed:
            failed.append(sql)
            raise OperationalError("canceling statement due to statement timeout")
        return execute(sql, *rest)

    with connection.execute_wrapper(fail_once):
        assert len(tell(NOON + LOOK_EVERY)) == 1
    assert failed
    assert Subscription.objects.get(trouble_code=news.CLOSED).person == office.ines
    assert len(tell(NOON + LOOK_EVERY + news.CLOSED_FOR)) == 1


def test_of_more_people_than_are_looked_for_at_once_each_has_a_turn(
    view: SavedView, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "AT_ONCE", 1)
    want(view, office)
    hers = keep(office.iris)
    subscribe(view=hers, every=Every.ONCE, actor=office.iris, now=NOON)
    for turn in range(1, 5):
        find_news(lambda turn=turn: NOON + turn * LOOK_EVERY)  # type: ignore[misc]
    assert sorted(Subscription.objects.values_list("looked_at", flat=True)) == [
        NOON + 3 * LOOK_EVERY, NOON + 4 * LOOK_EVERY,
    ]  # fmt: skip


def test_of_a_longer_list_what_slides_into_sight_is_not_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "MOST_ROWS", 3)
    assert new_among([9, 8, 7], [8, 7, 6]) == {9}
    assert new_among([8, 7, 5], [8, 7, 6]) == set(), "6 left, and 5 had been there all the time"
    assert new_among([8, 5], [8, 7]) == {5}


def test_limits_pages_and_what_the_database_keeps(
    view: SavedView, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = browser_of(office.ines)
    tell_me = f"{view.get_absolute_url()}tell/"
    assert "Choose how often." in browser.post(tell_me, {}).content.decode()
    assert browser.post(tell_me, {"every": "week"}).status_code == 302
    assert browser.post(tell_me, {"every": "day"}).status_code == 302
    assert Subscription.objects.get().every == "day", "asked again, only how often changes"
    assert "Once a gaming day" in browser.get("/casinos/harbour/views/").content.decode()
    monkeypatch.setattr(services, "MOST_SUBSCRIPTIONS", 1)
    other = keep(office.ines, f"{QUEUE}?severity=note", name="Notes")
    refused = browser.post(f"{other.get_absolute_url()}tell/", {"every": "day"}).content.decode()
    assert "Stop one that you no longer need." in refused
    SavedView.objects.filter(pk=other.pk).update(table_id="")
    monkeypatch.setattr(services, "MOST_SUBSCRIPTIONS", 9)
    refused = browser.post(f"{other.get_absolute_url()}tell/", {"every": "day"}).content.decode()
    assert "cannot be worked out" in refused
    Subscription.objects.update(next_look_at=NOON)
    many_reviews(office, 3, first=3)
    assert len(tell(NOON)) == 1
    for change in ({"state": "waiting"}, {"attempts": 0}, {"person": office.iris}):
        with pytest.raises(DatabaseError, match=r"does not become|stays"), transaction.atomic():
            Message.objects.update(**change)
    throw_away_old(NOON + letters.KEPT_FOR)
    assert Part.objects.count() == 1
    throw_away_old(NOON + letters.KEPT_FOR + SECOND)
    assert not Message.objects.exists()


def moves() -> Iterator[tuple[str, str]]:
    for before, afters in SENDING_MAY_FOLLOW.items():
        yield from ((before, after) for after in afters)


def test_the_database_has_the_same_table_of_moves(view: SavedView, office: Office) -> None:
    allowed = {*moves(), ("waiting", "waiting")}
    for before in Sending:
        for after in Sending:
            sent = {"sent_at": NOON} if after == Sending.SENT else {"sent_at": None}
            with transaction.atomic():
                message = Message.objects.create(
                    person=office.ines, made_at=NOON, next_try_at=NOON, state=before,
                    sent_at=NOON if before == Sending.SENT else None,
                )  # fmt: skip
                try:
                    with transaction.atomic():
                        Message.objects.filter(pk=message.pk).update(state=after, **sent)
                    is_let = True
                except DatabaseError:
                    is_let = False
            assert is_let == ((before.value, after.value) in allowed), (before, after)
