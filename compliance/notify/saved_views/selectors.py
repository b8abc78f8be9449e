"""Which saved views a person may use. Reached through access_view and access_own_view; absent and forbidden both raise
NotFound. A shared view counts only while its owner still has the role."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.web.errors import NotFound
from compliance.notify.saved_views.audiences import AUDIENCES, audiences_of
from compliance.notify.saved_views.models import MessagePart, SavedView, Subscription


def views_for(person: User, casino: Casino) -> QuerySet[SavedView]:
    """The person's own views at this casino, and those shared with them."""
    usable = Q(owner=person)
    for audience in audiences_of(person, casino):
        roles = RoleAssignment.objects.current().filter(
            user=OuterRef("owner"), casino=OuterRef("casino"), role__in=AUDIENCES[audience][1], user__is_active=True
        )
        usable |= Q(Exists(roles), shared_with=audience)
    return SavedView.objects.filter(usable, casino=casino).select_related("casino", "owner")


def access_view(person: User, casino: Casino, pk: int) -> SavedView:
    """A view of the person's own, or shared with them."""
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
    """The person's views at every casino."""
    return SavedView.objects.filter(owner=person).select_related("casino")


def subscription_to(view: SavedView, person: User) -> Subscription | None:
    return Subscription.objects.active().filter(view=view, person=person).first()


def message_parts_of(view: SavedView, person: User) -> QuerySet[MessagePart]:
    """What this person was notified of for the view, newest first."""
    return MessagePart.objects.filter(subscription__view=view, subscription__person=person).select_related(
        "message__email"
    )
