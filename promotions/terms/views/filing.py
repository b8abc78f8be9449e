"""Pages for filing, requesting an amendment, one version, and the Authority's decision."""

from typing import Literal

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.selectors import record_lines, recorded_indexes
from compliance.core.web.errors import Refusal
from compliance.core.web.mail.render import site_base_url
from compliance.core.web.pdf.signer import signed_pdf_response
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow, Tag, Timeline, TimelineEntry
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.precheck import carry_out
from compliance.core.web.ui.record_notes import record_notes
from promotions.shared.duties import require_duties
from promotions.shared.permissions import MAY_DECIDE
from promotions.terms.content.completeness import cash_prize_warning, find_missing, unanswered_questions
from promotions.terms.content.diff import MarkedLine, SectionDiff, compare_terms
from promotions.terms.content.filing_deadline import format_elapsed, latest_filing_time
from promotions.terms.content.text import build_sections
from promotions.terms.forms.actions import AmendmentForm, DecideForm, FileForm
from promotions.terms.models import AmendmentDecision, TermsVersion, VersionState
from promotions.terms.pdf import filing_pdf
from promotions.terms.selectors import (
    access_draft,
    access_terms,
    is_independent,
    prescribed_items_at,
    state_of,
    version_in_force,
)
from promotions.terms.services import decide_amendment, file_terms, request_amendment
from promotions.terms.views.common import STATE_TAGS, deciders, duties_for, filing_tag, readers, writers


