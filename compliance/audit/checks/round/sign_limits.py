"""The limits on the sign that a round reports, compared with the limits on record for the table."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.catalogue.table_codes import LIMIT_SOURCES
from compliance.audit.checks.shared.check_types import RoundCheck
from compliance.audit.context.finding_draft import FindingDraft, format_amount, round_draft
from compliance.audit.context.round_context import RoundContext


def check_sign_limits(context: RoundContext) -> Iterator[FindingDraft]:
    """LIMIT-SOURCES (`duties.limits_shown`). The record governs and the sign is evidence. No finding where either is
    missing."""
    duty, sign, limits = context.pack.duties.limits_shown, context.round.limits, context.rules_in_force.limits
    if duty is None or sign is None or limits.minimum_cents is None:
        return
    if (sign.min, sign.max) != (limits.minimum_cents, limits.maximum_cents):
        yield round_draft(
            context,
            LIMIT_SOURCES,
            what=context.round_label,
            clause=duty.clause,
            found=f"{format_amount(sign.min)} to {format_amount(sign.max)}",
            required=f"{format_amount(limits.minimum_cents)} to {format_amount(limits.maximum_cents)}",
        )


CHECKS = (RoundCheck.of_code(LIMIT_SOURCES, check_sign_limits),)
