"""Content of a dispute's file: subject, the round or claim, what the rules give, who decides, every step, files.

The file that is printed from the dispute's page and the report that is kept for ever have the same sections. Only the
first may have the patron's details and inspectors' notes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from compliance.core.corrections.report_section import correction_sections
from compliance.core.corrections.selectors import recorded_indexes
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Grid, LabelledValue, ReportColumn, Row, Section
from compliance.disputes.entry_bodies import GROUNDS, PRESENT
from compliance.disputes.models import Dispute, InspectorNote, Step
from compliance.disputes.subject.assessment import WagerAssessment
from compliance.disputes.subject.disputed_entry import DisputedEntry, subject_at
from compliance.disputes.text import step_detail, step_role_text, step_tag, step_title, visible_steps
from rounds.engine.money import format_cents

WAGER_COLUMNS = (
    ReportColumn("Wager", 3),
    ReportColumn("Whose", 3),
    ReportColumn("On", 5),
    ReportColumn("First stake", 2, True, "body.wagers.*.stake"),
    ReportColumn("Last stake", 2, True),
    ReportColumn("Handed back", 2, True, "body.wagers.*.returned"),
)
STEP_COLUMNS = (
    ReportColumn("When", 4),
    ReportColumn("Step", 4),
    ReportColumn("What was said", 10),
    ReportColumn("By", 4, quotes="by.name"),
    ReportColumn("As", 4),
    ReportColumn("Entry", 2, True),
)


def file_sections(
    dispute: Dispute, *, patron: Mapping[str, Any] | None = None, is_government: bool = False
) -> tuple[Section, ...]:
    """`patron`: details to be included; with None they are left out, and the file says so."""
    subject = subject_at(dispute.casino, dispute.subject_index)
    return (
        _state_section(dispute, patron),
        _disputed_section(dispute, patron),
        _subject_section(subject),
        *_settlement_sections(dispute, subject),
        _ladder_section(dispute),
        _steps_section(dispute, is_government=is_government),
        *correction_sections(dispute.casino, recorded_indexes(Step.recorded.filter(dispute=dispute))),
        _files_section(dispute),
    )


def _labelled(*pairs: tuple[str, object]) -> tuple[LabelledValue, ...]:
    return tuple(LabelledValue(name, str(value or "None")) for name, value in pairs)


def _with_clause(words: str, clause: str) -> str:
    return f"{words} (clause {clause})" if clause else words


def _subject_word(dispute: Dispute) -> str:
    return "A promotion" if dispute.is_promotion else "Another matter"


def _state_section(dispute: Dispute, patron: Mapping[str, Any] | None) -> Section:
    casino, about = dispute.casino, f"entry {dispute.subject_index:,}"
    place = [("Table", dispute.table), ("Round", dispute.round or about.capitalize())]
    row = Row((dispute.reference, dispute.grounds), dispute.entry_index)
    headings = (ReportColumn("Dispute", 1, quotes="dispute"), ReportColumn("Grounds as recorded", 3, quotes="grounds"))
    return Section(
        title="Where it stands",
        facts=_labelled(
            ("State", dispute.current_state.label),
            *(place if dispute.is_round else [("Subject", f"{_subject_word(dispute)}, {about}")]),
            ("Rules in force", dispute.version or "No approved version"),
            ("Logged", f"{format_local(dispute.logged_at, casino)}, {dispute.logged_by_name}"),
            ("Patron's details", "Included" if patron else "Left out" if dispute.personal else "None were taken"),
            ("In the ledger", f"Log {dispute.log}, entry {dispute.entry_index:,}; what it is about is {about}"),
        ),
        grid=Grid(headings, (row,)),
    )


def _disputed_section(dispute: Dispute, patron: Mapping[str, Any] | None) -> Section:
    facts = _labelled(
        ("Grounds", GROUNDS[dispute.grounds]),
        ("The patron says", dispute.statement.text),
        ("Present", ", ".join(PRESENT.get(who, who) for who in dispute.present) or "Nobody named"),
        *([("Under the rules", dispute.category)] if dispute.category else []),
        *((f"Patron's {name}", value) for name, value in (patron or {}).items()),
    )
    return Section(title="1. What is disputed", facts=facts)


def _subject_section(subject: DisputedEntry | None) -> Section:
    if subject and (text := subject.text):
        title = "2. What it is about, as it was recorded"
        return Section(title=title, texts=(text.title,), facts=_labelled(*text.facts))
    title = "2. The round as the table reported it"
    if subject is None or subject.read is None or subject.read.played is None:
        return Section(title=title, texts=("What is stored can no longer be read as a round.",))
    read, called = subject.read, subject.read.played.called
    facts = _labelled(
        ("Result", f"{'-'.join(map(str, read.faces))}, total {sum(read.faces)}" if read.faces else "No result"),
        ("Called", "-".join(map(str, called.faces)) if called else "Not reported"),
        ("Reported", format_local(read.at, read.casino)),
        ("Rules", read.version or "No approved version"),
    )
    rows = tuple(
        Row(
            (
                each.wager.id,
                each.holder,
                each.bet_label,
                format_cents(each.wager.stake),
                format_cents(each.stake_cents),
                format_cents(each.wager.returned),
            ),
            subject.entry.index,
        )
        for each in read.wagers
    )
    return Section(title=title, facts=facts, grid=Grid(WAGER_COLUMNS, rows))


def _settlement_sections(dispute: Dispute, subject: DisputedEntry | None) -> Iterator[Section]:
    title = "3. What the rules give"
    if not dispute.is_round:
        govern = "its own terms govern" if dispute.is_promotion else "the rules in force govern"
        words = f"{_subject_word(dispute)} has no wager to settle: {govern}, and the operator decides."
        yield Section(title=title, texts=(words,))
        return
    disputed = {wager.wager for wager in dispute.wagers.all()}
    assessed = [each for each in subject.assess_wagers() if each.wager_id in disputed] if subject else []
    if not assessed:
        yield Section(title=title, texts=("No wager is in question.",))
    for each in assessed:
        yield _assessment_section(f"{title} for wager {each.wager_id}", each)


def _assessment_section(title: str, each: WagerAssessment) -> Section:
    answer = each.answer
    texts = (_with_clause(each.why, each.clause),) if each.why else ()
    if answer is None and each.due_cents is None:
        return Section(title=title, texts=texts)
    facts = [
        ("On", f"{each.read.bet_label}, {format_cents(each.read.stake_cents)}"),
        ("The table handed back", format_cents(each.found_cents, missing="Not yet")),
        ("The rules give", each.nothing_due or format_cents(each.due_cents, missing="Not yet")),
        ("Compared", each.tag.label),
    ]
    if answer is not None:
        facts += [(f"Step {place}", _with_clause(*step)) for place, step in enumerate(answer.steps, 1)]
        for other in answer.others:
            amount = f"{other.choice}: {format_cents(other.returned_cents, missing='nothing yet')}"
            facts.append((f"Read otherwise: {other.reading}", _with_clause(amount, other.clause)))
        facts.append(("Rule pack", f"{answer.pack_name}, SHA-256 {answer.pack_sha256}"))
    return Section(title=title, texts=texts, facts=_labelled(*facts))


def _ladder_section(dispute: Dispute) -> Section:
    ladder = dispute.ladder
    rows = [Row((rung.title, rung.who, rung.clause or "None")) for rung in ladder.rungs]
    if ladder.right:
        law = f" ({ladder.right.law})" if ladder.right.law else ""
        rows.append(Row(("Advice to the patron", f"of {ladder.right.told_of}{law}", ladder.right.clause)))
    silent = ("The rules say nothing about disputes. The operator's own procedure was followed.",)
    headings = (ReportColumn("Step", 3), ReportColumn("By whom", 5), ReportColumn("Clause", 1))
    return Section(title="4. Who decides", texts=silent if ladder.is_silent else (), grid=Grid(headings, tuple(rows)))


def _steps_section(dispute: Dispute, *, is_government: bool) -> Section:
    notes: dict[int, str] = {}
    if is_government:
        notes = dict(InspectorNote.objects.filter(step__dispute=dispute).values_list("step_id", "text"))
    logged = (format_local(dispute.logged_at, dispute.casino), "Logged", GROUNDS[dispute.grounds])
    rows = [Row((*logged, dispute.logged_by_name, "", f"{dispute.entry_index:,}"), dispute.entry_index)]
    for step in visible_steps(dispute, is_government=is_government):
        tag = step_tag(step)
        cells = (
            format_local(step.at, dispute.casino),
            f"{step_title(step)}. {tag.label}" if tag else step_title(step),
            notes.get(step.pk) or step_detail(step),
            step.by_name,
            step_role_text(step),
            f"{step.entry_index:,}",
        )
        rows.append(Row(cells, step.entry_index))
    return Section(title="5. Every step, in order", grid=Grid(STEP_COLUMNS, tuple(rows)))


def _files_section(dispute: Dispute) -> Section:
    """Files by digest, so that a holder of a file can show that it is the same."""
    rows = tuple(
        Row((str(place), each.media_type, f"{each.size_bytes:,}", each.sha256))
        for place, each in enumerate(dispute.standing_files(), 1)
    )
    headings = (
        ReportColumn("File", 1),
        ReportColumn("Type", 2),
        ReportColumn("Bytes", 2, True),
        ReportColumn("SHA-256", 8),
    )
    return Section(title="6. Files attached to the dispute", grid=Grid(headings, rows, "No file was attached."))
