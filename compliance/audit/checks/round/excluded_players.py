"""Check of the wagers of people who were excluded from the game or from the casino."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.catalogue.play_codes import WAGER_EXCLUDED
from compliance.audit.checks.shared.check_types import RoundCheck
from compliance.audit.context.finding_draft import FindingDraft, round_history_draft, wager_label
from compliance.audit.context.recorded_acts import EXCLUDE_FROM_CASINO, EXCLUDE_FROM_GAME
from compliance.audit.context.round_context import Exclusion, RoundContext
from rounds.engine import BETS
from rounds.engine.utc_clock import format_utc_clock
from rounds.intake.protocol.round import Wager


def check_excluded_players(context: RoundContext) -> Iterator[FindingDraft]:
    """WAGER-EXCLUDED (`duties.device_ban`): placed after its player was excluded. Refused wagers do not count."""
    for wager in context.round.wagers:
        # A Super Streak wager is reported again in the round that ends it.
        is_placed = wager.verdict == "open" or not BETS[wager.bet].is_streak
        is_taken = is_placed and wager.verdict != "refused"
        excluded = next((each for each in context.exclusions if is_taken and _concerns(each, context, wager)), None)
        if excluded is not None:
            since = f"its player was excluded at {format_utc_clock(excluded.at)} (entry {excluded.index:,})"
            unsure = f"somebody at its seat {since.removeprefix('its player ')}, and the table does not name its player"
            yield round_history_draft(
                context,
                WAGER_EXCLUDED,
                what=wager_label(wager.bet, wager.stake, wager.id),
                wager=wager.id,
                found=format_utc_clock(wager.placed_at),
                required=since if excluded.player else unsure,
                clause=_exclusion_clause(context, excluded),
                evidence=(excluded.index,),
                severity=None if excluded.player else Severity.NOTE,
            )


def _concerns(excluded: Exclusion, context: RoundContext, wager: Wager) -> bool:
    """Whether the wager is the excluded person's, as far as the player or the seat shows it."""
    if wager.placed_at <= excluded.at:
        return False
    if excluded.player is not None:
        return wager.player == excluded.player
    is_at_seat = wager.player is None and wager.seat == excluded.seat
    return is_at_seat and context.index in excluded.rounds


def _exclusion_clause(context: RoundContext, excluded: Exclusion) -> str:
    ban = context.pack.duties.device_ban
    powers = dict[str, str](zip(ban.may, ban.may_clauses, strict=True)) if ban else {}
    game = powers.get(EXCLUDE_FROM_GAME, "")
    return powers.get(EXCLUDE_FROM_CASINO, game) if excluded.scope == "casino" else game


CHECKS = (RoundCheck.of_code(WAGER_EXCLUDED, check_excluded_players),)
