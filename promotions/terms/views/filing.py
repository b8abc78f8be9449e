"""Filing the terms, asking for an amendment, the page of a version, and the Authority's decision."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.web.components import Column, SummaryList, SummaryRow, Table, Tag, Timeline, TimelineEntry
from compliance.web.errors import Refusal
from compliance.web.signing import pdf_response
from compliance.web.templatetags.kit import local
from promotions.duties import require_duties
from promotions.standing import MAY_DECIDE
from promotions.terms.comparing import Compared, compare
from promotions.terms.completeness import missing, superior_law
from promotions.terms.filing_clock import elapsed_words, latest_moment
from promotions.terms.forms import AskForm, DecideForm, FileForm
from promotions.terms.models import State, TermsVersion
from promotions.terms.printing import filing_pdf
from promotions.terms.selectors import access_draft, access_terms, state_of, version_in_force
from promotions.terms.services import ask_amendment, decide_amendment, file_terms
from promotions.terms.views.common import STATE_TAGS, deciders, duties_for, readers, timeliness, writers
from promotions.terms.wording import sections


@writers
@never_cache
@asks_first
def file(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    now = timezone.now()
    found = access_draft(request.user, request.casino, draft)
    duties = require_duties(request.casino, now).duties
    starts = found.terms.starts_at
    latest = latest_moment(starts, duties.filing) if starts else None
    is_late = latest is not None and now > latest
    form = FileForm(posted(request), is_late=is_late)
    if request.method == "POST" and form.is_valid():
        try:
            version = file_terms(draft=found, actor=request.user, now=now)
        except Refusal as refusal:
            form.add_error(None, refusal.words)
        else:
            messages.success(request, _said(version, is_late=is_late))
            return redirect(version.address("version"))
    context = {
        "casino": request.casino, "draft": found, "form": form, "back": found.address("draft"), "latest": latest,
        "is_late": is_late, "filing": duties.filing, "missing": missing(found.terms, duties), "starts": starts,
        "has_begun": found.terms.has_begun(now), "warning": superior_law(found.terms),
        "sections": sections(found.terms, request.casino), "terms": found.terms,
    }  # fmt: skip
    return render(request, "terms/file.html", context)


def _said(version: TermsVersion, *, is_late: bool) -> str:
    when = "It is late and is recorded as late." if is_late else "It is in time."
    return f"Filed with the Authority, reference {version.reference}, receipt entry {version.entry_index:,}. {when}"


@writers
@never_cache
@asks_first
def ask(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    now = timezone.now()
    found = access_draft(request.user, request.casino, draft)
    standing = version_in_force(found.promotion, now) if found.promotion else None
    if standing is None:
        return redirect(found.address("draft"))
    form = AskForm(posted(request), casino=request.casino)
    if request.method == "POST" and form.is_valid():
        try:
            version = ask_amendment(
                draft=found, reason=form.cleaned_data["reason"], in_use_at=form.cleaned_data["in_use_at"],
                actor=request.user, now=now,
            )  # fmt: skip
        except Refusal as refusal:
            form.add_error(None, refusal.words)
        else:
            messages.success(
                request, f"Asked for, reference {version.reference}. The terms in force hold until it is approved."
            )
            return redirect(version.address("version"))
    context = {
        "casino": request.casino, "draft": found, "form": form, "back": found.address("draft"),
        "diff": _diff_table(standing, compare(standing.terms, found.terms, request.casino)),
    }  # fmt: skip
    return render(request, "terms/ask.html", context)


def _diff_table(standing: TermsVersion, rows: list[Compared]) -> Table:
    return Table(
        caption=f"Version {standing.number} and the new terms, side by side",
        columns=(
            Column("Part", "title", is_row_heading=True),
            Column(f"Version {standing.number}", lambda row: _lines(row.before)),
            Column("New", lambda row: _lines(row.after)),
            Column("Changed", lambda row: Tag("Changed", "warning") if row.is_changed else Tag("Same")),
        ),
        rows=sorted(rows, key=lambda row: not row.is_changed),
        name="diff",
    )


def _lines(lines: tuple[str, ...]) -> str:
    return format_html("{}" * len(lines), *(format_html('<span class="line">{}</span>', line) for line in lines))


@readers
@never_cache
@require_safe
def version(request: CasinoRequest, casino: str, promotion: int, version: int) -> HttpResponse:
    now = timezone.now()
    found = access_terms(request.user, request.casino, promotion, version)
    standing = version_in_force(found.promotion, now)
    state = state_of(found, standing.number if standing else 0)
    before = _before(found)
    context = {
        "casino": request.casino,
        "version": found,
        "state": STATE_TAGS[state],
        "facts": _facts(found, request),
        "sections": sections(found.terms, request.casino),
        "happened": _happened(found, request),
        "before": before,
        "diff": _diff_table(before, compare(before.terms, found.terms, request.casino)) if before else None,
        "may_decide": state is State.WAITING and request.user.holds(*MAY_DECIDE, casino=request.casino),
        "is_public": found.is_effective(),
        "public": request.build_absolute_uri(found.address("public")),
    }  # fmt: skip
    return render(request, "terms/version.html", context)


def _before(version: TermsVersion) -> TermsVersion | None:
    """What it is compared with: the newest that was effective when it reached the Authority."""
    earlier = TermsVersion.objects.with_people().filter(promotion=version.promotion, number__lt=version.number)
    return earlier.effective(version.filed_at).order_by("-number").first()


def _facts(found: TermsVersion, request: CasinoRequest) -> SummaryList:
    rows = [
        SummaryRow("Reference", found.reference),
        SummaryRow("Reached the Authority", local(found.filed_at, request.casino)),
        SummaryRow("Sent by", found.filed_by.name),
        SummaryRow("Receipt", f"Entry {found.entry_index:,} of the ledger"),
        SummaryRow("Start of the promotion", local(found.starts_at, request.casino)),
    ]
    duties = duties_for(found)
    if duties and not found.is_amendment:
        before = found.starts_at - found.filed_at
        ahead = "before" if found.filed_at <= found.starts_at else "after"
        rows += [
            SummaryRow("Latest moment", local(latest_moment(found.starts_at, duties.filing), request.casino)),
            SummaryRow("Received", f"{elapsed_words(before)} {ahead} the start"),
            SummaryRow("Filing", timeliness(found, duties)),
        ]
    if found.reason:
        rows.append(SummaryRow("Why the terms should change", found.reason))
    if found.in_use_at:
        rows.append(SummaryRow("Used without approval since", local(found.in_use_at, request.casino)))
    rows.append(SummaryRow("Digest (SHA-256)", format_html('<code class="digest">{}</code>', found.terms_sha256)))
    return SummaryList(rows)


def _happened(found: TermsVersion, request: CasinoRequest) -> Timeline:
    asked = "An amendment was asked for" if found.is_amendment else "The terms were filed"
    entries = [TimelineEntry(asked, found.filed_at, f"by {found.filed_by.name}", found.reason)]
    decision = found.decided()
    if decision:
        words = "The Authority approved it" if decision.is_approved else "The Authority refused it"
        entries.append(TimelineEntry(words, decision.at, f"by {decision.by.name}", decision.reasons))
    return Timeline(entries, request.casino)


@readers
@require_safe
def pdf(request: CasinoRequest, casino: str, promotion: int, version: int) -> HttpResponse:
    found = access_terms(request.user, request.casino, promotion, version)
    link = request.build_absolute_uri(found.address("public"))
    name = f"{found.reference.replace('/', '-')}.pdf"
    return pdf_response(filing_pdf(found, duties_for(found), link), name, timezone.now())


@deciders
@never_cache
@asks_first
def decide(request: CasinoRequest, casino: str, promotion: int, version: int) -> HttpResponse:
    found = access_terms(request.user, request.casino, promotion, version)
    form = DecideForm(posted(request), request=request)
    act = Act(
        f"Decide about the amendment {found.reference}",
        (
            f"“{found.name}”. The casino's reason: {found.reason}",
            "If you approve, the new terms are in force and public from that moment. If you refuse, the old ones stay.",
            "Your decision and your name are recorded and cannot be taken back.",
        ),
        "Record the decision",
        found.address("version"),
        f"Version {found.number}",
        "The decision is recorded.",
    )
    return act_page(
        request, act, form,
        lambda: decide_amendment(
            version=found, is_approved=form.cleaned_data["decision"] == "approved",
            reasons=form.cleaned_data["reasons"], actor=request.user, now=timezone.now(),
        ),
    )  # fmt: skip
