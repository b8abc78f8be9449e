"""The inbox of alerts, one alert with its steps, and acknowledging it with one tap."""

from datetime import datetime

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_POST, require_safe

from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.access import require_roles
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import (
    Column,
    DataTable,
    FilterPanel,
    SummaryList,
    SummaryRow,
    Tag,
    Timeline,
    TimelineEntry,
)
from compliance.core.web.ui.confirm_page import ConfirmPage, confirm_page
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.notify.alerts.errors import NotAddressed
from compliance.notify.alerts.models import Alert, AlertStep, role_labels
from compliance.notify.alerts.response_time import format_duration, response_times
from compliance.notify.alerts.selectors import (
    MAY_READ,
    access_alert,
    alerts_visible_to,
    alerts_waiting_for,
    duties_of,
    search_alerts,
)
from compliance.notify.alerts.services import acknowledge_alert, roles_to_acknowledge
from compliance.notify.alerts.states import AlertStepKind
from compliance.notify.alerts.views.forms import InboxFilter
from rounds.intake.entry_kinds import FAULT
from rounds.ledger import entry_at
from rounds.rulebook.labels import humanize_slug

alert_readers_only = require_roles(*MAY_READ)
# Only for steps that need attention; the titles of the others suffice.
STEP_TAGS: dict[str, Tag] = {
    AlertStepKind.FAILED: Tag("Not delivered", "danger"),
    AlertStepKind.ESCALATED: Tag("Overdue", "warning"),
}
STEP_TITLES: dict[str, str] = {
    AlertStepKind.SENT: "E-mailed to {}",
    AlertStepKind.FAILED: "Could not be delivered to {}",
    AlertStepKind.ESCALATED: "Escalated to {}",
    AlertStepKind.ACKNOWLEDGED: "Acknowledged",
}
MAX_IN_BLOCK = 5


@alert_readers_only
@require_safe
def choose_alerts_casino(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_READ,
        lambda casino: casino_url("alerts:inbox", casino),
        title="Alerts",
        caption="Casinos with alerts",
    )


INBOX = FilteredList(
    "alerts:inbox",
    lambda asked: InboxFilter(asked.parameters, duties=duties_of(asked.casino)),
    lambda asked, chosen: search_alerts(alerts_visible_to(asked.person, asked.casino), **chosen),
)


@alert_readers_only
@require_safe
def list_alerts(request: CasinoRequest, casino: str) -> ListResponse:
    form, rows = INBOX(ListQuery.from_request(request))
    context = {
        "panel": FilterPanel(form, legend="Search and filter"),
        "table": alerts_table(request, rows),
        "waiting": alerts_waiting_for(request.user, request.casino).order_by("raised_at")[:MAX_IN_BLOCK],
    }
    return list_response(request, "alerts/inbox.html", context)


def alerts_table(request: CasinoRequest, rows: QuerySet[Alert]) -> DataTable:
    place, now = request.casino, timezone.now()
    return DataTable(
        caption="Alerts, the newest first",
        columns=(
            Column(
                "Alert",
                "reference",
                is_row_heading=True,
                sort="entry_index",
                link=lambda alert: casino_url("alerts:alert", place, alert=alert.entry_index),
            ),
            Column("What", "statement", display=lambda alert: alert.local_statement),
            Column("Table", "table", sort="table"),
            Column("Told", "addressees"),
            Column("State", "tag"),
            Column("Raised", "raised_at", sort="raised_at"),
            Column("Acknowledged after", lambda alert: response_times(alert, now)[-1].text, is_figure=True),
            Column("In time", lambda alert: _lateness(alert, now)),
        ),
        rows=rows,
        sort="-raised_at",
        empty="No alert fits. Alerts appear here the moment somebody has to be told of something.",
    )


def _lateness(alert: Alert, now: datetime) -> Tag | str:
    """Whether those who had to be told immediately were told, and acknowledged it, in time."""
    return Tag("Late", "danger") if any(each.is_late for each in response_times(alert, now)) else ""


@alert_readers_only
@require_safe
def show_alert(request: CasinoRequest, casino: str, alert: int) -> HttpResponse:
    found = access_alert(request.user, request.casino, alert)
    times = response_times(found, timezone.now())
    context = {
        "casino": request.casino,
        "alert": found,
        "may_acknowledge": found.is_waiting and bool(roles_to_acknowledge(request.user, found)),
        "summary": _alert_summary(found, request.casino),
        "times": SummaryList([SummaryRow(each.label, each.full_text) for each in times]),
        "is_late": any(each.is_late for each in times),
        "steps": _alert_timeline(found, request.casino),
    }
    return render(request, "alerts/alert.html", context)


