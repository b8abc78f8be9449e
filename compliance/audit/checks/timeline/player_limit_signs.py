"""Check of a player's own limits: allowed only where a sign for that player showed them by the cut-off."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.catalogue.table_codes import LIMIT_PLAYER_SIGN
from compliance.audit.checks.shared.check_types import RoundHistoryCheck
from compliance.audit.checks.timeline.signs import SIGN_KINDS, SignContent, displayed_signs
from compliance.audit.context.finding_draft import FindingDraft, format_amount, round_history_draft, wager_label
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import History, LookBack
from rounds.intake.protocol.fields import PlayerLimits
from rounds.intake.protocol.round import Wager


def check_player_limit_signs(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """LIMIT-PLAYER-SIGN (`duties.player_limits`), for each of the player's wagers above the table's maximum."""
    duty, maximum = context.pack.duties.player_limits, context.rules_in_force.limits.maximum_cents
    if duty is None or maximum is None or not context.round.player_limits:
        return
    by = context.cut_off_at or context.ended_at
    signs = [each.content for each in displayed_signs(each for each in history.events if each.at <= by).values()]
    for own in context.round.player_limits:
        if not any(_sign_shows_limits(sign, own) for sign in signs):
            for wager in context.round.wagers:
                if _is_wager_of(wager, own) and wager.stake > maximum and wager.verdict != "refused":
                    yield round_history_draft(
                        context,
                        LIMIT_PLAYER_SIGN,
                        what=wager_label(wager.bet, wager.stake, wager.id),
                        wager=wager.id,
                        clause=duty.clause,
                        found=f"{by:%H:%M:%S} UTC",
                        required=f"{format_amount(own.min)} to {format_amount(own.max)} for its player",
                    )


def _sign_shows_limits(sign: SignContent, own: PlayerLimits) -> bool:
    """Whether the sign shows both limits, for that player or seat."""
    is_theirs = (own.player is not None and sign.player == own.player) or (
        own.seat is not None and sign.seat == own.seat
    )
    is_whole = (sign.minimum_cents, sign.maximum_cents) == (own.min, own.max)
    return sign.purpose == "player-limits" and is_theirs and is_whole


def _is_wager_of(wager: Wager, own: PlayerLimits) -> bool:
    return (own.player is not None and wager.player == own.player) or (own.seat is not None and wager.seat == own.seat)


ROUND_CHECKS = (RoundHistoryCheck(frozenset({LIMIT_PLAYER_SIGN}), check_player_limit_signs, LookBack(SIGN_KINDS)),)
