"""The inspector's letter to the patron: the outcome and its reasons. Names nobody; it is addressed by hand."""

from __future__ import annotations

from compliance.disputes import kinds
from compliance.disputes.errors import NothingDetermined
from compliance.disputes.models import Dispute
from compliance.disputes.paper.sheets import HEADING, SMALL, facts, gap, heading, make_pdf, text
from compliance.disputes.said import FINDINGS, GROUNDS, Determination
from compliance.disputes.subjects import subject_at
from compliance.web.forms import dollars
from compliance.web.moments import moment_text


def outcome_letter(dispute: Dispute) -> bytes:
    """The same for the same outcome, byte for byte: what was issued can be compared with what is shown."""
    step = next((step for step in dispute.steps.all() if step.kind == kinds.DETERMINED), None)
    if step is None:
        raise NothingDetermined
    said = step.read()
    assert isinstance(said, Determination)
    casino, right = dispute.casino, dispute.ladder.right
    subject = subject_at(casino, dispute.subject_index)
    promoted = subject.promoted if subject else None
    about = promoted.about if promoted else f"round {dispute.round}, played at table {dispute.table}"
    paid = f" The operator is to pay you ${dollars(said.amount_cents)}." if said.amount_cents else ""
    parts = [
        text(f"Complaint {dispute.reference}, {casino}", HEADING),
        text(moment_text(step.at, casino), SMALL),
        gap(12),
        text("Name and address of the patron:", SMALL),
        gap(48),
        text("To the complainant"),
        gap(),
        text(
            f"You complained about {about}. Your dispute with the casino was logged on "
            f"{moment_text(dispute.logged_at, casino)}: "
            f"{GROUNDS[dispute.grounds][:1].lower()}{GROUNDS[dispute.grounds][1:]}."
        ),
        gap(),
        text("I have read the casino's decisions, the record of what you disputed and what both sides told me."),
        heading("Outcome"),
        text(f"{FINDINGS[said.outcome]}.{paid}"),
        heading("Reasons"),
        text(said.reasons),
        gap(12),
        facts([
            ("Rules", str(dispute.version) if dispute.version else "No approved version"),
            ("Your right", f"{right.told_of}, clause {right.clause}{f', {right.law}' if right.law else ''}"
             if right else "The rules name none"),
            ("Record", f"Log {step.log}, entry {step.entry_index:,}"),
        ]),
        gap(24),
        text(step.by_name),
        text(step.role_label, SMALL),
    ]  # fmt: skip
    return make_pdf(parts, title=f"Letter on {dispute.reference}", footer=f"{dispute.reference}, {casino}")
