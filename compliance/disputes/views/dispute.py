"""The page of one dispute: what the rules give, the ladder, next steps, files, PDFs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import qrcode
import qrcode.image.svg
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from compliance.core.accounts.models import User
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.selectors import record_lines, recorded_indexes
from compliance.core.web.errors import NotFound
from compliance.core.web.mail.render import site_base_url
from compliance.core.web.pdf.signer import signed_pdf_response
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import SummaryList, SummaryRow, Tag
from compliance.core.web.ui.confirm_page import bound_data
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.record_notes import RecordNotes, record_notes
from compliance.disputes import entry_kinds
from compliance.disputes.attachments import read_attachment
from compliance.disputes.deadlines import age_text, current_waiting_period
from compliance.disputes.entry_bodies import GROUNDS, PRESENT
from compliance.disputes.models import Dispute, InspectorNote, Step
from compliance.disputes.pdf.dispute_file import dispute_file
from compliance.disputes.pdf.outcome_letter import outcome_letter
from compliance.disputes.permissions import MAY_INSPECT, MAY_READ
from compliance.disputes.selectors import access_attachment, access_dispute, open_requests, own_procedure_of
from compliance.disputes.subject.disputed_entry import subject_at
from compliance.disputes.text import build_timeline
from compliance.disputes.views.common import inspectors_only, readers_only
from compliance.disputes.views.next_steps import next_steps
from compliance.privacy.personal_data.audited_read import read_personal_details
from compliance.privacy.personal_data.forms import ShowDetailsForm
from compliance.privacy.personal_data.models import AccessPurpose
from compliance.privacy.personal_data.subjects import DISPUTE as PATRONS_OF_DISPUTES
from rounds.intake.round_view import RoundView

# An uploaded file must not run scripts, load anything, or be framed.
SAFE_CSP = "default-src 'none'; sandbox"


@readers_only
@require_safe
def dispute(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    now = timezone.now()
    it = access_dispute(request.user, request.casino, number)
    is_government = request.user.has_role(*MAY_INSPECT, casino=request.casino)
    subject = subject_at(request.casino, it.subject_index)
    disputed = {wager.wager for wager in it.wagers.all()}
    notes = record_notes(request, [it.entry_index, *(step.entry_index for step in it.steps.all())])
    read = subject.read if subject else None
    context = {
        "casino": request.casino,
        "dispute": it,
        "facts": _summary(it, now),
        "standing": _state_summary(it, notes, now),
        "notes": notes,
        "round": read,
        "subject_notes": _subject_notes(request, it, read, disputed),
        "reckoned": [each for each in subject.assess_wagers() if each.wager_id in disputed] if subject else [],
        "ladder": it.ladder,
        "rungs": list(_rung_rows(it)),
        "timeline": build_timeline(
            it, is_government=is_government, notes=_inspector_notes(it) if is_government else ()
        ),
        "next_steps": next_steps(request.user, it),
        "requests": open_requests(it),
        "is_government": is_government,
        "may_verify": request.user.has_role(*MAY_READ, casino=request.casino),
        "today": now.astimezone(request.casino.zone).date(),
        "own_procedure": own_procedure_of(request.casino) if it.ladder.is_silent else None,
        "letter": outcome_letter(it) if is_government and _is_determined(it) else None,
        "may_look": _may_view_patron(request.user, it),
        "subject": subject.text if subject else None,
        "files": [(file, file in it.standing_files()) for file in it.attachments.all()],
        "corrections": record_lines(request.user, request.casino, _correctable(it, is_government=is_government)),
    }
    return render(request, "disputes/dispute.html", context)


def _correctable(it: Dispute, *, is_government: bool) -> list[int]:
    """The operator does not learn of inspectors' notes."""
    steps = Step.recorded.filter(dispute=it)
    return recorded_indexes(steps if is_government else steps.exclude(kind=entry_kinds.NOTED))


def _subject_notes(request: CasinoRequest, it: Dispute, read: RoundView | None, wagers: set[str]) -> RecordNotes:
    """What was found about the disputed record: of a round, about the disputed wagers and the round as a whole."""
    notes = record_notes(request, [it.subject_index])
    about = [each for each in notes.findings if not each.wager or not wagers or each.wager in wagers]
    # A finding about a decision on this dispute is shown as one about the dispute.
    own = [each for each in about if each.entry == it.subject_index]
    return RecordNotes.of_findings(own, read.void_label if read else "")


def _is_determined(it: Dispute) -> bool:
    return any(step.kind == entry_kinds.DETERMINED for step in it.steps.all())


def _may_view_patron(user: User, it: Dispute) -> bool:
    is_there = it.personal is not None and it.personal.destroyed_at is None
    return is_there and user.has_role(*PATRONS_OF_DISPUTES.readers, casino=it.casino)


def _summary(it: Dispute, now: datetime) -> SummaryList:
    rows = [
        SummaryRow("About", GROUNDS[it.grounds]),
        SummaryRow("Logged", local(it.logged_at, it.casino)),
        SummaryRow("Logged by", it.logged_by_name),
        SummaryRow("Present", ", ".join(PRESENT.get(who, who) for who in it.present) or "Nobody named"),
        SummaryRow("Rules in force", str(it.version) if it.version else Tag("No approved version", "warning")),
    ]
    if it.table:
        rows.insert(1, SummaryRow("Table", it.table))
    if it.dealer:
        rows.append(SummaryRow("Dealer", it.dealer))
    if it.category:
        rows.append(SummaryRow("Under the rules", it.category))
    return SummaryList(rows)


