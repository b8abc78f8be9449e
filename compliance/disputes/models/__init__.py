"""Disputes and all that belongs to them. Facts never change.

dispute.py       a dispute, its wagers, the patron's statement, each step
beside.py        files, inspectors' notes, drafts
arrangements.py  service levels and the operator's own procedure
"""

from compliance.disputes.models.arrangements import OwnProcedure, ServiceLevel
from compliance.disputes.models.beside import Attachment, Draft, InspectorNote, stored_path
from compliance.disputes.models.dispute import (
    GROWS_ONLY,
    KEPT,
    ROUND,
    Dispute,
    DisputedWager,
    DisputeQuerySet,
    Statement,
    Step,
)

__all__ = [
    "GROWS_ONLY",
    "KEPT",
    "ROUND",
    "Attachment",
    "Dispute",
    "DisputeQuerySet",
    "DisputedWager",
    "Draft",
    "InspectorNote",
    "OwnProcedure",
    "ServiceLevel",
    "Statement",
    "Step",
    "stored_path",
]
