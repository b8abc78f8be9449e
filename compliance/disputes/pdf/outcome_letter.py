"""PDF letter of the inspector to the patron: outcome and reasons. Contains no name; it is addressed by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from reportlab.platypus import Flowable

from compliance.core.corrections.selectors import withdrawals_of
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.page_layout import (
    HEADING,
    SMALL,
    PageText,
    heading,
    labelled_values,
    make_pdf,
    paragraph,
    vertical_gap,
)
from compliance.disputes import entry_kinds
from compliance.disputes.entry_bodies import FINDINGS, GROUNDS, InspectorDeterminationBody
from compliance.disputes.errors import NoDeterminationYet
from compliance.disputes.models import Dispute, Step
from compliance.disputes.subject.disputed_entry import subject_at
from rounds.engine.money import format_cents


@dataclass(frozen=True)
class LetterFile:
    """The letter on the last outcome. `matches_entry` is None unless it was rendered again after it was issued, because
    letters of earlier releases were not stored; then it says whether the digest is still that of the entry."""

    content: bytes
    matches_entry: bool | None = None
    is_issued: bool = False


def outcome_letter(dispute: Dispute) -> LetterFile:
    """The bytes that were issued; rendered as long as the letter was not."""
    issued = None
    for step in dispute.steps.all():
        if step.kind in (entry_kinds.DETERMINED, entry_kinds.LETTER):
            issued = step if step.kind == entry_kinds.LETTER else None
    if stored := getattr(issued, "letter", None):
        return LetterFile(bytes(stored.content), is_issued=True)
    content = render_outcome_letter(dispute)
    return LetterFile(content, sha256(content).hexdigest() == issued.said["sha256"] if issued else None)


def render_outcome_letter(dispute: Dispute) -> bytes:
    """Deterministic: the same outcome gives the same bytes, unless the layout changed."""
    determined = (step for step in reversed(dispute.steps.all()) if step.kind == entry_kinds.DETERMINED)
    step = next(determined, None)
    if step is None:
        raise NoDeterminationYet
    determination = step.read_body()
    assert isinstance(determination, InspectorDeterminationBody)
    casino, right = dispute.casino, dispute.ladder.right
    subject = subject_at(casino, dispute.subject_index)
    text = subject.text if subject else None
    about = text.about if text else f"round {dispute.round}, played at table {dispute.table}"
    paid = f" The operator is to pay you {format_cents(cents)}." if (cents := determination.amount_cents) else ""
    parts = [
        paragraph(f"Complaint {dispute.reference}, {casino}", HEADING),
        paragraph(format_local(step.at, casino), SMALL),
        vertical_gap(12),
        paragraph("Name and address of the patron:", SMALL),
        vertical_gap(48),
        paragraph("To the complainant"),
        paragraph(
            f"You complained about {about}. Your dispute with the casino was logged on "
            f"{format_local(dispute.logged_at, casino)}: "
            f"{GROUNDS[dispute.grounds][:1].lower()}{GROUNDS[dispute.grounds][1:]}."
        ),
        *_correction_parts(dispute),
        paragraph("I have read the casino's decisions, the record of what you disputed and what both sides told me."),
        heading("Outcome"),
        paragraph(f"{FINDINGS[determination.outcome]}.{paid}"),
        heading("Reasons"),
        paragraph(determination.reasons),
        vertical_gap(12),
        *labelled_values(
            [
                ("Rules", str(dispute.version) if dispute.version else "No approved version"),
                (
                    "Your right",
                    f"{right.told_of}, clause {right.clause}{f', {right.law}' if right.law else ''}"
                    if right
                    else "The rules name none",
                ),
                ("Record", f"Log {step.log}, entry {step.entry_index:,}"),
            ]
        ),
        vertical_gap(24),
        paragraph(step.by_name),
        paragraph(step.role_label, SMALL),
    ]
    decided = f"Outcome of {format_local(step.at, casino)}"
    page = PageText(f"Letter on {dispute.reference}", str(casino), decided, f"Dispute {dispute.reference}")
    return make_pdf(parts, page)


def _correction_parts(dispute: Dispute) -> Iterator[Flowable]:
    """That an earlier outcome was withdrawn, so that the patron knows which letter counts."""
    recorded = Step.recorded.filter(dispute=dispute, kind=entry_kinds.DETERMINED)
    determined_at = dict(recorded.values_list("entry_index", "at"))
    for index, withdrawal in withdrawals_of(dispute.log, determined_at).items():
        yield paragraph(
            f"I have corrected an earlier outcome: that of {format_local(determined_at[index], dispute.casino)} was "
            f"withdrawn on {format_local(withdrawal.at, dispute.casino)}. This letter replaces any letter about it."
        )
