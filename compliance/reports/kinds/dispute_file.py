"""File of a dispute: its subject, the round, what the rules give, who decides, every step, attached files.

Without the patron's details, which are destroyed after their retention period, and without inspectors' notes.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import format_local
from compliance.disputes.entry_bodies import GROUNDS, PRESENT
from compliance.disputes.models import Dispute, Step
from compliance.disputes.permissions import MAY_READ
from compliance.disputes.subject.assessment import WagerAssessment
from compliance.disputes.subject.disputed_entry import Subject, subject_at
from compliance.disputes.text import step_detail, step_tag, step_title, visible_steps
from compliance.reports.document.assemble import assemble_document
from compliance.reports.document.audit_basis import build_basis
from compliance.reports.document.formatting import format_amount
from compliance.reports.document.structure import Fact, Grid, Heading, IllustratedDocument, Row, Section

__all__ = ["MAY_READ", "build", "dispute_of"]

REFERENCE_PREFIX = "D-"


def dispute_of(casino: Casino, reference: str) -> Dispute | None:
    """Finds a dispute by its reference, such as D-12."""
    number = reference.strip().upper().removeprefix(REFERENCE_PREFIX)
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        return None
    return Dispute.objects.with_file().filter(casino=casino, number=int(number)).first()


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    dispute = dispute_of(casino, chosen["dispute"])
    assert dispute is not None
    subject = subject_at(casino, dispute.subject_index)
    steps = visible_steps(dispute, is_government=False)
    versions = [dispute.version] if dispute.version else []
    return assemble_document(
        casino,
        now,
        title=f"Dispute {dispute.reference}",
        subject=f"{casino.name}: {GROUNDS[dispute.grounds]}",
        sections=(
            _state_section(dispute, casino),
            _grounds_section(dispute),
            *_round_section(subject),
            *_settlement_sections(dispute, subject),
            _ladder_section(dispute),
            _steps_section(dispute, steps, casino),
            _files_section(dispute),
        ),
        basis=build_basis(casino, versions, [dispute.subject_index]),
        entries=[dispute.subject_index],
    )


def _state_section(dispute: Dispute, casino: Casino) -> Section:
    facts = [
        Fact("State", dispute.current_state.label),
        Fact("Table", dispute.table or "None"),
        Fact("Round", dispute.round or f"Entry {dispute.subject_index:,}"),
        Fact("Rules in force", str(dispute.version) if dispute.version else "No approved version"),
        Fact("Logged", f"{format_local(dispute.logged_at, casino)}, {dispute.logged_by_name}"),
        Fact("Patron's details", "Left out: a report is kept for ever" if dispute.personal else "None were taken"),
    ]
    row = Row((dispute.reference, dispute.grounds), dispute.entry_index)
    headings = (Heading("Dispute", 1, quotes="dispute"), Heading("Grounds as recorded", 3, quotes="grounds"))
    return Section(title="Where it stands", facts=tuple(facts), grid=Grid(headings, (row,)))


def _grounds_section(dispute: Dispute) -> Section:
    facts = [
        Fact("Grounds", GROUNDS[dispute.grounds]),
        Fact("The patron says", dispute.statement.text),
        Fact("Present", ", ".join(PRESENT.get(who, who) for who in dispute.present) or "Nobody named"),
    ]
    if dispute.category:
        facts.append(Fact("Under the rules", dispute.category))
    return Section(title="What is disputed", facts=tuple(facts))


def _round_section(subject: Subject | None) -> Iterator[Section]:
    if subject is None or subject.read is None or subject.read.played is None:
        yield Section(title="What it is about", texts=("It is not about a round.",))
        return
    read, played = subject.read, subject.read.played
    faces = f"{'-'.join(map(str, read.faces))}, total {sum(read.faces)}" if read.faces else "No result"
    called = "-".join(map(str, played.called.faces)) if played.called else "Not reported"
    headings = (
        Heading("Wager", 3),
        Heading("Whose", 3),
        Heading("On", 5),
        Heading("Stake", 2, True, "body.wagers.*.stake"),
        Heading("Handed back", 2, True, "body.wagers.*.returned"),
    )
    rows = tuple(
        Row(
            (
                each.wager.id,
                each.holder,
                each.bet_label,
                format_amount(each.wager.stake),
                format_amount(each.wager.returned),
            ),
            subject.entry.index,
        )
        for each in read.wagers
    )
    facts = (Fact("Result", faces), Fact("Called", called), Fact("Reported", format_local(read.at, read.casino)))
    yield Section(title="The round as the table reported it", facts=facts, grid=Grid(headings, rows))


def _settlement_sections(dispute: Dispute, subject: Subject | None) -> Iterator[Section]:
    disputed = {wager.wager for wager in dispute.wagers.all()}
    reckoned = [each for each in subject.assess_wagers() if each.wager_id in disputed] if subject else []
    if not reckoned:
        yield Section(title="What the rules give", texts=("No wager is in question.",))
    for each in reckoned:
        yield _assessment_section(each)


def _assessment_section(each: WagerAssessment) -> Section:
    title = f"What the rules give for wager {each.wager_id}"
    if each.answer is None:
        clause = f" Clause {each.clause}." if each.clause else ""
        return Section(title=title, texts=(f"{each.why_not}{clause}",))
    answer = each.answer
    facts = (
        Fact("On", f"{each.read.bet_label}, {format_amount(each.read.stake_cents)}"),
        Fact("The table handed back", format_amount(each.found_cents) or "Not yet"),
        Fact("The rules give", answer.nothing_due or format_amount(each.due_cents) or "Not yet"),
        Fact("Compared", each.tag.label),
        *(Fact(f"Step {place}", _with_clause(words, clause)) for place, (words, clause) in enumerate(answer.steps, 1)),
        *(
            Fact(
                f"Read otherwise: {other.reading}",
                _with_clause(f"{other.choice}: {format_amount(other.returned_cents) or 'nothing yet'}", other.clause),
            )
            for other in answer.others
        ),
    )
    return Section(title=title, facts=facts)


def _with_clause(words: str, clause: str) -> str:
    return f"{words} (clause {clause})" if clause else words


def _ladder_section(dispute: Dispute) -> Section:
    ladder = dispute.ladder
    rows = [Row((rung.title, rung.who, rung.clause or "None")) for rung in ladder.rungs]
    if ladder.right:
        law = f" ({ladder.right.law})" if ladder.right.law else ""
        rows.append(Row(("Advice to the patron", f"of {ladder.right.told_of}{law}", ladder.right.clause)))
    silent = ("The rules say nothing about disputes. The operator's own procedure was followed.",)
    headings = (Heading("Step", 3), Heading("By whom", 5), Heading("Clause", 1))
    return Section(title="Who decides", texts=silent if ladder.is_silent else (), grid=Grid(headings, tuple(rows)))


def _steps_section(dispute: Dispute, steps: list[Step], casino: Casino) -> Section:
    headings = (
        Heading("When", 4),
        Heading("Step", 4),
        Heading("What was said", 10),
        Heading("By", 4, quotes="by.name"),
        Heading("Entry", 2, True),
    )
    logged = Row(
        (
            format_local(dispute.logged_at, casino),
            "Logged",
            GROUNDS[dispute.grounds],
            dispute.logged_by_name,
            f"{dispute.entry_index:,}",
        ),
        dispute.entry_index,
    )
    rows = tuple(
        Row(
            (format_local(one.at, casino), _step_text(one), step_detail(one), one.by_name, f"{one.entry_index:,}"),
            one.entry_index,
        )
        for one in steps
    )
    return Section(title="Every step, in order", grid=Grid(headings, (logged, *rows)))


def _step_text(step: Step) -> str:
    tag = step_tag(step)
    return f"{step_title(step)}. {tag.label}" if tag else step_title(step)


def _files_section(dispute: Dispute) -> Section:
    """Files by digest, so that a holder of a file can show that it is the same."""
    rows = tuple(
        Row((str(place), each.media_type, f"{each.size_bytes:,}", each.sha256))
        for place, each in enumerate(dispute.attachments.all(), 1)
    )
    headings = (Heading("File", 1), Heading("Type", 2), Heading("Bytes", 2, True), Heading("SHA-256", 8))
    return Section(title="Files attached to the dispute", grid=Grid(headings, rows, "No file was attached."))
