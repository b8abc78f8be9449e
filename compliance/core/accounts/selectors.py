"""Reads of people, roles and sign-ins, and what is pending for administrators.
People are reached only through access_person."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.ledger.account_events import FAILED_SIGN_IN_KINDS
from compliance.core.accounts.models import AccountEvent, Casino, EventKind, Invitation, RoleAssignment, User
from compliance.core.accounts.roles import NEEDS_SECOND_FACTOR, Role
from compliance.core.accounts.sso.models import IdentityLink
from compliance.core.web.errors import NotFound

CHART_DAYS = 14
# For querysets of people_at_casino and annotate_locked.
LACKS_SECOND_FACTOR = Q(is_active=True, needs_it_here=True, has_totp=False)
IS_LOCKED = Q(is_locked=True)
PERSON_STATES = {
    "active": "Active",
    "disabled": "Disabled",
    "locked": "Sign-in locked",
    "no-second-factor": "Second factor missing",
    "former": "Former",
}


def access_person(user: User, casino: Casino, person_id: int) -> User:
    """A person who works or worked at a casino that the user administers. Absent and forbidden both raise NotFound."""
    person = people_at_casino(casino).filter(pk=person_id).first() if is_administrator(user, casino) else None
    if person is None:
        raise NotFound
    return person


def access_invitation(user: User, casino: Casino, invitation_id: int) -> Invitation:
    invitations = Invitation.objects.select_related("casino", "invited_by", "accepted_by")
    found = invitations.filter(pk=invitation_id, casino=casino).first() if is_administrator(user, casino) else None
    if found is None:
        raise NotFound
    return found


def access_role(user: User, casino: Casino, person: User, role_id: int) -> RoleAssignment:
    """A role that the person holds now at a casino that the user administers."""
    held = (
        RoleAssignment.objects.current().filter(pk=role_id, casino=casino, user=person).select_related("casino").first()
    )
    if held is None or not is_administrator(user, casino):
        raise NotFound
    return held


def access_link(person: User, link_id: int) -> IdentityLink:
    """An open link of a person to whom the caller already has access."""
    link = person.identity_links.open().select_related("user").filter(pk=link_id).first()
    if link is None:
        raise NotFound
    return link


def is_administrator(user: User, casino: Casino) -> bool:
    return user.has_role(Role.ADMINISTRATOR, casino=casino)


def locked_emails(now: datetime) -> QuerySet[AccessAttempt, str]:
    """E-mail addresses locked from any client address, counted as axes does: by address, whatever the browser."""
    recent = AccessAttempt.objects.filter(attempt_time__gte=now - settings.AXES_COOLOFF_TIME).order_by()
    places = recent.values("username", "ip_address").annotate(failures=Sum("failures_since_start"))
    locked = places.filter(failures__gte=settings.AXES_FAILURE_LIMIT)
    names: QuerySet[AccessAttempt, str] = locked.values_list("username", flat=True)
    return names


def people_at_casino(casino: Casino) -> QuerySet[User]:
    """Everybody who holds or held a role here, annotated so that a list needs a fixed number of queries."""
    here = RoleAssignment.objects.filter(casino=casino)
    needing = here.current().filter(role__in=NEEDS_SECOND_FACTOR)
    return (
        User.objects.filter(Exists(here.filter(user=OuterRef("pk"))))
        .annotate(
            works_here=Exists(here.current().filter(user=OuterRef("pk"))),
            needs_it_here=Exists(needing.filter(user=OuterRef("pk"))),
            has_totp=Exists(TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)),
        )
        .prefetch_related(Prefetch("roles", here.current().order_by("role"), to_attr="roles_here"))
    )


def annotate_locked(people: QuerySet[User], now: datetime) -> QuerySet[User]:
    return people.annotate(is_locked=Q(email__in=locked_emails(now)))


def locked_people(casino: Casino, now: datetime) -> QuerySet[User]:
    return annotate_locked(people_at_casino(casino), now).filter(IS_LOCKED)


def people_without_second_factor(casino: Casino) -> QuerySet[User]:
    return people_at_casino(casino).filter(LACKS_SECOND_FACTOR)


def search_people(casino: Casino, *, words: str, role: str, state: str, now: datetime) -> QuerySet[User]:
    people = annotate_locked(people_at_casino(casino), now)
    for word in words.split():
        people = people.filter(Q(name__icontains=word) | Q(email__icontains=word))
    if role:
        holders = RoleAssignment.objects.current().filter(casino=casino, role=role, user=OuterRef("pk"))
        people = people.filter(Exists(holders))
    in_state = {
        "active": Q(is_active=True, works_here=True),
        "disabled": Q(is_active=False),
        "locked": IS_LOCKED,
        "no-second-factor": LACKS_SECOND_FACTOR,
        "former": Q(works_here=False),
    }
    return people.filter(in_state[state]) if state else people


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


def sign_ins_by_day(casino: Casino, now: datetime) -> list[DailySignIns]:
    """Sign-ins of the casino's people on the last fourteen local days, days without any included."""
    today = now.astimezone(casino.zone).date()
    days = [today - timedelta(days=back) for back in range(CHART_DAYS - 1, -1, -1)]
    began_at = datetime.combine(days[0], datetime.min.time(), casino.zone)
    counted = (
        AccountEvent.objects.filter(at__gte=began_at, kind__in=(EventKind.SIGNED_IN, *FAILED_SIGN_IN_KINDS))
        .filter(Exists(RoleAssignment.objects.filter(casino=casino, user=OuterRef("subject"))))
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
