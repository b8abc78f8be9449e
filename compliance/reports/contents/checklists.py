"""A checklist as it was signed off: each clause, its answer, what it rests on, and what the audit said then."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from compliance.accounts.models import Casino
from compliance.checklists.answers import Basis, Verdict
from compliance.checklists.estimating import results_of
from compliance.checklists.models import Checklist, ClauseAnswer, Sample
from compliance.checklists.selectors import samples_during, signed_checklists, verdicts_before
from compliance.checklists.wording import estimate_words, spread_words
from compliance.reports.basis import basis_of
from compliance.reports.document import Document, Drawn, Fact, Grid, Heading, Row, Section
from compliance.web.errors import NotFound
from compliance.web.moments import moment_text
from rounds.rulebook.selectors import pack_of


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> Drawn:
    checklist = signed_checklists(casino).filter(entry_index=int(chosen["checklist"])).first()
    if checklist is None:
        raise NotFound
    answers = list(checklist.answers.order_by("entry_index"))
    basis = basis_of(casino, [checklist.version])
    own = {checklist.entry_index, checklist.sign_off.entry_index, *(one.entry_index for one in answers)}
    if checklist.supersedes is not None:
        own.add(checklist.supersedes.entry_index)
    samples = samples_during(checklist)
    own |= {index for sample in samples for index in (sample.entry_index, sample.draw.entry_index)}
    document = Document(
        title=str(checklist),
        casino=casino.name,
        log=casino.slug,
        made_at=moment_text(now, casino),
        subject=f"{checklist.version.title}, version {checklist.version.number}, at {casino.name}",
        sections=(
            _signed(checklist, casino),
            _counts(answers),
            *_samples(checklist, samples),
            _answers(checklist, answers),
        ),
        basis=basis.sections,
        entries=tuple(sorted(own | basis.entries)),
    )
    return Drawn(document)


def _signed(checklist: Checklist, casino: Casino) -> Section:
    signed = checklist.sign_off
    up_to = signed.audited_up_to
    facts = [
        Fact("Signed by", signed.signed_by_name),
        Fact("Signed", moment_text(signed.signed_at, casino)),
        Fact("Sign-off", f"Entry {signed.entry_index:,}, which carries the digest {signed.answers_sha256}"),
        Fact("Time", f"{moment_text(checklist.since, casino)} to {moment_text(checklist.until, casino)}"),
        Fact("Begun by", f"{checklist.begun_by_name}, {moment_text(checklist.begun_at, casino)}"),
        Fact("Audited then", "Nothing yet" if up_to is None else f"Every entry below {up_to:,}"),
    ]
    if checklist.supersedes is not None:
        facts.append(Fact("Supersedes", str(checklist.supersedes)))
    if checklist.is_superseded:
        facts.append(Fact("Superseded by", str(checklist.successor)))
    return Section(title="Conclusion", texts=tuple(signed.conclusion.splitlines()), facts=tuple(facts))


def _counts(answers: list[ClauseAnswer]) -> Section:
    counted = Counter((one.basis, one.verdict) for one in answers)
    rows = tuple(
        Row((basis.label, *(f"{counted[basis, verdict]:,}" for verdict in Verdict), _total(counted, basis)))
        for basis in Basis
    )
    headings = (
        Heading("What answers rest on", 3), *(Heading(verdict.label, 2, True) for verdict in Verdict),
        Heading("Together", 2, True),
    )  # fmt: skip
    return Section(title=f"{len(answers):,} clauses", grid=Grid(headings, rows))


def _total(counted: Counter[tuple[str, str]], basis: Basis) -> str:
    return f"{sum(counted[basis, verdict] for verdict in Verdict):,}"


def _samples(checklist: Checklist, samples: list[Sample]) -> tuple[Section, ...]:
    """What was drawn of this time until it was signed, and what came of it. Nothing, where nothing was drawn."""
    rows = []
    for sample in samples:
        results = results_of(sample.draw, verdicts_before(sample, checklist.sign_off.entry_index))
        factors = [f"{one.adds:,} more: {one.words}" for one in sample.chosen_factors]
        weighted = ("Weighted: every round 1 ticket.", *factors, f"{spread_words(sample)}.")
        how = "\n".join(weighted) if factors else "All alike"
        came = f"{results.not_in_order:,} not in order of {results.looked_at:,} looked at"
        rows.append(
            Row(
                (
                    f"{sample.entry_index:,}", sample.purpose, how, f"{results.drawn:,} of {results.population:,}",
                    came, estimate_words(results),
                )
            )
        )  # fmt: skip
    headings = (
        Heading("Sample", 2), Heading("What for", 3), Heading("How it was drawn", 6), Heading("Rounds", 2),
        Heading("What came of it", 3), Heading("For all rounds", 4),
    )  # fmt: skip
    return (Section(title="Samples of rounds", grid=Grid(headings, tuple(rows))),) if rows else ()


def _answers(checklist: Checklist, answers: list[ClauseAnswer]) -> Section:
    clauses = pack_of(checklist.version).clauses
    rows = tuple(
        Row(
            (
                one.clause, clauses[one.clause].gist, one.get_verdict_display(), one.get_basis_display(), one.comment,
                one.audit_said, one.answered_by_name,
            ),
            one.entry_index,
        )
        for one in answers
    )  # fmt: skip
    headings = (
        Heading("Clause", 3), Heading("What it says", 5), Heading("Answer", 2), Heading("Rests on", 3),
        Heading("Comment", 5), Heading("The audit", 4), Heading("By", 2),
    )  # fmt: skip
    return Section(title="Answers", grid=Grid(headings, rows))
