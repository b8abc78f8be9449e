"""Administrators: who works at the casino, one person, and the chart of sign-ins."""

from collections.abc import Iterator
from datetime import datetime

from django.http import HttpResponse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.core.accounts.forms import PeopleFilter
from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.models import AccountEvent, Casino, RoleAssignment, User
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.roles import ADMINISTERED_ROLES
from compliance.core.accounts.selectors import (
    DailySignIns,
    access_person,
    account_events_of,
    administered_roles,
    former_roles,
    locked_emails,
    search_people,
    sign_ins_by_day,
)
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.accounts.views.identity_rows import administrator_identity_rows
from compliance.core.web.access import require_roles
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.charts import Point, Series, line_chart, svg_response
from compliance.core.web.ui.components import (
    Chart,
    Column,
    DataTable,
    FilterPanel,
    SummaryList,
    SummaryRow,
    Tag,
    Timeline,
    TimelineEntry,
)
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response

administrators_only = require_roles(*ADMINISTERED_ROLES)


@administrators_only
@require_safe
def choose_people_casino(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        tuple(ADMINISTERED_ROLES),
        lambda casino: casino_url("accounts:people", casino),
        title="People",
        caption="Casinos you administer",
    )


PEOPLE = FilteredList(
    "accounts:people",
    PeopleFilter,
    lambda asked, chosen: search_people(
        asked.person, asked.casino, words=chosen["q"], role=chosen["role"], state=chosen["state"], now=asked.now
    ),
)


@administrators_only
@require_safe
def list_people(request: CasinoRequest, casino: str) -> ListResponse:
    asked = ListQuery.from_request(request)
    form, rows = PEOPLE(asked)
    is_filtered = any(form.valid_values().values())
    context = {
        "panel": FilterPanel(form, legend="Search and filter"),
        "table": DataTable(
            caption=f"People at {request.casino}",
            columns=_people_columns(request.casino),
            rows=rows,
            sort="name",
            empty="Nobody fits this search." if is_filtered else "Nobody works here yet. Invite somebody.",
        ),
        "chart": _sign_in_chart(request.casino, _daily_sign_ins(request)),
        "of_both_sides": rows.filter(is_of_both_sides=True).exists(),
    }
    return list_response(request, "accounts/people.html", context)


def _people_columns(casino: Casino) -> tuple[Column, ...]:
    return (
        Column(
            "Name",
            "name",
            sort="name",
            is_row_heading=True,
            link=lambda person: casino_url("accounts:person", casino, person=person.pk),
        ),
        Column("E-mail", "email", sort="email"),
        Column("Roles here", lambda person: ", ".join(held.get_role_display() for held in person.roles_here)),
        Column("State", person_state_tag),
        Column("Last sign-in", lambda person: person.last_login or "Never", sort="last_login"),
    )


def person_state_tag(person: User) -> Tag:
    """The state that matters most to an administrator. `person` comes from search_people."""
    if getattr(person, "is_of_both_sides", False):
        return Tag("Suspended" if not person.is_active else "Roles of both sides", "danger")
    if not person.is_active:
        return Tag("Disabled", "danger")
    if getattr(person, "is_locked", False):
        return Tag("Locked", "warning")
    if not getattr(person, "works_here", True):
        return Tag("Former", "neutral")
    return Tag("Active", "success") if getattr(person, "has_totp", False) else Tag("No second factor", "warning")


def _daily_sign_ins(request: CasinoRequest) -> list[DailySignIns]:
    return sign_ins_by_day(request.casino, administered_roles(request.user, request.casino), timezone.now())


def _sign_in_chart(casino: Casino, days: list[DailySignIns]) -> Chart:
    sign_ins, failures = sum(day.sign_ins for day in days), sum(day.failures for day in days)
    return Chart(
        src=casino_url("accounts:people-chart", casino),
        alt=f"{sign_ins} sign-ins and {failures} failed attempts in the last 14 days.",
        table=DataTable(
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


@administrators_only
@require_safe
def sign_in_chart_svg(request: CasinoRequest, casino: str) -> HttpResponse:
    days = _daily_sign_ins(request)
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


@administrators_only
@require_safe
def show_person(request: CasinoRequest, casino: str, person: int) -> ListResponse:
    subject = access_person(request.user, request.casino, person)
    now = timezone.now()
    subject.is_locked = locked_emails(now).filter(username=subject.email).exists()  # type: ignore[attr-defined]
    context = {
        "person": subject,
        "state": person_state_tag(subject),
        "is_self": subject == request.user,
        "roles_of_both_sides": RoleAssignment.objects.of_both_sides().filter(user=subject).select_related("casino"),
        "summary": _person_summary(subject, request.casino, now),
        "roles": _current_roles_table(subject, request.casino),
        "history": Timeline(list(_role_history(subject, request.casino)), request.casino, "Roles now and before"),
        "events": _events_table(request, subject),
    }
    return list_response(request, "accounts/person.html", context, lists=("events",))


def _person_summary(subject: User, casino: Casino, now: datetime) -> SummaryList:
    factor = Tag("Set up", "success") if subject.has_second_factor else Tag("Missing", "warning")
    return SummaryList(
        [
            SummaryRow("E-mail address", subject.email),
            SummaryRow("State", person_state_tag(subject)),
            SummaryRow("Second factor", factor),
            *administrator_identity_rows(subject, casino, now),
            SummaryRow("Last sign-in", local(subject.last_login, casino) or "Never"),
            SummaryRow("Account since", local(subject.created_at, casino)),
        ]
    )


def _current_roles_table(subject: User, casino: Casino) -> DataTable:
    def end_role_link(held: RoleAssignment) -> str:
        return casino_url("accounts:end-role", casino, person=subject.pk, role=held.pk)

    return DataTable(
        caption="Roles held here now",
        columns=(
            Column("Role", lambda held: held.get_role_display(), is_row_heading=True),
            Column("Since", "given_at"),
            Column("Action", lambda held: SafeString(f"End{_hidden_role_text(held)}"), link=end_role_link),
        ),
        rows=subject.roles_here,  # type: ignore[attr-defined]
        empty="No role here now.",
        name="roles",
    )


def _hidden_role_text(held: RoleAssignment) -> str:
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


def _events_table(request: CasinoRequest, subject: User) -> DataTable:
    return DataTable(
        caption="What happened to this account, newest first",
        columns=(
            Column("When", "at", is_row_heading=True),
            Column("What", _event_text),
            Column("By", lambda event: event.actor.name if event.actor else ""),
            Column("From", "address"),
        ),
        rows=account_events_of(subject, request.casino),
        page_size=25,
        empty="Nothing yet.",
        name="events",
    )


def _event_text(event: AccountEvent) -> str:
    return f"{event.get_kind_display()}: {event.detail}" if event.detail else event.get_kind_display()
