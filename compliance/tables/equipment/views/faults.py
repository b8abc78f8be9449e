"""One fault, from its report to the signed return to play."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.accounts.separation import is_other_person
from compliance.core.corrections.selectors import WITHDRAWN, Withdrawal, record_lines
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.cell_values import Lines
from compliance.core.web.ui.components import SummaryList, SummaryRow, Tag, Timeline, TimelineEntry
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.record_notes import record_notes
from compliance.notify.alerts.models import Alert, role_labels
from compliance.notify.alerts.response_time import response_times
from compliance.notify.alerts.states import AlertStepKind
from compliance.tables.equipment.consumer import consume_equipment, fault_label
from compliance.tables.equipment.duties import FaultDuty, fault_duty
from compliance.tables.equipment.models import ManualLine
from compliance.tables.equipment.projections import Fault
from compliance.tables.equipment.selectors import access_fault, withdrawal_of_line
from compliance.tables.equipment.services.floor_records import MAY_REPORT_FAULTS, MAY_RETURN_TO_PLAY, return_to_play
from compliance.tables.equipment.todo_items import record_address
from compliance.tables.equipment.views.common import entries_of_fault, entry_link, readers_only, returners_only
from rounds.floor.selectors import access_table
from rounds.intake.entry_kinds import FAULT_CLEARED
from rounds.ledger import read_entries_at
from rounds.rulebook.labels import humanize_slug


class ReturnToPlayForm(ReauthenticateForm):
    note = forms.CharField(
        label="What you looked at", max_length=300, help_text="Such as: three results entered, all lit as they must be."
    )


@readers_only
@require_safe
def fault(request: CasinoRequest, casino: str, fault: int) -> HttpResponse:
    found = access_fault(request.user, request.casino, fault)
    table = access_table(request.user, request.casino, found.table)
    alert = Alert.objects.filter(log=casino, entry_index=found.alert_index).first() if found.alert_index else None
    holds = request.user.has_role
    notes = record_notes(request, entries_of_fault(found))
    repairs = [] if found.mended_index is None else [found.mended_index]
    repairers = ManualLine.objects.filter(log=casino, entry_index__in=repairs).values_list("by", flat=True)
    is_own_repair = found.state == "mended" and not is_other_person(request.user, *repairers)
    # A row without its entry is reported by the ledger's verification; the page still shows it.
    withdrawal = next(map(withdrawal_of_line, read_entries_at(casino, [found.index])), None)
    duties = [fault_duty(table, at, found.equipment, found.effect) for at in (found.at, timezone.now())]
    context = {
        "casino": request.casino,
        "floor_table": table,
        "fault": found,
        "what": fault_label(found),
        "alert": alert,
        "notes": notes,
        "withdrawal": withdrawal,
        "summary": _summary(request, found, alert, notes.tag(WITHDRAWN if withdrawal else found.tag), *duties),
        "steps": _timeline(request, found, alert, withdrawal),
        "corrections": record_lines(
            request.user,
            request.casino,
            [index for index in (found.index, found.mended_index, found.returned_index) if index is not None],
        ),
        "mend": record_address(request.casino, table, FAULT_CLEARED),
        "may_mend": withdrawal is None and found.mended_at is None and holds(*MAY_REPORT_FAULTS, casino=request.casino),
        "is_own_repair": is_own_repair,
        "may_return": found.state == "mended"
        and holds(*MAY_RETURN_TO_PLAY, casino=request.casino)
        and not is_own_repair,
    }
    return render(request, "equipment/fault.html", context)


def _summary(
    request: CasinoRequest, fault: Fault, alert: Alert | None, state: Tag, duty: FaultDuty, today: FaultDuty
) -> SummaryList:
    place = request.casino
    told: str | Lines = duty.notification_text
    if alert is not None:
        times = response_times(alert, timezone.now())
        said = (f"{each.label.removeprefix('From the fact to the ').capitalize()}: {each.full_text}" for each in times)
        late = [Tag("Late", "danger")] if any(each.is_late for each in times) else []
        told = Lines(f"{alert.addressees}, counted from the fact", *said, *late)
    rows = [
        SummaryRow("State", state),
        SummaryRow("What fails", f"{humanize_slug(fault.equipment)}: {fault.effect.replace('-', ' ')}"),
        SummaryRow("Round", fault.round or "None named"),
        SummaryRow("Play stops", _stop_text(fault, today)),
        SummaryRow("Notified", told),
        SummaryRow("Reported", local(fault.at, place)),
        SummaryRow("Rests on", entry_link(place, fault.index)),
    ]
    return SummaryList(rows)


def _stop_text(fault: Fault, today: FaultDuty) -> str:
    """Whether play stops: by the rules in force at the fault, or while it is not mended by those in force now."""
    if fault.stops_play:
        return f"Until it is mended (rule {fault.clause})"
    if today.stops_play and fault.mended_at is None:
        return f"Until it is mended, by the rules in force now (rule {today.clause})"
    return "Not by the rules"


def _timeline(request: CasinoRequest, fault: Fault, alert: Alert | None, withdrawal: Withdrawal | None) -> Timeline:
    place = request.casino

    def entry(index: int | None) -> str:
        return "" if index is None else entry_url(place, index)

    steps = [TimelineEntry("Reported", fault.at, fault.by, fault.note, href=entry(fault.index))]
    if alert is not None:
        href = casino_url("alerts:alert", place, alert=alert.entry_index)
        must = f"{alert.addressees} must be told"
        steps.append(TimelineEntry(must, alert.raised_at, "", f"By rule {alert.clause}.", alert.tag, href))
        for sent in alert.steps.filter(step=AlertStepKind.SENT):
            who = f"{sent.person_name} ({role_labels(sent.roles)})"
            steps.append(TimelineEntry(f"Told by e-mail: {who}", sent.at, href=href))
        if alert.acknowledged_at:
            by = alert.acknowledged_by_name
            steps.append(TimelineEntry("Acknowledged", alert.acknowledged_at, by, href=href))
    if fault.mended_at:
        steps.append(TimelineEntry("Mended", fault.mended_at, fault.mended_by, href=entry(fault.mended_index)))
    if fault.returned_at:
        returned = entry(fault.returned_index)
        steps.append(TimelineEntry("Returned to play", fault.returned_at, fault.returned_by, href=returned))
    if withdrawal is not None:
        reason = f"Reason: {withdrawal.reason}"
        steps.append(
            TimelineEntry("Withdrawn", withdrawal.at, withdrawal.by_name, reason, WITHDRAWN, entry(withdrawal.index))
        )
    return Timeline(sorted(steps, key=lambda step: step.at), place, "From the fault to the return")


@returners_only
@allow_get_post
def sign_return_to_play(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    form = ReturnToPlayForm(bound_data(request), request=request)
    act = ConfirmPage(
        f"Return {found} to play",
        (
            "You say that you looked at the table and that it works. Your name and the time go into the ledger.",
            "Every fault that stopped it must be mended first.",
        ),
        "Sign and return to play",
        casino_url("equipment:table", request.casino, table=table),
        str(found),
        f"{found} is back in play.",
    )

    def sign() -> None:
        return_to_play(table=found, note=form.cleaned_data["note"], actor=request.user, now=timezone.now())
        consume_equipment(timezone.now, [request.casino.slug])

    # Consume first, so that a repair reported a moment ago counts.
    if request.method == "POST":
        consume_equipment(timezone.now, [request.casino.slug])
    return confirm_page(request, act, form, sign)
