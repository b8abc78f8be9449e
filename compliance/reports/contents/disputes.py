"""The file of a dispute: what is disputed, the round, what the rules give, who decides, every step, files.

Without the patron's details, which are destroyed in their time, and without inspectors' notes.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from compliance.accounts.models import Casino
from compliance.disputes.models import Dispute, Step
from compliance.disputes.reckoning import Reckoned
from compliance.disputes.said import GROUNDS, PRESENT
from compliance.disputes.standing import MAY_READ
from compliance.disputes.subjects import Subject, subject_at
from compliance.disputes.telling import detail_of, tag_of_step, title_of, visible_steps
from compliance.reports.assembling import assemble
from compliance.reports.basis import basis_of
from compliance.reports.document import Drawn, Fact, Grid, Heading, Row, Section
from compliance.reports.wording import amount
from compliance.web.moments import moment_text

__all__ = ["MAY_READ", "build", "dispute_of"]

PREFIX = "D-"


def dispute_of(casino: Casino, reference: str) -> Dispute | None:
    """By its reference, such as D-12."""
    number = reference.strip().upper().removeprefix(PREFIX)
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        return None
    return Dispute.objects.with_file().filter(casino=casino, number=int(number)).first()


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> Drawn:
    dispute = dispute_of(casino, chosen["dispute"])
    assert dispute is not None
    subject = subject_at(casino, dispute.subject_index)
    steps = visible_steps(dispute, is_government=False)
    versions = [dispute.version] if dispute.version else []
    return assemble(
        casino, now,
        title=f"Dispute {dispute.reference}",
        subject=f"{casino.name}: {GROUNDS[dispute.grounds]}",
        sections=(
            _standing(dispute, casino),
            _disputed(dispute),
            *_round(subject),
            *_settlement(dispute, subject),
            _ladder(dispute),
            _steps(dispute, steps, casino),
            _files(dispute),
        ),
        basis=basis_of(casino, versions, [dispute.subject_index]),
        entries=[dispute.subject_index],
    )  # fmt: skip


def _standing(dispute: Dispute, casino: Casino) -> Section:
    facts = [
        Fact("State", dispute.where.label),
        Fact("Table", dispute.table or "None"),
        Fact("Round", dispute.round or f"Entry {dispute.subject_index:,}"),
        Fact("Rules in force", str(dispute.version) if dispute.version else "No approved version"),
        Fact("Logged", f"{moment_text(dispute.logged_at, casino)}, {dispute.logged_by_name}"),
        Fact("Patron's details", "Left out: a report is kept for ever" if dispute.personal else "None were taken"),
    ]
    row = Row((dispute.reference, dispute.grounds), dispute.entry_index)
    headings = (Heading("Dispute", 1, quotes="dispute"), Heading("Grounds as recorded", 3, quotes="grounds"))
    return Section(title="Where it stands", facts=tuple(facts), grid=Grid(headings, (row,)))


def _disputed(dispute: Dispute) -> Section:
    facts = [
        Fact("Grounds", GROUNDS[dispute.grounds]),
        Fact("The patron says", dispute.statement.text),
        Fact("Present", ", ".join(PRESENT.get(who, who) for who in dispute.present) or "Nobody named"),
    ]
    if dispute.category:
        facts.append(Fact("Under the rules", dispute.category))
    return Section(title="What is disputed", facts=tuple(facts))


def _round(subject: Subject | None) -> Iterator[Section]:
    if subject is None or subject.read is None or subject.read.played is None:
        yield Section(title="What it is about", texts=("It is not about a round.",))
        return
    read, played = subject.read, subject.read.played
    faces = f"{'-'.join(map(str, read.faces))}, total {sum(read.faces)}" if read.faces else "No result"
    called = "-".join(map(str, played.called.faces)) if played.called else "Not reported"
    headings = (
        Heading("Wager", 3), Heading("Whose", 3), Heading("On", 5), Heading("Stake", 2, True, "body.wagers.*.stake"),
        Heading("Handed back", 2, True, "body.wagers.*.returned"),
    )  # fmt: skip
    rows = tuple(
        Row(
            (each.wager.id, each.holder, each.bet_words, amount(each.wager.stake), amount(each.wager.returned)),
            subject.entry.index,
        )
        for each in read.wagers
    )
    facts = (Fact("Result", faces), Fact("Called", called), Fact("Reported", moment_text(read.at, read.casino)))
    yield Section(title="The round as the table reported it", facts=facts, grid=Grid(headings, rows))


def _settlement(dispute: Dispute, subject: Subject | None) -> Iterator[Section]:
    disputed = {wager.wager for wager in dispute.wagers.all()}
    reckoned = [each for each in subject.reckoned() if each.wager_id in disputed] if subject else []
    if not reckoned:
        yield Section(title="What the rules give", texts=("No wager is in question.",))
    for each in reckoned:
        yield _reckoned(each)


def _reckoned(each: Reckoned) -> Section:
    title = f"What the rules give for wager {each.wager_id}"
    if each.answer is None:
        clause = f" Clause {each.clause}." if each.clause else ""
        return Section(title=title, texts=(f"{each.why_not}{clause}",))
    answer = each.answer
    facts = (
        Fact("On", f"{each.read.bet_words}, {amount(each.read.stake_cents)}"),
        Fact("The table handed back", amount(each.found_cents) or "Not yet"),
        Fact("The rules give", answer.nothing_due or amount(each.due_cents) or "Not yet"),
        Fact("Compared", each.tag.label),
        *(Fact(f"Step {place}", _cited(words, clause)) for place, (words, clause) in enumerate(answer.steps, 1)),
        *(
            Fact(
                f"Read otherwise: {other.reading}",
                _cited(f"{other.choice}: {amount(other.returned_cents) or 'nothing yet'}", other.clause),
            )
            for other in answer.others
        ),
    )
    return Section(title=title, facts=facts)


def _cited(words: str, clause: str) -> str:
    return f"{words} (clause {clause})" if clause else words


def _ladder(dispute: Dispute) -> Section:
    ladder = dispute.ladder
    rows = [Row((rung.title, rung.who, rung.clause or "None")) for rung in ladder.rungs]
    if ladder.right:
        law = f" ({ladder.right.law})" if ladder.right.law else ""
        rows.append(Row(("Advice to the patron", f"of {ladder.right.told_of}{law}", ladder.right.clause)))
    silent = ("The rules say nothing about disputes. The operator's own procedure was followed.",)
    headings = (Heading("Step", 3), Heading("By whom", 5), Heading("Clause", 1))
    return Section(title="Who decides", texts=silent if ladder.is_silent else (), grid=Grid(headings, tuple(rows)))


def _steps(dispute: Dispute, steps: list[Step], casino: Casino) -> Section:
    headings = (
        Heading("When", 4), Heading("Step", 4), Heading("What was said", 10), Heading("By", 4, quotes="by.name"),
        Heading("Entry", 2, True),
    )  # fmt: skip
    logged = Row(
        (moment_text(dispute.logged_at, casino), "Logged", GROUNDS[dispute.grounds], dispute.logged_by_name,
         f"{dispute.entry_index:,}"),
        dispute.entry_index,
    )  # fmt: skip
    rows = tuple(
        Row((moment_text(one.at, casino), _step_words(one), detail_of(one), one.by_name, f"{one.entry_index:,}"),
            one.entry_index)
        for one in steps
    )  # fmt: skip
    return Section(title="Every step, in order", grid=Grid(headings, (logged, *rows)))


def _step_words(step: Step) -> str:
    tag = tag_of_step(step)
    return f"{title_of(step)}. {tag.label}" if tag else title_of(step)


def _files(dispute: Dispute) -> Section:
    """By digest: whoever has the file can tell that it is the one."""
    rows = tuple(
        Row((str(place), each.media_type, f"{each.size_bytes:,}", each.sha256))
        for place, each in enumerate(dispute.attachments.all(), 1)
    )
    headings = (Heading("File", 1), Heading("Type", 2), Heading("Bytes", 2, True), Heading("SHA-256", 8))
    return Section(title="Files attached to the dispute", grid=Grid(headings, rows, "No file was attached."))