def _alert_summary(alert: Alert, casino: Casino) -> SummaryList:
    rows = [
        SummaryRow("State", alert.tag),
        SummaryRow("Who must be told", alert.addressees),
        SummaryRow("By clause", alert.clause),
        SummaryRow("About", humanize_slug(alert.duty)),
        SummaryRow("It happened", local(alert.fact_at, casino)),
    ]
    if alert.table:
        rows.insert(
            1, SummaryRow("Table", _link_html(casino_url("desk:table", casino, table=alert.table), alert.table))
        )
    if alert.about_index is not None:
        entry = entry_at(alert.about_log, alert.about_index)
        if entry is not None and entry.kind == FAULT:
            # By URL name: the pages of equipment are in an app above this one.
            fault = casino_url("equipment:fault", casino, fault=alert.about_index)
            rows.append(SummaryRow("Fault", _link_html(fault, "The fault and what was done about it")))
        rows.append(
            SummaryRow("Rests on", _link_html(entry_url(casino, alert.about_index), f"Entry {alert.about_index:,}"))
        )
    return SummaryList(rows)


def _link_html(href: str, words: str) -> str:
    return format_html('<a href="{}">{}</a>', href, words)


def _alert_timeline(alert: Alert, casino: Casino) -> Timeline:
    raised = TimelineEntry(
        "Raised",
        alert.raised_at,
        alert.raised_by_name or "by the service itself",
        "In the inbox of everybody who must be told from this moment on.",
        href=entry_url(casino, alert.entry_index),
    )
    fact = TimelineEntry("It happened", alert.fact_at)
    steps = (_timeline_entry(step, alert, casino) for step in alert.steps.all())
    return Timeline(sorted([fact, raised, *steps], key=lambda entry: entry.at), casino, "What happened")


def _timeline_entry(step: AlertStep, alert: Alert, casino: Casino) -> TimelineEntry:
    roles = role_labels(step.roles)
    after = f"{format_duration(max(0.0, (step.at - alert.fact_at).total_seconds()))} after the fact."
    attempt = f"Attempt {step.attempt}. " if step.attempt and step.step == AlertStepKind.FAILED else ""
    who = f"{step.person_name} ({roles})" if step.person_name else roles
    by = who if step.step == AlertStepKind.ACKNOWLEDGED else ""
    return TimelineEntry(
        STEP_TITLES[step.step].format(who),
        step.at,
        by,
        f"{attempt}{step.detail} {after}".strip(),
        STEP_TAGS.get(step.step),
        entry_url(casino, step.entry_index),
    )


@alert_readers_only
@require_POST
def acknowledge(request: CasinoRequest, casino: str, alert: int) -> HttpResponse:
    """One tap, without reauthentication: the person is signed in with a second factor and is named in the ledger."""
    found = access_alert(request.user, request.casino, alert)
    back = casino_url("alerts:alert", request.casino, alert=alert)
    if found.acknowledged_at is not None:
        messages.info(request, f"{found.acknowledged_by_name} acknowledged it before you.")
        return redirect(back)
    if not roles_to_acknowledge(request.user, found):
        raise NotAddressed
    act = ConfirmPage(
        title=f"Acknowledge {found.reference}",
        consequences=("It is recorded in your name that you know of it.",),
        submit="Acknowledge",
        back=back,
        back_label=found.reference,
        done=f"{found.reference} is acknowledged in your name.",
    )
    return confirm_page(
        request,
        act,
        forms.Form(request.POST),
        lambda: acknowledge_alert(alert=found, actor=request.user, now=timezone.now()),
    )


@alert_readers_only
@require_safe
def table_alerts_block(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    """Block on other pages about a table: open alerts, and the last acknowledged one."""
    of_table = alerts_visible_to(request.user, request.casino).filter(table=table)
    shown = [*of_table.waiting()[:MAX_IN_BLOCK], *of_table.exclude(state="waiting")[:1]]
    mine = set(alerts_waiting_for(request.user, request.casino).filter(table=table).values_list("pk", flat=True))
    context = {"casino": request.casino, "alerts": shown, "mine": mine, "table_slug": table}
    template = "alerts/block.html" if request.htmx else "alerts/block-page.html"
    return render(request, template, context)
