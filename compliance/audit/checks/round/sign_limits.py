"""The limits on the sign that a round reports, compared with the limits on record for the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from compliance.audit.catalogue.table_codes import LIMIT_SOURCES
from compliance.audit.checks.shared.check_types import RoundCheck
from compliance.audit.context.finding_draft import FindingDraft, format_amount, round_draft
from compliance.audit.context.round_context import RoundContext
from rounds.intake.protocol.fields import Limits
from rounds.rulebook.labels import wager_type_names

# Minimum and maximum.
Range: TypeAlias = tuple[int | None, int | None]


def check_sign_limits(context: RoundContext) -> Iterator[FindingDraft]:
    """LIMIT-SOURCES (`duties.limits_shown`). The record governs and the sign is evidence. No finding where either is
    missing. Limits by type of wager are compared for the bets that the table offers. Multiples of the minimum are
    compared where the document requires them only if the sign states them."""
    duty, sign, limits = context.pack.duties.limits_shown, context.round.limits, context.rules_in_force.limits
    if duty is None or sign is None or limits.minimum_cents is None:
        return
    found, required = _range_text((sign.min, sign.max)), _range_text((limits.minimum_cents, limits.maximum_cents))
    for (shown, held), bets in _other_limits_by_bet(context, sign).items():
        names = ", ".join(wager_type_names(context.pack, bets))
        found, required = (f"{text}; {names} {_range_text(pair)}" for text, pair in ((found, shown), (required, held)))
    if duty.multiples_only_if_stated and limits.needs_multiples and not sign.multiples:
        found, required = f"{found} and nothing of multiples", f"{required} in multiples of the minimum"
    if found != required:
        yield round_draft(
            context, LIMIT_SOURCES, what=context.round_label, clause=duty.clause, found=found, required=required
        )


def _other_limits_by_bet(context: RoundContext, sign: Limits) -> dict[tuple[Range, Range], list[str]]:
    """The bets offered whose limits of their own are not the same on the sign and on record, by both limits."""
    rules, found = context.rules_in_force, dict[tuple[Range, Range], list[str]]()
    for bet in sorted({*sign.by_bet, *rules.limits_by_bet} & rules.offered):
        own, limits = sign.for_bet(bet), rules.limits_for(bet)
        shown, held = (own.min, own.max), (limits.minimum_cents, limits.maximum_cents)
        if shown != held:
            found.setdefault((shown, held), []).append(bet)
    return found


def _range_text(limits: Range) -> str:
    return f"{format_amount(limits[0])} to {format_amount(limits[1])}"


CHECKS = (RoundCheck.of_code(LIMIT_SOURCES, check_sign_limits),)
