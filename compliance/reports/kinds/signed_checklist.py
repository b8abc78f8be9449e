"""A checklist as signed off: each clause, its answer and basis, and what the audit said at that time."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import Casino
from compliance.core.corrections.report_section import correction_sections
from compliance.core.corrections.selectors import recorded_indexes
from compliance.core.web.errors import NotFound
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Grid, LabelledValue, ReportColumn, Row, Section
from compliance.inspection.checklists.answer_choices import AnswerBasis, ClauseVerdict
from compliance.inspection.checklists.models import Checklist, ClauseAnswer, Sample
from compliance.inspection.checklists.sampling.estimates import summarize_results
from compliance.inspection.checklists.sampling.text import estimate_text, weight_distribution_text
from compliance.inspection.checklists.selectors import samples_in_checklist_period, signed_checklists, verdicts_before
from compliance.reports.document.assemble import entries_in_sections
from compliance.reports.document.audit_basis import build_basis
from compliance.reports.document.structure import Document, IllustratedDocument
from rounds.rulebook.selectors import pack_of


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    checklist = signed_checklists(casino).filter(entry_index=int(chosen["checklist"])).first()
    if checklist is None:
        raise NotFound
    answers = list(checklist.answers.order_by("entry_index"))
    basis = build_basis(casino, [checklist.version])
    own = {checklist.entry_index, checklist.sign_off.entry_index, *(one.entry_index for one in answers)}
    if checklist.supersedes is not None:
        own.add(checklist.supersedes.entry_index)
    samples = samples_in_checklist_period(checklist)
    own |= {index for sample in samples for index in (sample.entry_index, sample.draw.entry_index)}
    answered = ClauseAnswer.recorded.filter(checklist=checklist)
    corrected = correction_sections(casino, [checklist.sign_off.entry_index, *recorded_indexes(answered)])
    own |= entries_in_sections(corrected)
    document = Document(
        title=str(checklist),
        casino=casino.name,
        log=casino.slug,
        made_at=format_local(now, casino),
        subject=f"{checklist.version}, at {casino.name}",
        sections=(
            _conclusion_section(checklist, casino),
            _counts_section(answers),
            *_samples_sections(checklist, samples),
            _answers_section(checklist, answers),
            *corrected,
        ),
        basis=basis.sections,
        entries=tuple(sorted(own | basis.entries)),
    )
    return IllustratedDocument(document)


def _audited_text(up_to: int | None) -> str:
    if up_to is None:
        return "Nothing yet"
    return f"Every entry below {up_to:,}" if up_to else "Audited before; being audited again from the first entry on"


def _conclusion_section(checklist: Checklist, casino: Casino) -> Section:
    signed = checklist.sign_off
    up_to = signed.audited_up_to
    facts = [
        LabelledValue("Signed by", signed.signed_by_name),
        LabelledValue("Signed", format_local(signed.signed_at, casino)),
        LabelledValue("Sign-off", f"Entry {signed.entry_index:,}, which carries the digest {signed.answers_sha256}"),
        LabelledValue("Time", f"{format_local(checklist.since, casino)} to {format_local(checklist.until, casino)}"),
        LabelledValue("Begun by", f"{checklist.begun_by_name}, {format_local(checklist.begun_at, casino)}"),
        LabelledValue("Audited then", _audited_text(up_to)),
    ]
    if checklist.supersedes is not None:
        facts.append(LabelledValue("Supersedes", str(checklist.supersedes)))
    if checklist.is_superseded:
        facts.append(LabelledValue("Superseded by", str(checklist.successor)))
    return Section(title="Conclusion", texts=tuple(signed.conclusion.splitlines()), facts=tuple(facts))


def _counts_section(answers: list[ClauseAnswer]) -> Section:
    counted = Counter((one.basis, one.verdict) for one in answers)
    rows = tuple(
        Row((basis.label, *(f"{counted[basis, verdict]:,}" for verdict in ClauseVerdict), _count_text(counted, basis)))
        for basis in AnswerBasis
    )
    headings = (
        ReportColumn("What answers rest on", 3),
        *(ReportColumn(verdict.label, 2, True) for verdict in ClauseVerdict),
        ReportColumn("Together", 2, True),
    )
    return Section(title=f"{len(answers):,} clauses", grid=Grid(headings, rows))


def _count_text(counted: Counter[tuple[str, str]], basis: AnswerBasis) -> str:
    return f"{sum(counted[basis, verdict] for verdict in ClauseVerdict):,}"


def _samples_sections(checklist: Checklist, samples: list[Sample]) -> tuple[Section, ...]:
    """Samples drawn from this period before the sign-off, with their results. Empty if there are none."""
    rows = []
    for sample in samples:
        results = summarize_results(sample.draw, verdicts_before(sample, checklist.sign_off.entry_index))
        factors = [f"{one.adds:,} more: {one.sentence}" for one in sample.chosen_factors]
        weighted = ("Weighted: every round 1 ticket.", *factors, f"{weight_distribution_text(sample)}.")
        how = "\n".join(weighted) if factors else "All alike"
        came = f"{results.not_in_order:,} not in order of {results.looked_at:,} looked at"
        rows.append(
            Row(
                (
                    f"{sample.entry_index:,}",
                    sample.purpose,
                    how,
                    f"{results.drawn:,} of {results.population:,}",
                    came,
                    estimate_text(results),
                )
            )
        )
    headings = (
        ReportColumn("Sample", 2),
        ReportColumn("What for", 3),
        ReportColumn("How it was drawn", 6),
        ReportColumn("Rounds", 2),
        ReportColumn("What came of it", 3),
        ReportColumn("For all rounds", 4),
    )
    return (Section(title="Samples of rounds", grid=Grid(headings, tuple(rows))),) if rows else ()


def _answers_section(checklist: Checklist, answers: list[ClauseAnswer]) -> Section:
    clauses = pack_of(checklist.version).clauses
    rows = tuple(
        Row(
            (
                one.clause,
                clauses[one.clause].gist,
                one.get_verdict_display(),
                one.get_basis_display(),
                one.comment,
                one.audit_said,
                one.answered_by_name,
            ),
            one.entry_index,
        )
        for one in answers
    )
    headings = (
        ReportColumn("Clause", 3),
        ReportColumn("What it says", 5),
        ReportColumn("Answer", 2),
        ReportColumn("Rests on", 3),
        ReportColumn("Comment", 5),
        ReportColumn("The audit", 4),
        ReportColumn("By", 2),
    )
    return Section(title="Answers", grid=Grid(headings, rows))
