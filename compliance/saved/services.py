"""Keep, change and remove views; be told of one, or no longer. It decides nothing, so the ledger has none of it."""

from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from compliance.accounts.models import Casino, User
from compliance.saved.audiences import audiences_of
from compliance.saved.errors import (
    CannotBeTold,
    ListGone,
    NameTaken,
    NotAColleague,
    TooManySubscriptions,
    TooManyViews,
)
from compliance.saved.models import Message, SavedView, Subscription
from compliance.saved.opening import CannotOpen, rows_seen_by
from compliance.saved.states import Every
from compliance.web.errors import NotFound
from rounds.floor.gaming_days import MIDNIGHT, gaming_day, starts_at
from rounds.floor.selectors import casino_facts_at
from rounds.floor.values import GamingDay, clock_time

MOST_VIEWS, MOST_SUBSCRIPTIONS = 100, 20
# A view that is told of at once is looked at so often, and after a message left alone for so long.
LOOK_EVERY, QUIET_FOR = timedelta(minutes=1), timedelta(minutes=10)
DAYS = {Every.DAY: 1, Every.WEEK: 7}


@transaction.atomic
def keep_view(
    *, casino: Casino, shown: dict[str, Any], name: str, shared_with: str, is_usual: bool, actor: User, now: datetime
) -> SavedView:
    """`shown` is what the page of the list signed: its address, and what narrows it."""
    _wait_for(actor)
    if SavedView.objects.filter(owner=actor).count() >= MOST_VIEWS:
        raise TooManyViews(f"You have kept {MOST_VIEWS} views, and more cannot be kept.")
    view = SavedView(
        owner=actor, casino=casino, path=shown["path"], table_id=shown["table_id"],
        list_words=shown["words"] or "A list", query=shown["query"], kept_at=now,
    )  # fmt: skip
    return _write(view, name, shared_with, is_usual)


@transaction.atomic
def change_view(*, view: SavedView, name: str, shared_with: str, is_usual: bool, actor: User) -> SavedView:
    _wait_for(actor)
    return _write(_locked_own(view, actor), name, shared_with, is_usual)


def _write(view: SavedView, name: str, shared_with: str, is_usual: bool) -> SavedView:
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
    mine = _locked_own(view, actor)
    # Whoever looks for news of it is waited for; nobody begins to after us.
    list(mine.subscriptions.select_for_update())
    mine.delete()


@transaction.atomic
def subscribe(*, view: SavedView, every: Every, actor: User, now: datetime) -> Subscription:
    """From now on: what is in the view already is known. Asked again, only how often changes."""
    _wait_for(actor)
    mine = Subscription.objects.running().filter(person=actor)
    running = mine.filter(view=view).first()
    if running is not None:
        running.every, running.next_look_at = every, next_look_at(view.casino, every, now)
        running.save(update_fields=["every", "next_look_at"])
        return running
    if not view.can_be_told:
        raise CannotBeTold
    if mine.count() >= MOST_SUBSCRIPTIONS:
        raise TooManySubscriptions(f"You are told of {MOST_SUBSCRIPTIONS} views, and of more nobody is.")
    try:
        known = rows_seen_by(actor, view)
    except CannotOpen as error:
        raise ListGone from error
    return Subscription.objects.create(
        view=view, person=actor, every=every, asked_at=now, looked_at=now, known=known,
        next_look_at=next_look_at(view.casino, every, now),
    )  # fmt: skip


@transaction.atomic
def unsubscribe(*, subscription: Subscription, now: datetime) -> None:
    Subscription.objects.running().filter(pk=subscription.pk).update(ended_at=now, known=[])


@transaction.atomic
def stop_telling(*, message: Message, now: datetime) -> int:
    """Whoever has the message's own link ends what it told of; how many that were. Asked again, nothing is left."""
    told = message.parts.values("subscription")
    return Subscription.objects.running().filter(pk__in=told).update(ended_at=now, known=[])


def next_look_at(casino: Casino, every: str, now: datetime, *, was_told: bool = False) -> datetime:
    """For a gaming day or a week, when the next one begins by the casino's clock."""
    if every == Every.ONCE:
        return now + (QUIET_FOR if was_told else LOOK_EVERY)
    stated = casino_facts_at(casino, now).get(GamingDay)
    cut_over = clock_time(stated.cut_over) if stated else MIDNIGHT
    return starts_at(gaming_day(casino, now) + timedelta(days=DAYS[Every(every)]), cut_over, casino.zone)


def _locked_own(view: SavedView, person: User) -> SavedView:
    """As it is now: it may have been removed in another window meanwhile, and would come back."""
    own = SavedView.objects.select_for_update(of=("self",)).select_related("owner", "casino")
    found = own.filter(pk=view.pk, owner=person).first()
    if found is None:
        raise NotFound
    return found


def _wait_for(person: User) -> None:
    """One at a time for each person, so that limits hold."""
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
