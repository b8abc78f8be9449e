"""PDF letter of the inspector to the patron: outcome and reasons. Contains no name; it is addressed by hand."""

from __future__ import annotations

from compliance.core.web.local_time import format_local
from compliance.core.web.ui.forms import dollars
from compliance.disputes import entry_kinds
from compliance.disputes.entry_bodies import FINDINGS, GROUNDS, Determination
from compliance.disputes.errors import NoDeterminationYet
from compliance.disputes.models import Dispute
from compliance.disputes.pdf.page_layout import HEADING, SMALL, facts_table, heading, make_pdf, paragraph, vertical_gap
from compliance.disputes.subject.disputed_entry import subject_at


def outcome_letter(dispute: Dispute) -> bytes:
    """Deterministic: the same outcome gives the same bytes, so that the letter issued can be compared by digest."""
    step = next((step for step in dispute.steps.all() if step.kind == entry_kinds.DETERMINED), None)
    if step is None:
        raise NoDeterminationYet
    determination = step.read_body()
    assert isinstance(determination, Determination)
    casino, right = dispute.casino, dispute.ladder.right
    subject = subject_at(casino, dispute.subject_index)
    promoted = subject.promotion if subject else None
    about = promoted.about if promoted else f"round {dispute.round}, played at table {dispute.table}"
    paid = f" The operator is to pay you ${dollars(determination.amount_cents)}." if determination.amount_cents else ""
    parts = [
        paragraph(f"Complaint {dispute.reference}, {casino}", HEADING),
        paragraph(format_local(step.at, casino), SMALL),
        vertical_gap(12),
        paragraph("Name and address of the patron:", SMALL),
        vertical_gap(48),
        paragraph("To the complainant"),
        vertical_gap(),
        paragraph(
            f"You complained about {about}. Your dispute with the casino was logged on "
            f"{format_local(dispute.logged_at, casino)}: "
            f"{GROUNDS[dispute.grounds][:1].lower()}{GROUNDS[dispute.grounds][1:]}."
        ),
        vertical_gap(),
        paragraph("I have read the casino's decisions, the record of what you disputed and what both sides told me."),
        heading("Outcome"),
        paragraph(f"{FINDINGS[determination.outcome]}.{paid}"),
        heading("Reasons"),
        paragraph(determination.reasons),
        vertical_gap(12),
        facts_table(
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
    return make_pdf(parts, title=f"Letter on {dispute.reference}", footer=f"{dispute.reference}, {casino}")
