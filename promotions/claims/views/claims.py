"""Pages of claims: list, detail, and each action."""

from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.list_marks import CorrectionMarks, Parts
from compliance.core.corrections.selectors import record_lines, recorded_indexes
from compliance.core.web.errors import NotFound
from compliance.core.web.mail.render import site_base_url
from compliance.core.web.pdf.signer import signed_pdf_response
from compliance.core.web.templatetags.ui import local, money
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
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.record_notes import ListNotes, record_notes
from compliance.privacy.personal_data.audited_read import read_personal_details
from compliance.privacy.personal_data.models import AccessPurpose
from promotions.claims.denials import format_waiting_time, missing_details, waiting_time
from promotions.claims.forms import METHOD_LABELS, ClaimFilter, ClaimForm, DenyForm, MeetForm, PayForm, ReasonsToldForm
from promotions.claims.models import Claim, ClaimDecision, ClaimState, HandoverType, Payment, ReasonsTold
from promotions.claims.pdf import denial_letter
from promotions.claims.selectors import access_claim, search_claims, terms_of
from promotions.claims.services import decide_claim, pay_prize, record_claim, record_reasons_told
from promotions.draws.models import Winner
from promotions.shared.duties import require_duties
from promotions.shared.permissions import MAY_WRITE
from promotions.terms.selectors import access_promotion, prescribed_items_at, version_in_force
from promotions.terms.views.common import readers, writers
from rounds.engine import Promotions
from rounds.engine.money import format_cents

STATE_TAGS = {
    ClaimState.OPEN: Tag("Not decided", "warning"),
    ClaimState.MET: Tag("Met, not paid yet", "info"),
    ClaimState.PAID: Tag("Paid", "success"),
    ClaimState.DENIED: Tag("Denied", "danger"),
}
MAX_WINNERS = 200
PARTS_OF_CLAIMS = (
    Parts(ClaimDecision.recorded.all(), "claim_id"),
    Parts(ReasonsTold.recorded.all(), "decision__claim_id"),
    Parts(Payment.recorded.all(), "claim_id"),
)


CLAIMS = FilteredList("claims:claims", ClaimFilter, lambda asked, chosen: search_claims(asked.casino, **chosen))


@readers
@require_safe
def claims(request: CasinoRequest, casino: str) -> ListResponse:
    form, rows = CLAIMS(ListQuery.from_request(request))
    notes = ListNotes(request, _entries_of)
    marks = CorrectionMarks(request.casino, PARTS_OF_CLAIMS, also_read=notes.read)
    table = DataTable(
        caption=f"Claims at {request.casino}",
        columns=(
            Column("Claim", "reference", sort="number", is_row_heading=True, link=lambda row: row.get_absolute_url()),
            Column("Promotion", "promotion.reference", sort="promotion__number"),
            Column("Prize", "prize", sort="prize"),
            Column("Value", "value_cents", sort="value_cents", is_money=True),
            Column("Claimed", "claimed_at", sort="claimed_at"),
            Column("State", lambda row: notes.tag(row, STATE_TAGS[row.state])),
            marks.column,
        ),
        rows=rows,
        prepare=marks.read,
        sort="-number",
        empty="No claim fits this search." if any(form.valid_values().values()) else "Nothing has been claimed yet.",
    )
    context = {"table": table, "panel": FilterPanel(form, legend="Search and filter")}
    return list_response(request, "claims/claims.html", context)


@writers
@allow_get_post
def add_claim(request: CasinoRequest, casino: str, promotion: int) -> HttpResponse:
    now = timezone.now()
    found = access_promotion(request.user, request.casino, promotion)
    in_force = version_in_force(found, now)
    if in_force is None:
        raise NotFound
    winners = Winner.objects.filter(draw__promotion=found).select_related("draw__promotion")[:MAX_WINNERS]
    form = ClaimForm(bound_data(request), terms=in_force.terms, winners=list(winners), casino=request.casino, now=now)
    act = ConfirmPage(
        f"Record a claim in {in_force.name}",
        ("Nobody is asked for a name here. If a claim over the figure of the rules is denied, it is asked for then.",),
        "Record the claim",
        found.get_absolute_url(),
        found.reference,
        "The claim is recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: record_claim(
            promotion=found,
            prize=form.cleaned_data["prize"],
            value_cents=form.prize_value_cents(),
            claimed_at=form.cleaned_data["claimed_at"],
            details=form.cleaned_data["details"],
            winner=form.chosen_winner(),
            actor=request.user,
            now=now,
        ),
        redirect_to=casino_url("claims:claims", request.casino),
    )


