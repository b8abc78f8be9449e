"""Models of disputes. Facts never change.

dispute.py                 a dispute, its wagers, the patron's statement, each step
attachments_and_notes.py   files, inspectors' notes, letters as issued, drafts
policies.py                service levels and the operator's own procedure
"""

from compliance.disputes.models.attachments_and_notes import (
    Attachment,
    DisputeDraft,
    InspectorNote,
    IssuedLetter,
    attachment_path,
)
from compliance.disputes.models.dispute import (
    APPEND_ONLY,
    UPDATABLE,
    Dispute,
    DisputedWager,
    DisputeQuerySet,
    Statement,
    Step,
)
from compliance.disputes.models.policies import OwnProcedure, ServiceLevel

__all__ = [
    "APPEND_ONLY",
    "UPDATABLE",
    "Attachment",
    "Dispute",
    "DisputeDraft",
    "DisputeQuerySet",
    "DisputedWager",
    "InspectorNote",
    "IssuedLetter",
    "OwnProcedure",
    "ServiceLevel",
    "Statement",
    "Step",
    "attachment_path",
]