def _state_summary(it: Dispute, notes: RecordNotes, now: datetime) -> SummaryList:
    wait = current_waiting_period(it.current_state, it.ladder, it.rung)
    rows = [SummaryRow("State", notes.tag(it.tag))]
    if wait is not None:
        overdue = Tag("Overdue", "danger") if it.is_overdue(now) else None
        rows += [
            SummaryRow("Waits for", wait.label),
            SummaryRow("Waiting", age_text(it.waiting_since_at, now)),
            SummaryRow("Due", overdue or local(it.due_at, it.casino)),
        ]
    if it.is_satisfied is not None:
        rows.append(SummaryRow("The patron", "Is satisfied" if it.is_satisfied else "Is not satisfied"))
    if it.ladder.right:
        advised = local(it.advised_at, it.casino) if it.advised_at else Tag("Not yet", "warning")
        rows.append(SummaryRow("Advised of the right", advised))
    return SummaryList(rows)


def _rung_rows(it: Dispute) -> Iterator[tuple[str, str, str, Tag]]:
    """Each rung of the ladder: title, who decides, clause, and state."""
    decided = {step.rung for step in it.steps.all() if step.kind == entry_kinds.DECIDED}
    for place, rung in enumerate(it.ladder.rungs):
        if place in decided:
            tag = Tag("Decided", "info")
        elif place == it.rung and not it.is_closed:
            tag = Tag("Waiting", "warning")
        else:
            tag = Tag("Not asked for", "neutral")
        yield rung.title, rung.who, rung.clause, tag


def _inspector_notes(it: Dispute) -> list[tuple[int, str]]:
    return list(InspectorNote.objects.filter(step__dispute=it).values_list("step_id", "text"))


@readers_only
@require_safe
def attachment(request: CasinoRequest, casino: str, number: int, attachment: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    file = access_attachment(request.user, it, attachment)
    response = HttpResponse(read_attachment(file), content_type=file.media_type)
    ending = {"image/jpeg": "jpg", "image/png": "png", "application/pdf": "pdf"}[file.media_type]
    response["Content-Disposition"] = f'attachment; filename="{it.reference}-{file.pk}.{ending}"'
    response["Content-Security-Policy"] = SAFE_CSP
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    return response


@readers_only
@require_http_methods(["GET", "HEAD", "POST"])
def patron_details(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    """The patron's details, for a stated purpose. The access is recorded."""
    it = access_dispute(request.user, request.casino, number)
    if it.personal is None:
        raise NotFound
    form = ShowDetailsForm(bound_data(request))
    details = None
    if request.method == "POST" and form.is_valid():
        purpose, note = AccessPurpose(form.cleaned_data["purpose"]), form.cleaned_data["note"]
        shown = read_personal_details(
            request.user, request.casino, it.personal.pk, purpose=purpose, note=note, now=timezone.now()
        )
        details = SummaryList([SummaryRow(name.capitalize(), value) for name, value in shown.fields.items()])
    context = {
        "casino": request.casino,
        "record": it.personal,
        "form": form,
        "back": it.get_absolute_url(),
        "details": details,
    }
    return render(request, "personal_data/show.html", context)


@readers_only
@require_safe
def advice_sheet(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    """The page to print and hand over: the right, the law, the contact, and a QR code to the rules."""
    it = access_dispute(request.user, request.casino, number)
    context = {
        "casino": request.casino,
        "dispute": it,
        "right": it.ladder.right,
        "link": _rules_link(it),
    }
    return render(request, "disputes/advice.html", context)


@readers_only
@require_safe
def advice_qr(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    picture = qrcode.make(_rules_link(it), image_factory=qrcode.image.svg.SvgPathFillImage, border=4)
    return HttpResponse(picture.to_string(), content_type="image/svg+xml")


def _rules_link(it: Dispute) -> str:
    """Public page of the rules, with who decides a dispute under them."""
    if it.version is None:
        return f"{site_base_url()}/help/disputes/"
    rules = casino_url("rulebook:rules", it.casino, rules=it.version.rules, number=it.version.number)
    return site_base_url() + rules


@readers_only
@require_safe
def file_pdf(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    """The whole file as PDF; `?patron=1` includes the patron's details, which is a recorded access."""
    now = timezone.now()
    it = access_dispute(request.user, request.casino, number)
    is_government = request.user.has_role(*MAY_INSPECT, casino=request.casino)
    details = None
    if request.GET.get("patron") == "1" and it.personal is not None and it.personal.destroyed_at is None:
        shown = read_personal_details(
            request.user, request.casino, it.personal.pk, purpose=AccessPurpose.INSPECT, note="Dispute file", now=now
        )
        details = shown.fields
    content = dispute_file(it, patron=details, is_government=is_government, made_for=request.user.name, now=now)
    return signed_pdf_response(content, f"{it.reference}-file.pdf", now, is_inline=False)


@inspectors_only
@require_safe
def letter_pdf(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    letter = outcome_letter(it)
    name = f"{it.reference}-letter{'' if letter.matches_entry is None else '-rendered-again'}.pdf"
    if letter.is_issued:
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(letter.content, content_type="application/pdf", headers=headers)
    return signed_pdf_response(letter.content, name, timezone.now(), is_inline=False)
