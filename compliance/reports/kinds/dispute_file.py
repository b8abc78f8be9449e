"""File of a dispute as a report: the sections of the dispute's own PDF, with the basis.

Without the patron's details, which are destroyed after their retention period, and without inspectors' notes.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import Casino
from compliance.disputes.entry_bodies import GROUNDS
from compliance.disputes.models import Dispute
from compliance.disputes.pdf.file_sections import file_sections
from compliance.disputes.permissions import MAY_READ
from compliance.reports.document.assemble import assemble_document
from compliance.reports.document.audit_basis import build_basis
from compliance.reports.document.structure import IllustratedDocument

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
    return assemble_document(
        casino,
        now,
        title=f"Dispute {dispute.reference}",
        subject=f"{casino.name}: {GROUNDS[dispute.grounds]}",
        sections=file_sections(dispute),
        basis=build_basis(casino, [dispute.version] if dispute.version else [], [dispute.subject_index]),
        entries=[dispute.subject_index],
    )
