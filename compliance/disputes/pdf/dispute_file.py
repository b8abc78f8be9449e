"""PDF of the whole file of a dispute: cover, subject, what the rules give, every step, files, proof of the entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from io import BytesIO
from typing import Any

from PIL import Image as Picture
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Image, PageBreak

from compliance.core.web.local_time import format_local
from compliance.core.web.ui.forms import dollars
from compliance.disputes.attachments import read_attachment
from compliance.disputes.entry_bodies import GROUNDS, PRESENT
from compliance.disputes.errors import FileGone
from compliance.disputes.models import Attachment, Dispute, InspectorNote
from compliance.disputes.pdf.page_layout import (
    CODE,
    SMALL,
    SUBHEADING,
    TITLE,
    facts_table,
    grid_table,
    heading,
    keep_together,
    make_pdf,
    paragraph,
    vertical_gap,
)
from compliance.disputes.subject.assessment import WagerAssessment
from compliance.disputes.subject.disputed_entry import Subject, subject_at
from compliance.disputes.subject.promotion_subject import PromotionSubject
from compliance.disputes.text import step_author_text, step_detail, step_tag, step_title, visible_steps
from rounds.ledger import proofs

WIDEST, HIGHEST = 120 * mm, 90 * mm


def dispute_file(
    dispute: Dispute, *, patron: Mapping[str, Any] | None, is_government: bool, made_for: str, now: datetime
) -> bytes:
    """The file as PDF. With `patron` None the details are left out, and the cover says so."""
    subject = subject_at(dispute.casino, dispute.subject_index)
    parts = [
        *_cover_section(dispute, patron, made_for, now),
        *_disputed_section(dispute, patron),
        *(_promotion_section(subject.promotion) if subject and subject.promotion else _round_section(subject)),
        *_settlement_section(dispute, subject),
        *_ladder_section(dispute),
        *_steps_section(dispute, is_government=is_government),
        *_files_section(dispute),
        *_proof_section(dispute),
    ]
    footer = f"Dispute {dispute.reference}, {dispute.casino}. Made {format_local(now, dispute.casino)} for {made_for}."
    return make_pdf(parts, title=f"Dispute {dispute.reference}, {dispute.casino}", footer=footer)


def _cover_section(
    dispute: Dispute, patron: Mapping[str, Any] | None, made_for: str, now: datetime
) -> Iterator[Flowable]:
    casino = dispute.casino
    details_text = "Included" if patron else "Left out" if dispute.personal else "None were taken"
    yield paragraph("Dispute file", SMALL)
    yield paragraph(f"{dispute.reference}, {casino}", TITLE)
    yield facts_table(
        [
            ("State", dispute.current_state.label),
            ("About", GROUNDS[dispute.grounds]),
            *_place_rows(dispute),
            ("Logged", format_local(dispute.logged_at, casino)),
            ("Logged by", dispute.logged_by_name),
            ("Rules in force", str(dispute.version) if dispute.version else "No approved version"),
            ("Patron's details", details_text),
            ("Made", f"{format_local(now, casino)} for {made_for}"),
            (
                "In the ledger",
                f"Log {dispute.log}, entry {dispute.entry_index:,}; what it is about is entry "
                f"{dispute.subject_index:,}",
            ),
        ]
    )
    yield vertical_gap(10)
    yield paragraph(
        "This file holds what is disputed, the round or claim as it was recorded, what the rules give for the wagers, "
        "every step of the ladder in order, the files attached, and the proof that the round or claim stands in the "
        "ledger unchanged. Times are local to the casino.",
        SMALL,
    )
    yield PageBreak()


def _disputed_section(dispute: Dispute, patron: Mapping[str, Any] | None) -> Iterator[Flowable]:
    yield heading("1. What is disputed")
    rows = [
        ("Grounds", GROUNDS[dispute.grounds]),
        ("The patron says", dispute.statement.text),
        ("Present", ", ".join(PRESENT.get(who, who) for who in dispute.present) or "Nobody named"),
    ]
    if dispute.category:
        rows.append(("Under the rules", dispute.category))
    rows += [(f"Patron's {name}", str(value)) for name, value in (patron or {}).items()]
    yield facts_table(rows)


def _place_rows(dispute: Dispute) -> list[tuple[str, str]]:
    if dispute.is_promotion:
        return [("Subject", f"A promotion, entry {dispute.subject_index:,}")]
    return [("Table", dispute.table), ("Round", dispute.round or f"Entry {dispute.subject_index:,}")]


def _promotion_section(promoted: PromotionSubject) -> Iterator[Flowable]:
    yield heading("2. What it is about, as it was recorded")
    yield paragraph(promoted.title, SUBHEADING)
    yield facts_table(promoted.facts)


def _round_section(subject: Subject | None) -> Iterator[Flowable]:
    yield heading("2. The round as the table reported it")
    if subject is None or subject.read is None or subject.read.played is None:
        yield paragraph("What is stored can no longer be read as a round.")
        return
    read, played = subject.read, subject.read.played
    faces = "-".join(map(str, read.faces)) + f", total {sum(read.faces)}" if read.faces else "No result"
    called = f"{'-'.join(map(str, played.called.faces))}" if played.called else "Not reported"
    yield facts_table(
        [
            ("Result", faces),
            ("Called", called),
            ("Reported", format_local(read.at, read.casino)),
            ("Rules", str(read.version) if read.version else "No approved version"),
        ]
    )
    yield vertical_gap()
    yield grid_table(
        ("Wager", "Whose", "On", "Stake", "Returned"),
        [
            (
                each.wager.id,
                each.holder,
                each.bet_label,
                f"${dollars(each.stake_cents)}",
                _format_money(each.wager.returned),
            )
            for each in read.wagers
        ],
        (0.17, 0.2, 0.31, 0.16, 0.16),
    )


def _format_money(cents: int | None) -> str:
    return "Not yet" if cents is None else f"${dollars(cents)}"


def _settlement_section(dispute: Dispute, subject: Subject | None) -> Iterator[Flowable]:
    yield heading("3. What the rules give")
    if dispute.is_promotion:
        yield paragraph("A promotion has no wager to settle: its own terms govern, and the operator decides.")
        return
    disputed = {wager.wager for wager in dispute.wagers.all()}
    assessed = [each for each in subject.assess_wagers() if each.wager_id in disputed] if subject else []
    if not assessed:
        yield paragraph("No wager is in question.")
    for each in assessed:
        yield keep_together(*_assessment_section(each))


def _assessment_section(each: WagerAssessment) -> Iterator[Flowable]:
    yield paragraph(f"Wager {each.wager_id}: {each.read.bet_label}, ${dollars(each.read.stake_cents)}", SUBHEADING)
    if each.answer is None:
        yield paragraph(f"{each.why_not}{f' Clause {each.clause}.' if each.clause else ''}")
        return
    answer = each.answer
    yield facts_table(
        [
            ("The table returned", _format_money(each.found_cents)),
            ("The rules give", answer.nothing_due or _format_money(each.due_cents)),
            ("Compared", each.tag.label),
        ]
    )
    for place, (words, clause) in enumerate(answer.steps, 1):
        yield paragraph(f"{place}. {words}{f' (clause {clause})' if clause else ''}")
    for other in answer.others:
        due = "nothing yet" if other.returned_cents is None else f"${dollars(other.returned_cents)}"
        yield paragraph(
            f"Read otherwise, {other.reading}: {other.choice} (clause {other.clause}), it would be {due}.", SMALL
        )
    yield paragraph(f"Rule pack {answer.pack_name}, SHA-256 {answer.pack_sha256}", SMALL)


def _ladder_section(dispute: Dispute) -> Iterator[Flowable]:
    ladder = dispute.ladder
    yield heading("4. Who decides")
    if ladder.is_silent:
        yield paragraph("The rules say nothing about disputes. The operator's own procedure was followed.")
    rows = [(rung.title, rung.who, rung.clause or "None") for rung in ladder.rungs]
    if ladder.right:
        law = f" ({ladder.right.law})" if ladder.right.law else ""
        rows.append(("Advice to the patron", f"of {ladder.right.told_of}{law}", ladder.right.clause))
    yield grid_table(("Step", "By whom", "Clause"), rows, (0.3, 0.55, 0.15))


def _steps_section(dispute: Dispute, *, is_government: bool) -> Iterator[Flowable]:
    yield heading("5. Every step, in order")
    notes = dict(InspectorNote.objects.filter(step__dispute=dispute).values_list("step_id", "text"))
    yield paragraph(
        f"{format_local(dispute.logged_at, dispute.casino)}: logged by {dispute.logged_by_name}", SUBHEADING
    )
    yield paragraph(f"Entry {dispute.entry_index:,}", SMALL)
    for step in visible_steps(dispute, is_government=is_government):
        tag = step_tag(step)
        yield keep_together(
            paragraph(
                f"{format_local(step.at, dispute.casino)}: {step_title(step)}{f'. {tag.label}' if tag else ''}",
                SUBHEADING,
            ),
            paragraph(f"{step_author_text(step)}. Entry {step.entry_index:,}", SMALL),
            paragraph(notes.get(step.pk) or step_detail(step)),
        )


def _files_section(dispute: Dispute) -> Iterator[Flowable]:
    attached = list(dispute.attachments.all())
    yield heading("6. Files attached")
    if not attached:
        yield paragraph("None.")
    for place, each in enumerate(attached, 1):
        words = paragraph(f"File {place}: {each.media_type}, {each.size_bytes:,} bytes")
        picture = _scaled_picture(each)
        yield keep_together(words, paragraph(each.sha256, CODE), *([vertical_gap(), picture] if picture else []))


def _scaled_picture(attachment: Attachment) -> Flowable | None:
    """The picture scaled to the page; a note if the file is missing or changed."""
    if not attachment.is_picture:
        return None
    try:
        content = read_attachment(attachment)
    except FileGone:
        return paragraph("The file is missing or was changed.")
    with Picture.open(BytesIO(content)) as opened:
        width, height = opened.size
    scale = min(WIDEST / width, HIGHEST / height, 1)
    return Image(BytesIO(content), width * scale, height * scale, hAlign="LEFT")


def _proof_section(dispute: Dispute) -> Iterator[Flowable]:
    yield heading(f"7. Proof of the {'promotion’s entry' if dispute.is_promotion else 'round'}")
    yield paragraph(f"Entry {dispute.subject_index:,} of the log {dispute.log}, checked as this file was made.")
    for step in proofs.prove_entry(dispute.log, dispute.subject_index):
        fits = "Fits" if step.fits else "Does not fit" if step.is_known else "Not checked"
        lines = [paragraph(f"{name}: {value}", CODE) for name, value in step.facts]
        yield keep_together(paragraph(f"{step.title}. {fits}.", SUBHEADING), paragraph(step.words), *lines)
    proof = proofs.make_proof_file(dispute.log, dispute.subject_index)
    if proof is not None:
        yield paragraph("The proof as a file, which any verifier of the format can check:", SUBHEADING)
        yield from (paragraph(line or " ", CODE) for line in proof.decode().splitlines())
