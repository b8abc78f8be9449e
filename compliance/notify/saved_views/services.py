"""Keep, change and remove views; be told of one, or no longer. It decides nothing, so the ledger has none of it."""

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
from rounds.floor.fact_values import GamingDay, parse_clock
from rounds.floor.facts.gaming_days import MIDNIGHT, clock_instant, gaming_day
from rounds.floor.selectors import casino_facts_at

MAX_VIEWS, MAX_SUBSCRIPTIONS = 100, 20
# A view that is told of at once is looked at so often, and after a message left alone for so long.
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
    """`shown` is what the page of the list signed: its address, and what narrows it."""
    _lock_person(actor)
    if SavedView.objects.filter(owner=actor).count() >= MAX_VIEWS:
        raise TooManyViews(f"You have kept {MAX_VIEWS} views, and more cannot be kept.")
    view = SavedView(
        owner=actor,
        casino=casino,
        path=signed_list["path"],
        table_id=signed_list["table_id"],
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
    """With whoever is told of it, and what they were told."""
    mine = _lock_own_view(view, actor)
    # Whoever looks for news of it is waited for; nobody begins to after us.
    list(mine.subscriptions.select_for_update())
    mine.delete()


@transaction.atomic
def subscribe(*, view: SavedView, every: Frequency, actor: User, now: datetime) -> Subscription:
    """From now on: what is in the view already is known. Asked again, only how often changes."""
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
        known = visible_row_ids(actor, view)
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
    """Whoever has the message's own link ends what it told of; how many that were. Asked again, nothing is left."""
    told = message.parts.values("subscription")
    return Subscription.objects.active().filter(pk__in=told).update(ended_at=now, known=[])


def next_check_at(casino: Casino, every: str, now: datetime, *, was_told: bool = False) -> datetime:
    """For a gaming day or a week, when the next one begins by the casino's clock."""
    if every == Frequency.ONCE:
        return now + (QUIET_PERIOD if was_told else CHECK_INTERVAL)
    stated = casino_facts_at(casino, now).get(GamingDay)
    cut_over = parse_clock(stated.cut_over) if stated else MIDNIGHT
    return clock_instant(
        gaming_day(casino, now) + timedelta(days=DAYS_BETWEEN_CHECKS[Frequency(every)]), cut_over, casino.zone
    )


def _lock_own_view(view: SavedView, person: User) -> SavedView:
    """As it is now: it may have been removed in another window meanwhile, and would come back."""
    own = SavedView.objects.select_for_update(of=("self",)).select_related("owner", "casino")
    found = own.filter(pk=view.pk, owner=person).first()
    if found is None:
        raise NotFound
    return found


def _lock_person(person: User) -> None:
    """One at a time for each person, so that limits hold."""
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
