"""Reads of people, roles and sign-ins, and what is pending for administrators, who see the people of their own side.
People are reached only through access_person."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.ledger.account_events import FAILED_SIGN_IN_KINDS
from compliance.core.accounts.models import AccountEvent, Casino, EventKind, Invitation, RoleAssignment, User
from compliance.core.accounts.roles import ADMINISTERED_ROLES, ALL_ROLES, Role
from compliance.core.accounts.sso.models import IdentityLink
from compliance.core.web.errors import NotFound

CHART_DAYS = 14
PERSON_STATES = {
    "active": "Active",
    "disabled": "Disabled",
    "locked": "Sign-in locked",
    "no-second-factor": "Second factor missing",
    "both-sides": "Government and casino roles",
    "former": "Former",
}
# For querysets of people_at_casino and annotate_locked.
PEOPLE_IN_STATE = {
    "active": Q(is_active=True, works_here=True),
    "disabled": Q(is_active=False),
    "locked": Q(is_locked=True),
    "no-second-factor": Q(is_active=True, works_here=True, has_totp=False),
    "both-sides": Q(is_of_both_sides=True),
    "former": Q(works_here=False),
}


def access_person(user: User, casino: Casino, person_id: int) -> User:
    """A person who works or worked at a casino, for the side that the user administers. Absent and forbidden both raise
    NotFound."""
    person = people_at_casino(casino, administered_roles(user, casino)).filter(pk=person_id).first()
    if person is None:
        raise NotFound
    return person


def access_invitation(user: User, casino: Casino, invitation_id: int) -> Invitation:
    invitations = Invitation.objects.select_related("casino", "invited_by", "accepted_by")
    found = invitations.filter(pk=invitation_id, casino=casino, role__in=administered_roles(user, casino)).first()
    if found is None:
        raise NotFound
    return found


def access_role(user: User, casino: Casino, person: User, role_id: int) -> RoleAssignment:
    """A role that the person holds now at a casino, of the side that the user administers."""
    current = RoleAssignment.objects.current().filter(casino=casino, user=person).select_related("casino")
    held = current.filter(pk=role_id, role__in=administered_roles(user, casino)).first()
    if held is None:
        raise NotFound
    return held


def access_link(person: User, link_id: int) -> IdentityLink:
    """An open link of a person to whom the caller already has access."""
    link = person.identity_links.open().select_related("user").filter(pk=link_id).first()
    if link is None:
        raise NotFound
    return link


def administered_roles(user: User, casino: Casino) -> frozenset[Role]:
    """The roles that this person gives and ends at the casino: those of one side, or none."""
    held = (roles for one, roles in ADMINISTERED_ROLES.items() if user.has_role(one, casino=casino))
    return next(held, frozenset())


def locked_emails(now: datetime) -> QuerySet[AccessAttempt, str]:
    """E-mail addresses locked from any client address, counted as axes does: by address, whatever the browser."""
    recent = AccessAttempt.objects.filter(attempt_time__gte=now - settings.AXES_COOLOFF_TIME).order_by()
    places = recent.values("username", "ip_address").annotate(failures=Sum("failures_since_start"))
    locked = places.filter(failures__gte=settings.AXES_FAILURE_LIMIT)
    names: QuerySet[AccessAttempt, str] = locked.values_list("username", flat=True)
    return names


def people_at_casino(casino: Casino, roles: Collection[str] = ALL_ROLES) -> QuerySet[User]:
    """Everybody who holds or held one of these roles here, annotated so that a list needs a fixed number of queries."""
    here = RoleAssignment.objects.filter(casino=casino, role__in=roles)
    return (
        User.objects.filter(Exists(here.filter(user=OuterRef("pk"))))
        .annotate(
            works_here=Exists(here.current().filter(user=OuterRef("pk"))),
            is_of_both_sides=Exists(RoleAssignment.objects.of_both_sides().filter(user=OuterRef("pk"))),
            has_totp=Exists(TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)),
        )
        .prefetch_related(Prefetch("roles", here.current().order_by("role"), to_attr="roles_here"))
    )


def annotate_locked(people: QuerySet[User], now: datetime) -> QuerySet[User]:
    return people.annotate(is_locked=Q(email__in=locked_emails(now)))


def count_by_problem(casino: Casino, roles: Collection[str], now: datetime) -> dict[str, int]:
    """How many people of these roles are locked, lack the second factor or hold roles of both sides."""
    people = annotate_locked(people_at_casino(casino, roles), now)
    return people.aggregate(
        **{state: Count("pk", filter=PEOPLE_IN_STATE[state]) for state in ("locked", "no-second-factor", "both-sides")}
    )


def search_people(
    asked_by: User, casino: Casino, *, words: str, role: str, state: str, now: datetime
) -> QuerySet[User]:
    people = annotate_locked(people_at_casino(casino, administered_roles(asked_by, casino)), now)
    for word in words.split():
        people = people.filter(Q(name__icontains=word) | Q(email__icontains=word))
    if role:
        holders = RoleAssignment.objects.current().filter(casino=casino, role=role, user=OuterRef("pk"))
        people = people.filter(Exists(holders))
    return people.filter(PEOPLE_IN_STATE[state]) if state else people


def former_roles(person: User, casino: Casino) -> QuerySet[RoleAssignment]:
    return person.roles.filter(casino=casino).select_related("given_by", "ended_by").order_by("given_at", "pk")


def account_events_of(person: User, casino: Casino) -> QuerySet[AccountEvent]:
    """Events that an administrator here may read: those at this casino, and those of the account itself."""
    return person.events.filter(Q(casino=casino) | Q(casino=None)).select_related("actor")


@dataclass(frozen=True)
class DailySignIns:
    day: date
    sign_ins: int
    failures: int


def sign_ins_by_day(casino: Casino, roles: Collection[str], now: datetime) -> list[DailySignIns]:
    """Sign-ins of people with these roles on the last fourteen local days, days without any included."""
    today = now.astimezone(casino.zone).date()
    days = [today - timedelta(days=back) for back in range(CHART_DAYS - 1, -1, -1)]
    began_at = datetime.combine(days[0], datetime.min.time(), casino.zone)
    counted = (
        AccountEvent.objects.filter(at__gte=began_at, kind__in=(EventKind.SIGNED_IN, *FAILED_SIGN_IN_KINDS))
        .filter(Exists(RoleAssignment.objects.filter(casino=casino, role__in=roles, user=OuterRef("subject"))))
        .order_by()
        .values(day=TruncDate("at", tzinfo=casino.zone))
        .annotate(
            sign_ins=Count("pk", filter=Q(kind=EventKind.SIGNED_IN)),
            failures=Count("pk", filter=Q(kind__in=FAILED_SIGN_IN_KINDS)),
        )
    )
    found = {row["day"]: DailySignIns(row["day"], row["sign_ins"], row["failures"]) for row in counted}
    return [found.get(day, DailySignIns(day, 0, 0)) for day in days]


def last_sign_ins(user: User, count: int = 5) -> list[AccountEvent]:
    return list(user.events.filter(kind__in=(EventKind.SIGNED_IN, *FAILED_SIGN_IN_KINDS))[:count])