@writers
@allow_get_post
def file_draft(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    now = timezone.now()
    found = access_draft(request.user, request.casino, draft)
    duties = require_duties(request.casino, now).duties
    starts = found.terms.starts_at
    latest = latest_filing_time(starts, duties.filing) if starts else None
    is_late = latest is not None and now > latest
    prescribed = prescribed_items_at(request.casino, now)
    missing = [*find_missing(found.terms, duties), *unanswered_questions(found.terms, duties, prescribed)]
    form = FileForm(bound_data(request), is_late=is_late)
    if request.method == "POST" and form.is_valid():
        try:
            version = carry_out(request, form, lambda: file_terms(draft=found, actor=request.user, now=now))
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            messages.success(request, _success_message(version, is_late=is_late))
            return redirect(version.address("version"))
    context = {
        "casino": request.casino, "draft": found, "form": form, "back": found.address("draft"), "latest": latest,
        "is_late": is_late, "filing": duties.filing, "missing": missing, "starts": starts,
        "has_begun": found.terms.has_begun(now), "warning": cash_prize_warning(found.terms),
        "sections": build_sections(found.terms, request.casino), "terms": found.terms,
    }  # fmt: skip
    return render(request, "terms/file.html", context)


def _success_message(version: TermsVersion, *, is_late: bool) -> str:
    when = "It is late and is recorded as late." if is_late else "It is in time."
    return f"Filed with the Authority, reference {version.reference}, receipt entry {version.entry_index:,}. {when}"


@writers
@allow_get_post
def new_amendment(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    now = timezone.now()
    found = access_draft(request.user, request.casino, draft)
    in_force = version_in_force(found.promotion, now) if found.promotion else None
    if in_force is None:
        return redirect(found.address("draft"))
    form = AmendmentForm(bound_data(request), casino=request.casino)
    if request.method == "POST" and form.is_valid():
        try:
            version = carry_out(
                request,
                form,
                lambda: request_amendment(
                    draft=found,
                    reason=form.cleaned_data["reason"],
                    in_use_at=form.cleaned_data["in_use_at"],
                    actor=request.user,
                    now=now,
                ),
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            messages.success(
                request, f"Asked for, reference {version.reference}. The terms in force hold until it is approved."
            )
            return redirect(version.address("version"))
    context = {
        "casino": request.casino,
        "draft": found,
        "form": form,
        "back": found.address("draft"),
        "diff": _diff_table(in_force, compare_terms(in_force.terms, found.terms, request.casino)),
    }
    return render(request, "terms/ask.html", context)


def _diff_table(in_force: TermsVersion, rows: list[SectionDiff]) -> DataTable:
    return DataTable(
        caption=f"Version {in_force.number} and the new terms, side by side",
        columns=(
            Column("Part", "title", is_row_heading=True),
            Column(f"Version {in_force.number}", lambda row: _render_lines(row.marked_lines()[0], "del")),
            Column("New", lambda row: _render_lines(row.marked_lines()[1], "ins")),
            Column("Changed", lambda row: Tag("Changed", "warning") if row.is_changed else Tag("Same")),
        ),
        rows=sorted(rows, key=lambda row: not row.is_changed),
        name="diff",
        page_size=len(rows) or 1,
    )


def _render_lines(lines: list[MarkedLine], tag: Literal["del", "ins"]) -> SafeString:
    """Changed words are in <del> or <ins>, which assistive technology announces."""
    marked = format_html("<{}>{{}}</{}>", tag, tag)

    def render_line(line: MarkedLine) -> SafeString:
        pieces = (format_html(marked if piece.is_changed else "{}", piece.text) for piece in line)
        return format_html_join("", "{}", ((piece,) for piece in pieces))

    return format_html_join("", '<span class="line">{}</span>', ((render_line(line),) for line in lines))


@readers
@require_safe
def version(request: CasinoRequest, casino: str, promotion: int, version: int) -> HttpResponse:
    now = timezone.now()
    found = access_terms(request.user, request.casino, promotion, version)
    in_force = version_in_force(found.promotion, now)
    state = state_of(found, in_force.number if in_force else 0)
    before = _previous_version(found)
    notes = record_notes(
        request, [found.entry_index, decision.entry_index if (decision := found.get_decision()) else None]
    )
    records = [found.entry_index, *recorded_indexes(AmendmentDecision.recorded.filter(version=found))]
    context = {
        "casino": request.casino,
        "version": found,
        "notes": notes,
        "state": notes.tag(STATE_TAGS[state]),
        "facts": _summary_list(found, request),
        "sections": build_sections(found.terms, request.casino),
        "happened": _timeline(found, request),
        "before": before,
        "diff": _diff_table(before, compare_terms(before.terms, found.terms, request.casino)) if before else None,
        "may_decide": state is VersionState.WAITING
        and request.user.has_role(*MAY_DECIDE, casino=request.casino)
        and is_independent(request.user, found),
        "is_public": found.is_effective() and not found.is_withdrawn,
        "corrections": record_lines(request.user, request.casino, records),
        "public": found.address("public"),
    }
    return render(request, "terms/version.html", context)


def _previous_version(version: TermsVersion) -> TermsVersion | None:
    """The version to compare with: the newest that was effective when this one was filed."""
    earlier = TermsVersion.objects.with_related().filter(promotion=version.promotion, number__lt=version.number)
    return earlier.effective(version.filed_at).order_by("-number").first()


def _summary_list(version: TermsVersion, request: CasinoRequest) -> SummaryList:
    rows = [
        SummaryRow("Reference", version.reference),
        SummaryRow("Reached the Authority", local(version.filed_at, request.casino)),
        SummaryRow("Sent by", version.filed_by.name),
        SummaryRow("Receipt", f"Entry {version.entry_index:,} of the ledger"),
        SummaryRow("Start of the promotion", local(version.starts_at, request.casino)),
    ]
    duties = duties_for(version)
    if duties and not version.is_amendment:
        before = version.starts_at - version.filed_at
        ahead = "before" if version.filed_at <= version.starts_at else "after"
        rows += [
            SummaryRow("Latest moment", local(latest_filing_time(version.starts_at, duties.filing), request.casino)),
            SummaryRow("Received", f"{format_elapsed(before)} {ahead} the start"),
            SummaryRow("Filing", filing_tag(version, duties)),
        ]
    if version.reason:
        rows.append(SummaryRow("Why the terms should change", version.reason))
    if version.in_use_at:
        rows.append(SummaryRow("Used without approval since", local(version.in_use_at, request.casino)))
    rows.append(SummaryRow("Digest (SHA-256)", format_html('<code class="digest">{}</code>', version.terms_sha256)))
    return SummaryList(rows)


def _timeline(version: TermsVersion, request: CasinoRequest) -> Timeline:
    label = "An amendment was asked for" if version.is_amendment else "The terms were filed"
    entries = [TimelineEntry(label, version.filed_at, f"by {version.filed_by.name}", version.reason)]
    decision = version.get_decision()
    if decision:
        outcome = "The Authority approved it" if decision.is_approved else "The Authority refused it"
        entries.append(TimelineEntry(outcome, decision.at, f"by {decision.by.name}", decision.reasons))
    return Timeline(entries, request.casino)


@readers
@require_safe
def version_pdf(request: CasinoRequest, casino: str, promotion: int, version: int) -> HttpResponse:
    found = access_terms(request.user, request.casino, promotion, version)
    link = site_base_url() + found.address("public")
    name = f"{found.reference.replace('/', '-')}.pdf"
    now = timezone.now()
    return signed_pdf_response(filing_pdf(found, duties_for(found), link, now), name, now)


@deciders
@allow_get_post
def amendment_decision(request: CasinoRequest, casino: str, promotion: int, version: int) -> HttpResponse:
    found = access_terms(request.user, request.casino, promotion, version)
    before = _previous_version(found)
    form = DecideForm(bound_data(request), request=request)
    act = ConfirmPage(
        f"Decide about the amendment {found.reference}",
        (
            f"“{found.name}”. The casino's reason: {found.reason}",
            "If you approve, the new terms are in force and public from that moment. If you refuse, the old ones stay.",
            "Your decision and your name are recorded. To correct it, withdraw it with a reason and decide anew.",
        ),
        "Record the decision",
        found.address("version"),
        f"Version {found.number}",
        "The decision is recorded.",
        table=_diff_table(before, compare_terms(before.terms, found.terms, request.casino)) if before else None,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: decide_amendment(
            version=found,
            is_approved=form.cleaned_data["decision"] == "approved",
            reasons=form.cleaned_data["reasons"],
            actor=request.user,
            now=timezone.now(),
        ),
    )
