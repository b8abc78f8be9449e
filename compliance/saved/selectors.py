"""Whose views one may open. Each is reached through access_view and access_own_view; absent and forbidden look the
same. A shared view counts while its owner still does the same work."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from compliance.accounts.models import Casino, RoleHeld, User
from compliance.saved.audiences import AUDIENCES, audiences_of
from compliance.saved.models import Part, SavedView, Subscription
from compliance.web.errors import NotFound


def views_for(person: User, casino: Casino) -> QuerySet[SavedView]:
    """The person's own at this casino, and those that colleagues share."""
    usable = Q(owner=person)
    for audience in audiences_of(person, casino):
        roles = RoleHeld.objects.current().filter(
            user=OuterRef("owner"), casino=OuterRef("casino"), role__in=AUDIENCES[audience][1], user__is_active=True
        )
        usable |= Q(Exists(roles), shared_with=audience)
    return SavedView.objects.filter(usable, casino=casino).select_related("casino", "owner")


def access_view(person: User, casino: Casino, pk: int) -> SavedView:
    """For those who may open it: its owner, and whom it is shared with."""
    view = views_for(person, casino).filter(pk=pk).first()
    if view is None:
        raise NotFound
    return view


def access_own_view(person: User, casino: Casino, pk: int) -> SavedView:
    view = SavedView.objects.filter(owner=person, casino=casino, pk=pk).select_related("casino", "owner").first()
    if view is None:
        raise NotFound
    return view


def own_views(person: User) -> QuerySet[SavedView]:
    """At every casino."""
    return SavedView.objects.filter(owner=person).select_related("casino")


def subscription_to(view: SavedView, person: User) -> Subscription | None:
    return Subscription.objects.running().filter(view=view, person=person).first()


def told_of(view: SavedView, person: User) -> QuerySet[Part]:
    """What this person was told of the view, the newest first."""
    return Part.objects.filter(subscription__view=view, subscription__person=person).select_related("message")