@readers
@require_safe
def claim(request: CasinoRequest, casino: str, claim: int) -> HttpResponse:
    now = timezone.now()
    found = access_claim(request.user, request.casino, claim, is_withdrawn_shown=True)
    duties = require_duties(request.casino, now).duties
    decision = found.get_decision()
    notes = record_notes(request, _entries_of(found))
    context = {
        "casino": request.casino,
        "claim": found,
        "notes": notes,
        "state": notes.tag(STATE_TAGS[found.state]),
        "facts": _summary_list(found, duties, now),
        "happened": _timeline(found, request),
        "is_open": decision is None,
        "is_unpaid": found.state is ClaimState.MET,
        "is_denied": found.state is ClaimState.DENIED,
        "is_told": bool(decision and decision.get_reasons_told()),
        "may_write": request.user.has_role(*MAY_WRITE, casino=request.casino),
        "disputes": _disputes_url(found),
        "right": duties.dispute,
        "corrections": record_lines(request.user, request.casino, _recorded_indexes(found)),
    }
    return render(request, "claims/claim.html", context)


def _entries_of(claim: Claim) -> list[int | None]:
    """The entries of a claim, its decision, the letter about it and its payment."""
    decision, payment = claim.get_decision(), claim.get_payment()
    told = decision.get_reasons_told() if decision else None
    return [claim.entry_index, *(each.entry_index for each in (decision, told, payment) if each)]


def _recorded_indexes(claim: Claim) -> list[int]:
    decisions = ClaimDecision.recorded.filter(claim=claim)
    told = ReasonsTold.recorded.filter(decision__claim=claim)
    return [claim.entry_index, *recorded_indexes(decisions, told, Payment.recorded.filter(claim=claim))]


def _disputes_url(claim: Claim) -> str:
    """Page of the disputes about the claim. By URL name only, because the disputes app is not a dependency."""
    return casino_url("disputes:about", claim.casino, index=claim.entry_index)


def _summary_list(claim: Claim, duties: Promotions, now: datetime) -> SummaryList:
    rows = [
        SummaryRow("Promotion", claim.promotion.reference),
        SummaryRow("Prize", claim.prize),
        SummaryRow("Value", money(claim.value_cents)),
        SummaryRow("Claimed", local(claim.claimed_at, claim.casino)),
        SummaryRow("Details", claim.details),
        SummaryRow("Claimant", _claimant_text(claim, duties)),
        SummaryRow("Ledger", f"Entry {claim.entry_index:,}"),
    ]
    decision = claim.get_decision()
    if decision and not decision.is_met:
        notification = decision.get_reasons_told()
        after = format_waiting_time(waiting_time(decision, now))
        rows += [
            SummaryRow("Why it was denied", decision.reasons),
            SummaryRow(
                "Told",
                f"After {after}, {notification.method.replace('-', ' ')}" if notification else f"Not yet, for {after}",
            ),
        ]
    payment = claim.get_payment()
    if payment:
        rows += _payment_rows(payment)
    return SummaryList(rows)


def _claimant_text(claim: Claim, duties: Promotions) -> str:
    decision, kept = (
        claim.get_decision(),
        f"Kept apart, as personal record {claim.record_id}" if claim.record_id else "",
    )
    missing = missing_details(claim, terms_of(claim), duties.denial)
    if decision and not decision.is_met and missing:
        lack = f"No {' and '.join(missing)}: clause {duties.denial.record_clause} wants them kept"
        return f"{kept}. {lack}" if kept else lack
    return kept or "No name and address are kept"


def _payment_rows(payment: Payment) -> list[SummaryRow]:
    rows = [SummaryRow("Handed over", payment.get_form_display())]
    if payment.chosen:
        rows.append(SummaryRow("The winner chose", _amounts_text(payment.chosen)))
    if payment.paid:
        rows.append(SummaryRow("Paid", _amounts_text(payment.paid)))
    return rows


def _amounts_text(parts: dict[str, int]) -> str:
    return ", ".join(f"{METHOD_LABELS.get(method, method)} {format_cents(cents)}" for method, cents in parts.items())


def _timeline(claim: Claim, request: CasinoRequest) -> Timeline:
    entries = [TimelineEntry("Claimed", claim.claimed_at, f"recorded by {claim.by.name}")]
    decision, payment = claim.get_decision(), claim.get_payment()
    if decision:
        label = "Met" if decision.is_met else "Denied"
        entries.append(TimelineEntry(label, decision.at, f"by {decision.by.name}", decision.reasons))
        if notification := decision.get_reasons_told():
            entries.append(TimelineEntry("The patron was told why", notification.told_at, f"by {notification.method}"))
    if payment:
        entries.append(TimelineEntry(payment.get_form_display(), payment.paid_at, "", payment.statement))
    return Timeline(entries, request.casino)


