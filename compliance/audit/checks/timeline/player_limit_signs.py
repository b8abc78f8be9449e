"""Check of a player's own limits: allowed only where a sign for that player showed them by the cut-off."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.catalogue.table_codes import LIMIT_PLAYER_SIGN
from compliance.audit.checks.round.settlement import position_label
from compliance.audit.checks.shared.check_types import RoundHistoryCheck
from compliance.audit.checks.timeline.signs import SIGN_KINDS, SignContent, displayed_signs
from compliance.audit.context.finding_draft import FindingDraft, format_amount, round_history_draft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import History, LookBack
from rounds.engine.settle import WagerPosition, cap_stakes
from rounds.engine.utc_clock import format_utc_clock
from rounds.intake.protocol.fields import PlayerLimits


def check_player_limit_signs(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """LIMIT-PLAYER-SIGN (`duties.player_limits`), for each wager that takes its player above the table's maximum. A
    player's wagers on one box count together."""
    duty = context.pack.duties.player_limits
    if duty is None or not context.round.player_limits:
        return
    by = context.cut_off_at or context.ended_at
    signs = [each.content for each in displayed_signs(each for each in history.events if each.at <= by).values()]
    for position in _positions_above(context):
        own = context.player_limits_for(position.wager)
        if own is not None and not any(_sign_shows_limits(sign, own) for sign in signs):
            yield round_history_draft(
                context,
                LIMIT_PLAYER_SIGN,
                what=position_label(position),
                wager=position.wager.id,
                clause=duty.clause,
                found=format_utc_clock(by),
                required=f"{format_amount(own.min)} to {format_amount(own.max)} for its player",
            )


def _positions_above(context: RoundContext) -> Iterator[WagerPosition]:
    """The wagers that reach above the table's maximum: of several on one box, the last placed ones."""
    positions = {position.wager.id: position for position in context.positions}
    for name, position in positions.items():
        held, maximum = context.holdings.get(name), context.rules_in_force.limits_for(position.bet).maximum_cents
        if held is None or maximum is None or held.total_cents <= maximum or position.wager.verdict == "refused":
            continue
        live = cap_stakes([positions[other].stake_cents for other in held.live_cents], maximum)
        if dict(zip(held.live_cents, live, strict=True))[name] < position.stake_cents:
            yield position


def _sign_shows_limits(sign: SignContent, own: PlayerLimits) -> bool:
    """Whether the sign shows both limits, for that player or seat."""
    is_theirs = (own.player is not None and sign.player == own.player) or (
        own.seat is not None and sign.seat == own.seat
    )
    is_whole = (sign.minimum_cents, sign.maximum_cents) == (own.min, own.max)
    return sign.purpose == "player-limits" and is_theirs and is_whole


ROUND_CHECKS = (RoundHistoryCheck(frozenset({LIMIT_PLAYER_SIGN}), check_player_limit_signs, LookBack(SIGN_KINDS)),)
