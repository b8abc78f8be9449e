"""Use cases: save, change and remove views; subscribe and unsubscribe.
Personal settings, so nothing enters the ledger."""

from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.notify.saved_views.audiences import audiences_of
from compliance.notify.saved_views.errors import (
    ListGone,
    NameTaken,
    NotAColleague,
    TooManySubscriptions,
    TooManyViews,
    ViewNotSubscribable,
)
from compliance.notify.saved_views.list_access import ListNotAccessible, visible_row_ids
from compliance.notify.saved_views.models import NewRowsMessage, SavedView, Subscription
from compliance.notify.saved_views.states import Frequency
from rounds.floor.fact_values import GamingDayValue, parse_clock
from rounds.floor.facts.gaming_days import MIDNIGHT, clock_instant, gaming_day
from rounds.floor.selectors import casino_facts_at

MAX_VIEWS, MAX_SUBSCRIPTIONS = 100, 20
# How often immediate subscriptions are checked, and the pause after each e-mail.
CHECK_INTERVAL, QUIET_PERIOD = timedelta(minutes=1), timedelta(minutes=10)
DAYS_BETWEEN_CHECKS = {Frequency.DAY: 1, Frequency.WEEK: 7}


@transaction.atomic
def save_view(
    *,
    casino: Casino,
    signed_list: dict[str, Any],
    name: str,
    shared_with: str,
    is_usual: bool,
    actor: User,
    now: datetime,
) -> SavedView:
    """Saves a view. `signed_list` is what the page of the list signed: its URL and query."""
    _lock_person(actor)
    if SavedView.objects.filter(owner=actor).count() >= MAX_VIEWS:
        raise TooManyViews(f"You have kept {MAX_VIEWS} views, and more cannot be kept.")
    view = SavedView(
        owner=actor,
        casino=casino,
        path=signed_list["path"],
        list_words=signed_list["words"] or "A list",
        query=signed_list["query"],
        kept_at=now,
    )
    return _save_changes(view, name, shared_with, is_usual)


@transaction.atomic
def change_view(*, view: SavedView, name: str, shared_with: str, is_usual: bool, actor: User) -> SavedView:
    _lock_person(actor)
    return _save_changes(_lock_own_view(view, actor), name, shared_with, is_usual)


def _save_changes(view: SavedView, name: str, shared_with: str, is_usual: bool) -> SavedView:
    if shared_with and shared_with not in audiences_of(view.owner, view.casino):
        raise NotAColleague
    if is_usual:
        SavedView.objects.filter(owner=view.owner, path=view.path, is_usual=True).exclude(pk=view.pk).update(
            is_usual=False
        )
    view.name, view.shared_with, view.is_usual = name, shared_with, is_usual
    try:
        with transaction.atomic():
            view.save()
    except IntegrityError as error:
        raise NameTaken from error
    return view


@transaction.atomic
def remove_view(*, view: SavedView, actor: User) -> None:
    """Deletes the view with its subscriptions and their message parts."""
    mine = _lock_own_view(view, actor)
    # Lock order: view, then subscriptions. Waits for a running check; none can start afterwards.
    list(mine.subscriptions.select_for_update())
    mine.delete()


@transaction.atomic
def subscribe(*, view: SavedView, every: Frequency, actor: User, now: datetime) -> Subscription:
    """Subscribes from now on: rows already in the view are known. Called again, only changes the frequency."""
    _lock_person(actor)
    mine = Subscription.objects.active().filter(person=actor)
    running = mine.filter(view=view).first()
    if running is not None:
        running.every, running.next_look_at = every, next_check_at(view.casino, every, now)
        running.save(update_fields=["every", "next_look_at"])
        return running
    if not view.is_subscribable:
        raise ViewNotSubscribable
    if mine.count() >= MAX_SUBSCRIPTIONS:
        raise TooManySubscriptions(f"You are told of {MAX_SUBSCRIPTIONS} views, and of more nobody is.")
    try:
        known = visible_row_ids(actor, view, now)
    except ListNotAccessible as error:
        raise ListGone from error
    return Subscription.objects.create(
        view=view,
        person=actor,
        every=every,
        asked_at=now,
        looked_at=now,
        known=known,
        next_look_at=next_check_at(view.casino, every, now),
    )


@transaction.atomic
def unsubscribe(*, subscription: Subscription, now: datetime) -> None:
    Subscription.objects.active().filter(pk=subscription.pk).update(ended_at=now, known=[])


@transaction.atomic
def unsubscribe_by_message(*, message: NewRowsMessage, now: datetime) -> int:
    """Ends the subscriptions named in a message; returns how many.
    The signed link is the authorisation. Idempotent."""
    subscriptions = message.parts.values("subscription")
    return Subscription.objects.active().filter(pk__in=subscriptions).update(ended_at=now, known=[])


def next_check_at(casino: Casino, every: str, now: datetime, *, was_told: bool = False) -> datetime:
    """When to check next; for days and weeks, at the start of the next one by the casino's clock."""
    if every == Frequency.ONCE:
        return now + (QUIET_PERIOD if was_told else CHECK_INTERVAL)
    gaming_day_fact = casino_facts_at(casino, now).get(GamingDayValue)
    cut_over = parse_clock(gaming_day_fact.cut_over) if gaming_day_fact else MIDNIGHT
    return clock_instant(
        gaming_day(casino, now) + timedelta(days=DAYS_BETWEEN_CHECKS[Frequency(every)]), cut_over, casino.zone
    )


def _lock_own_view(view: SavedView, person: User) -> SavedView:
    """Locks and rereads the view: saving one that was deleted meanwhile would recreate it."""
    own = SavedView.objects.select_for_update(of=("self",)).select_related("owner", "casino")
    found = own.filter(pk=view.pk, owner=person).first()
    if found is None:
        raise NotFound
    return found


def _lock_person(person: User) -> None:
    """Serialises changes of one person, so that the limits hold."""
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