def _confirm_page(
    claim: Claim, title: str, submit: str, done: str, *consequences: str, is_danger: bool = False
) -> ConfirmPage:
    notes = consequences or ("What you record stays as you record it, under your name.",)
    return ConfirmPage(title, notes, submit, claim.get_absolute_url(), claim.reference, done, is_danger)


@writers
@allow_get_post
def meet_claim(request: CasinoRequest, casino: str, claim: int) -> HttpResponse:
    found = access_claim(request.user, request.casino, claim)
    form = MeetForm(bound_data(request))
    return confirm_page(
        request,
        _confirm_page(found, f"Meet the claim {found.reference}", "Meet the claim", "The claim is met."),
        form,
        lambda: decide_claim(
            claim=found, is_met=True, reasons=form.cleaned_data["reasons"], actor=request.user, now=timezone.now()
        ),
    )


@writers
@allow_get_post
def deny_claim(request: CasinoRequest, casino: str, claim: int) -> HttpResponse:
    now = timezone.now()
    found = access_claim(request.user, request.casino, claim)
    duties = require_duties(request.casino, now).duties
    form = DenyForm(bound_data(request), claim=found, terms=terms_of(found), duties=duties)
    act = _confirm_page(
        found,
        f"Deny the claim {found.reference}",
        "Deny the claim",
        "The claim is denied. Now tell the patron why.",
        "The patron must be told your reasons as soon as practicable. The time until then is measured.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: decide_claim(
            claim=found,
            is_met=False,
            reasons=form.cleaned_data["reasons"],
            person=form.claimant_details(),
            actor=request.user,
            now=now,
        ),
    )


@writers
@allow_get_post
def record_reasons(request: CasinoRequest, casino: str, claim: int) -> HttpResponse:
    now = timezone.now()
    found = access_claim(request.user, request.casino, claim)
    decision = found.get_decision()
    form = ReasonsToldForm(
        bound_data(request),
        duties=require_duties(request.casino, now).duties,
        claimed_at=found.claimed_at,
        decided_at=decision.at if decision else None,
        casino=request.casino,
        now=now,
    )
    return confirm_page(
        request,
        _confirm_page(found, f"Record that the reasons of {found.reference} were told", "Record it", "It is recorded."),
        form,
        lambda: record_reasons_told(
            claim=found,
            method=form.cleaned_data["method"],
            told_at=form.cleaned_data["told_at"],
            actor=request.user,
            now=now,
        ),
    )


@writers
@allow_get_post
def pay_claim(request: CasinoRequest, casino: str, claim: int) -> HttpResponse:
    now = timezone.now()
    found = access_claim(request.user, request.casino, claim)
    prize = terms_of(found).prize_named(found.prize)
    form = PayForm(
        bound_data(request),
        prize=prize,
        value_cents=prize.value_cents if prize else found.value_cents,
        duties=require_duties(request.casino, now).duties,
        prescribed=prescribed_items_at(request.casino, now),
        casino=request.casino,
        now=now,
    )
    return confirm_page(
        request,
        _confirm_page(found, f"Record how {found.reference} was handed over or paid", "Record it", "It is recorded."),
        form,
        lambda: pay_prize(
            claim=found,
            form=HandoverType(form.cleaned_data["form"]),
            paid_at=form.cleaned_data["paid_at"],
            chosen=form.amounts("chosen"),
            paid=form.amounts("paid"),
            statement=form.cleaned_data["statement"],
            includes=form.cleaned_data.get("includes", ()),
            liquor_ml=form.cleaned_data.get("liquor_ml") or 0,
            actor=request.user,
            now=now,
        ),
    )


@writers
@allow_get_post
def denial_letter_pdf(request: CasinoRequest, casino: str, claim: int) -> HttpResponse:
    """Letter to the claimant. It contains name and address, so creating it is a recorded access and needs a POST."""
    now = timezone.now()
    found = access_claim(request.user, request.casino, claim)
    decision = found.get_decision()
    if decision is None or decision.is_met:
        raise NotFound
    if request.method != "POST":
        return render(request, "claims/letter.html", {"casino": request.casino, "claim": found})
    person = {}
    if found.record_id:
        person = read_personal_details(
            request.user, request.casino, found.record_id, purpose=AccessPurpose.CONTACT, now=now
        ).fields
    dispute = require_duties(request.casino, now).duties.dispute
    link = site_base_url() + found.promotion.address("public-now")
    return signed_pdf_response(
        denial_letter(found, decision, person, dispute, link, now), f"{found.reference}-letter.pdf", now
    )
