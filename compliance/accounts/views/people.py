"""Administrators: who works at the casino, one person, and the chart of sign-ins."""

from collections.abc import Iterator
from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.forms import PeopleFilter
from compliance.accounts.models import AccountEvent, Casino, RoleHeld, User
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.roles import Role
from compliance.accounts.selectors import (
    DayOfSignIns,
    access_person,
    events_of,
    former_roles,
    locked_emails,
    search_people,
    sign_ins_by_day,
)
from compliance.accounts.views.choosing import choose_casino
from compliance.accounts.views.identity_rows import identity_rows_here
from compliance.web.access import held_by
from compliance.web.charts import Point, Series, line_chart, svg_response
from compliance.web.components import (
    Chart,
    Column,
    FilterPanel,
    SummaryList,
    SummaryRow,
    Table,
    Tag,
    Timeline,
    TimelineEntry,
)
from compliance.web.templatetags.kit import local

administrators = held_by(Role.ADMINISTRATOR)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"accounts:{name}", kwargs={"casino": casino.slug, **kwargs})


@administrators
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, (Role.ADMINISTRATOR,), lambda casino: address_of("people", casino),
        title="People", caption="Casinos you administer",
    )  # fmt: skip


@administrators
@require_safe
def people(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    form = PeopleFilter(request.GET)
    chosen = form.chosen()
    found = search_people(request.casino, words=chosen["q"], role=chosen["role"], state=chosen["state"], now=now)
    is_filtered = any(chosen.values())
    context = {
        "casino": request.casino,
        "panel": FilterPanel(form, legend="Search and filter"),
        "table": Table(
            caption=f"People at {request.casino}",
            columns=_people_columns(request.casino),
            rows=found,
            query=request.GET,
            sort="name",
            empty="Nobody fits this search." if is_filtered else "Nobody works here yet. Invite somebody.",
        ),
        "chart": _chart(request.casino, sign_ins_by_day(request.casino, now)),
    }
    return render(request, "accounts/people.html", context)


def _people_columns(casino: Casino) -> tuple[Column, ...]:
    return (
        Column(
            "Name", "name", sort="name", is_row_heading=True,
            link=lambda person: address_of("person", casino, person=person.pk),
        ),
        Column("E-mail", "email", sort="email"),
        Column("Roles here", lambda person: ", ".join(held.get_role_display() for held in person.roles_here)),
        Column("State", state_of),
        Column("Last sign-in", lambda person: local(person.last_login, casino) or "Never", sort="last_login"),
    )  # fmt: skip


def state_of(person: User) -> Tag:
    """The one word that matters most to an administrator. `person` comes from search_people."""
    if not person.is_active:
        return Tag("Disabled", "danger")
    if getattr(person, "is_locked", False):
        return Tag("Locked", "warning")
    if not getattr(person, "works_here", True):
        return Tag("Former", "neutral")
    lacks_it = getattr(person, "needs_it_here", False) and not getattr(person, "has_totp", False)
    return Tag("No second factor", "warning") if lacks_it else Tag("Active", "success")


def _chart(casino: Casino, days: list[DayOfSignIns]) -> Chart:
    sign_ins, failures = sum(day.sign_ins for day in days), sum(day.failures for day in days)
    return Chart(
        src=address_of("people-chart", casino),
        alt=f"{sign_ins} sign-ins and {failures} failed attempts in the last 14 days.",
        table=Table(
            caption="Sign-ins and failed attempts by day",
            columns=(
                Column("Day", lambda row: f"{row.day:%a} {row.day.day} {row.day:%b %Y}", is_row_heading=True),
                Column("Sign-ins", "sign_ins", is_figure=True),
                Column("Failed attempts", "failures", is_figure=True),
            ),
            rows=days,
            name="days",
        ),
    )


@administrators
@require_safe
def chart(request: CasinoRequest, casino: str) -> HttpResponse:
    days = sign_ins_by_day(request.casino, timezone.now())
    lines = {"Sign-ins": [day.sign_ins for day in days], "Failed attempts": [day.failures for day in days]}
    labels = [f"{day.day.day} {day.day:%b}" for day in days]
    drawing = line_chart(
        title=f"Sign-ins at {request.casino}",
        x_label="Day",
        y_label="Number",
        series=[
            Series(name, [Point(*pair) for pair in zip(labels, counts, strict=True)]) for name, counts in lines.items()
        ],
    )
    return svg_response(drawing)


@administrators
@never_cache
@require_safe
def person(request: CasinoRequest, casino: str, person: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    now = timezone.now()
    subject.is_locked = locked_emails(now).filter(username=subject.email).exists()  # type: ignore[attr-defined]
    context = {
        "casino": request.casino,
        "person": subject,
        "state": state_of(subject),
        "is_self": subject == request.user,
        "summary": _facts(subject, request.casino, now),
        "roles": _roles_now(subject, request.casino),
        "history": Timeline(list(_role_history(subject, request.casino)), request.casino, "Roles now and before"),
        "events": _events(request, subject),
    }
    return render(request, "accounts/person.html", context)


def _facts(subject: User, casino: Casino, now: datetime) -> SummaryList:
    factor = Tag("Set up", "success") if subject.has_second_factor else Tag("Missing", "warning")
    return SummaryList(
        [
            SummaryRow("E-mail address", subject.email),
            SummaryRow("State", state_of(subject)),
            SummaryRow("Second factor", factor),
            *identity_rows_here(subject, casino, now),
            SummaryRow("Last sign-in", local(subject.last_login, casino) or "Never"),
            SummaryRow("Account since", local(subject.created_at, casino)),
        ]
    )


def _roles_now(subject: User, casino: Casino) -> Table:
    def end(held: RoleHeld) -> str:
        return address_of("end-role", casino, person=subject.pk, role=held.pk)

    return Table(
        caption="Roles held here now",
        columns=(
            Column("Role", lambda held: held.get_role_display(), is_row_heading=True),
            Column("Since", lambda held: local(held.given_at, casino)),
            Column("Action", lambda held: SafeString(f"End{_hidden(held)}"), link=end),
        ),
        rows=subject.roles_here,  # type: ignore[attr-defined]
        empty="No role here now.",
        name="roles",
    )


def _hidden(held: RoleHeld) -> str:
    return f'<span class="visually-hidden"> the role {held.get_role_display()}</span>'


def _role_history(subject: User, casino: Casino) -> Iterator[TimelineEntry]:
    """Oldest first; a role that ended has two entries."""
    moments = []
    for held in former_roles(subject, casino):
        given_by = f"by {held.given_by}" if held.given_by else "when the casino was set up"
        moments.append(TimelineEntry(f"{held.get_role_display()} given", held.given_at, given_by))
        if held.ended_at:
            ended_by = f"by {held.ended_by}" if held.ended_by else ""
            moments.append(TimelineEntry(f"{held.get_role_display()} ended", held.ended_at, ended_by))
    yield from sorted(moments, key=lambda entry: entry.at)


def _events(request: CasinoRequest, subject: User) -> Table:
    return Table(
        caption="What happened to this account, newest first",
        columns=(
            Column("When", lambda event: local(event.at, request.casino), is_row_heading=True),
            Column("What", _words),
            Column("By", lambda event: event.actor.name if event.actor else ""),
            Column("From", "address"),
        ),
        rows=events_of(subject, request.casino),
        query=request.GET,
        page_size=25,
        empty="Nothing yet.",
        name="events",
    )


def _words(event: AccountEvent) -> str:
    return f"{event.get_kind_display()}: {event.detail}" if event.detail else event.get_kind_display()
