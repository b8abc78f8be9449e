"""Comments of the operator's staff on findings about their own records."""

from datetime import datetime

from django.db import transaction

from compliance.audit.models import Finding
from compliance.core.accounts.models import User
from compliance.inspection.reviews.entry_kinds import COMMENTED
from compliance.inspection.reviews.models import Comment
from compliance.inspection.reviews.selectors import require_commenter
from rounds.ledger import write_row


@transaction.atomic
def comment_on_finding(*, finding: Finding, text: str, actor: User, now: datetime) -> Comment:
    """Changes nothing about the review: the inspector reads it beside the finding."""
    require_commenter(actor, finding)
    comment = Comment(finding=finding, text=text, by=actor, by_name=actor.name, at=now)
    return write_row(comment, kind=COMMENTED, log=finding.log, now=now)
