"""The limits on the sign that a round reports, compared with the limits on record for the table."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.catalogue.table_codes import LIMIT_SOURCES
from compliance.audit.checks.shared.check_types import RoundCheck
from compliance.audit.context.finding_draft import FindingDraft, format_amount, round_draft
from compliance.audit.context.round_context import RoundContext


def check_sign_limits(context: RoundContext) -> Iterator[FindingDraft]:
    """LIMIT-SOURCES (`duties.limits_shown`). The record governs and the sign is evidence. No finding where either is
    missing. Multiples of the minimum are compared where the document requires them only if the sign states them."""
    duty, sign, limits = context.pack.duties.limits_shown, context.round.limits, context.rules_in_force.limits
    if duty is None or sign is None or limits.minimum_cents is None:
        return
    found = f"{format_amount(sign.min)} to {format_amount(sign.max)}"
    required = f"{format_amount(limits.minimum_cents)} to {format_amount(limits.maximum_cents)}"
    if duty.multiples_only_if_stated and limits.needs_multiples and not sign.multiples:
        found, required = f"{found} and nothing of multiples", f"{required} in multiples of the minimum"
    if found != required:
        yield round_draft(
            context, LIMIT_SOURCES, what=context.round_label, clause=duty.clause, found=found, required=required
        )


CHECKS = (RoundCheck.of_code(LIMIT_SOURCES, check_sign_limits),)
