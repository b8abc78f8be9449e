"""One finding for its reviewer: the amounts, the round, the proof, and the decisions so far."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.audit.models import Finding
from compliance.audit.pages.views import finding_context
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.accounts.separation import is_other_person
from compliance.core.corrections.selectors import record_lines
from compliance.core.web.errors import NotFound
from compliance.core.web.local_time import format_local
from compliance.core.web.templatetags.ui import dice, local
from compliance.core.web.ui.cell_values import Lines
from compliance.core.web.ui.charts import svg_response
from compliance.core.web.ui.components import (
    Chart,
    Column,
    DataTable,
    SummaryList,
    SummaryRow,
    Tag,
    Timeline,
    TimelineEntry,
)
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.disputes.selectors import disputes_about
from compliance.inspection.reviews.finding_round import (
    FindingRound,
    FindingWager,
    draw_timeline,
    event_label,
    round_of_finding,
)
from compliance.inspection.reviews.models import Comment, Decision, Review
from compliance.inspection.reviews.outcomes import DECISION_OPTIONS
from compliance.inspection.reviews.recheck import can_be_rechecked, recheck_under_readings
from compliance.inspection.reviews.recheck import recheck_finding as recompute
from compliance.inspection.reviews.selectors import (
    access_review,
    act_indexes,
    comments_on,
    decisions_on,
    findings_of_same_shift,
    findings_on_same_entry,
    reviews_of_same_dealer,
)
from compliance.inspection.reviews.states import ReviewState
from compliance.inspection.reviews.views.common import (
    answer_tag,
    comment_entries,
    due_tag,
    finding_address,
    question_text,
    reviewers_only,
    sentence_column,
)
from rounds.engine.money import format_cents
from rounds.ledger import proofs
from rounds.rulebook.labels import humanize_slug, void_reason_label

# Rows of related records on one page.
RELATED_PAGE_SIZE = 10


@reviewers_only
@require_safe
def finding(request: CasinoRequest, casino: str, finding: int) -> ListResponse:
    review = access_review(request.user, request.casino, finding)
    found, now = review.finding, timezone.now()
    finding_round, others = round_of_finding(found), findings_on_same_entry(found)
    decisions = decisions_on(found)
    context = finding_context(request, found) | {
        "review": review,
        "service": due_tag(review, now),
        "answer": answer_tag(review, now),
        "is_mine": review.is_claimed_by(request.user, now),
        "is_anothers": review.is_claimed_by_another(request.user, now),
        "is_lapsed": review.state == ReviewState.LAPSED,
        "ways": [(way, _decide_url(review, way.outcome.value)) for way in DECISION_OPTIONS],
        "difference": difference_text(found),
        "decisions": _review_timeline(decisions, comments_on(found), request.casino),
        "corrections": record_lines(request.user, request.casino, act_indexes(found)),
        "may_second": _may_confirm(review, decisions, request),
        "behind": finding_round,
        "result": SummaryList(list(_round_summary_rows(finding_round, found, request.casino)))
        if finding_round
        else None,
        "wagers": _wagers_table(finding_round, [found, *others]) if finding_round else None,
        "chart": _timeline_chart(finding_round, review) if finding_round else None,
        "others": _same_record_table(others),
        **_related_context(request, review),
        "proof": SummaryList(list(_proof_rows(found))),
        "can_be_reperformed": can_be_rechecked(found),
    }
    return list_response(
        request, "reviews/finding.html", context, lists=("cases", "wagers", "disputes", "of_shift", "of_dealer")
    )


def _decide_url(review: Review, outcome: str) -> str:
    return casino_url("reviews:decide", review.casino, finding=review.finding.entry_index, outcome=outcome)


def difference_text(found: Finding) -> str:
    """The difference in words; empty if it is not about money."""
    if found.required_cents is None or found.found_cents is None:
        return ""
    difference = found.found_cents - found.required_cents
    if difference == 0:
        return "The amount handed back is the amount that was due."
    who = "player was handed back" if difference > 0 else "player is short of"
    return f"The {who} {format_cents(abs(difference))}{' more than was due.' if difference > 0 else '.'}"


def _may_confirm(review: Review, decisions: list[Decision], request: CasinoRequest) -> bool:
    deciders = [one.decided_by_id for one in decisions]
    return review.state == ReviewState.SECONDING and is_other_person(request.user, *deciders)


def _review_timeline(decisions: list[Decision], comments: list[Comment], casino: Casino) -> Timeline:
    entries = [*_decision_entries(decisions, casino), *comment_entries(comments)]
    return Timeline(sorted(entries, key=lambda entry: entry.at), casino, "Decisions")


def _decision_entries(decisions: list[Decision], casino: Casino) -> Iterator[TimelineEntry]:
    """All acts on the finding, with notes: this page is for reviewers only."""
    for one in decisions:
        asked = question_text(one, casino)
        until = f" Until {format_local(one.accepted_until, casino)}." if one.accepted_until else ""
        together = " Decided together with others." if one.together else ""
        detail = f"{one.reason_label}.{asked}{until}{together} Note: {one.note}"
        yield TimelineEntry("Decided", one.decided_at, one.decided_by_name, detail, one.tag)
        if (answer := one.get_answer()) is not None:
            yield TimelineEntry("Operator answered", answer.answered_at, answer.answered_by_name, answer.text)
        if (second := one.get_confirmation()) is not None:
            tag = Tag("Agreed", "success") if second.agrees else Tag("Not agreed", "danger")
            yield TimelineEntry("Second reviewer", second.confirmed_at, second.confirmed_by_name, second.note, tag)
        if hasattr(one, "reopening"):
            yield TimelineEntry("Opened again: the accepted time was over", one.reopening.reopened_at)


def _round_summary_rows(finding_round: FindingRound, finding: Finding, casino: Casino) -> Iterator[SummaryRow]:
    played = finding_round.played
    href = casino_url("desk:round", finding.log, index=finding_round.entry.index)
    yield SummaryRow("Round", played.round, href, "Open")
    if finding_round.faces:
        faces = dice(finding_round.faces) if played.dice else "-".join(map(str, finding_round.faces))
        yield SummaryRow("Dice" if played.dice else "Cards", faces)
        yield SummaryRow("Total", sum(finding_round.faces))
    if played.no_result:
        yield SummaryRow("No result", void_reason_label(played.no_result.reason))
    if played.called:
        yield SummaryRow("Called", "-".join(map(str, played.called.faces)))
    yield SummaryRow("Gaming day", f"{played.gaming_day.day} {played.gaming_day:%b %Y}")
    yield SummaryRow("Began", local(finding_round.began_at, casino))
    if finding_round.dealer:
        yield SummaryRow("Dealer position", humanize_slug(finding_round.dealer))
    if finding.version is not None:
        approver = finding.version.approved_by
        yield SummaryRow("Rules approved by", f"{approver}" if approver else "Nobody")
        yield SummaryRow("Approved", local(finding.version.approved_at, casino))


def _wagers_table(finding_round: FindingRound, findings: list[Finding]) -> DataTable:
    def audit_tag(row: FindingWager) -> Any:
        return Tag(row.found.code, "danger") if row.found else row.assessment.tag

    return DataTable(
        caption="Every wager of the round",
        columns=(
            Column("Wager", "assessment.wager_id", is_row_heading=True),
            Column("Whose", "holder"),
            Column("Box", lambda row: Lines(*finding_round.box_lines(row))),
            Column("Stake", "view.stake_cents", is_money=True),
            Column("Handed back", "assessment.found_cents", is_money=True),
            Column("Due", "assessment.due_cents", is_money=True),
            Column("Audit", audit_tag),
        ),
        rows=finding_round.wagers(findings),
        name="wagers",
        empty="Nobody had wagered.",
    )


def _timeline_chart(finding_round: FindingRound, review: Review) -> Chart:
    events, played = finding_round.events, finding_round.played
    return Chart(
        src=casino_url("reviews:timeline", review.casino, finding=review.finding.entry_index),
        alt=f"{len(events)} events and {len(played.wagers)} wagers of round {played.round}, to scale.",
        table=DataTable(
            caption="What happened when",
            columns=(
                Column("Event", event_label, is_row_heading=True),
                Column(
                    "After the beginning", lambda event: finding_round.seconds_since_start(event.at), is_figure=True
                ),
                Column("When", "at"),
            ),
            rows=events,
            name="events",
            place=review.casino,
        ),
    )


def _same_record_table(others: list[Finding]) -> DataTable:
    def finding_link(one: Finding) -> str:
        return finding_address(one.review) if hasattr(one, "review") else one.get_absolute_url()

    return DataTable(
        caption="Other findings about the same record",
        columns=(
            Column("Code", "code", is_row_heading=True, link=finding_link),
            Column("What was found", "sentence"),
            Column("State", lambda one: one.review.tag if hasattr(one, "review") else ""),
        ),
        rows=others,
        name="others",
        is_caption_hidden=True,
        empty="None.",
    )


def _related_context(request: CasinoRequest, review: Review) -> dict[str, Any]:
    """Disputes about the entry, and other findings of its shift and dealer position."""
    finding = review.finding
    shift = findings_of_same_shift(finding)
    return {
        "disputes": _disputes_table(request, finding),
        "shift": shift[0] if shift else "",
        "of_shift": _shift_findings_table(shift[1], "shift") if shift else None,
        "dealer": humanize_slug(review.dealer) if review.dealer else "",
        "of_dealer": _dealer_findings_table(review),
    }


def _disputes_table(request: CasinoRequest, finding: Finding) -> DataTable:
    return DataTable(
        caption="Disputes about the same record",
        columns=(
            Column("Dispute", "reference", is_row_heading=True, link=lambda row: row.get_absolute_url()),
            Column("State", "tag"),
            Column("Logged", "logged_at"),
        ),
        rows=disputes_about(request.user, request.casino, finding.subject_index),
        name="disputes",
        page_size=RELATED_PAGE_SIZE,
        is_caption_hidden=True,
        empty="None.",
    )


def _shift_findings_table(findings: Any, name: str) -> DataTable:
    return DataTable(
        caption="Other findings of this shift",
        columns=(
            Column("Code", "code", is_row_heading=True, link=lambda row: _review_url(row.casino, row.entry_index)),
            Column("What was found", "sentence"),
            Column("Table", "table"),
            Column("When", "at"),
        ),
        rows=findings,
        name=name,
        page_size=RELATED_PAGE_SIZE,
        is_caption_hidden=True,
        empty="None.",
    )


def _dealer_findings_table(review: Review) -> DataTable:
    return DataTable(
        caption="Other findings of this dealer position",
        columns=(
            Column("Code", "code", is_row_heading=True, link=finding_address),
            sentence_column(review.casino),
            Column("State", "tag"),
            Column("When", "finding.at"),
        ),
        rows=reviews_of_same_dealer(review).order_by("-opened_at"),
        name="dealer",
        page_size=RELATED_PAGE_SIZE,
        is_caption_hidden=True,
        empty="None.",
    )


def _review_url(casino: Casino, index: int) -> str:
    return casino_url("reviews:finding", casino, finding=index)


def _proof_rows(finding: Finding) -> Iterator[SummaryRow]:
    signed = proofs.newest_checkpoint(finding.log)
    yield SummaryRow("Entry", f"{finding.subject_index:,}")
    if signed is None or finding.subject_index >= signed.head.size:
        yield SummaryRow("Checkpoint", "None covers it yet. One is signed every minute.")
    else:
        yield SummaryRow("Checkpoint", f"Of {signed.head.size:,} entries")
        yield SummaryRow("Its root", SafeString(f'<code class="copyable">{signed.head.root.hex()}</code>'))


@reviewers_only
@require_safe
def timeline_image(request: CasinoRequest, casino: str, finding: int) -> HttpResponse:
    review = access_review(request.user, request.casino, finding)
    finding_round = round_of_finding(review.finding)
    if finding_round is None:
        raise NotFound
    return svg_response(draw_timeline(finding_round, review.finding.wager))


@reviewers_only
@require_safe
def recheck(request: CasinoRequest, casino: str, finding: int) -> HttpResponse:
    """Evaluates again from the stored entries, also under every other reading. Writes nothing."""
    review = access_review(request.user, request.casino, finding)
    found = review.finding
    if not can_be_rechecked(found):
        raise NotFound
    done = recompute(found)
    readings = DataTable(
        caption="The same wager, if a clause were read another way",
        columns=(
            Column("Clause", "clause", is_row_heading=True),
            Column("Reading", lambda row: humanize_slug(row.choice)),
            Column("Adopted", lambda row: Tag("Adopted", "info") if row.is_adopted else ""),
            Column("Due", lambda row: row.draft.required_cents if row.draft else "As handed back", is_money=True),
            Column("Finding", lambda row: Tag(row.draft.code, "danger") if row.draft else Tag("Nothing", "success")),
        ),
        rows=list(recheck_under_readings(found)),
        name="readings",
        page_size=200,
        is_caption_hidden=True,
        empty="This rule version knows no other reading that concerns a single wager.",
    )
    context = {"casino": request.casino, "review": review, "finding": found, "done": done, "readings": readings}
    return render(request, "reviews/recheck.html", context | {"at": timezone.now()})
