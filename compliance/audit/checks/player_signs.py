"""Limits of one player's own: allowed where a sign for that player showed them by the close of betting."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.checks.signs import SIGN_KINDS, Shown, signs_standing
from compliance.audit.checks.ways_in import RoundOverTime
from compliance.audit.drafts import Draft, amount, over_time, wager_words
from compliance.audit.seen import RoundSeen
from compliance.audit.stories import Looks, Story
from rounds.intake.kinds.round import Wager
from rounds.intake.kinds.words import PlayerLimits


def judge(seen: RoundSeen, story: Story) -> Iterator[Draft]:
    duty, maximum = seen.pack.duties.player_limits, seen.circumstances.limits.maximum_cents
    if duty is None or maximum is None or not seen.round.player_limits:
        return
    by = seen.cut_off or seen.ended_at
    signs = [each.shown for each in signs_standing(each for each in story.happened if each.at <= by).values()]
    for own in seen.round.player_limits:
        if not any(_shows(sign, own) for sign in signs):
            for wager in seen.round.wagers:
                if _is_of(wager, own) and wager.stake > maximum and wager.verdict != "refused":
                    yield over_time(
                        seen, "LIMIT-PLAYER-SIGN", what=wager_words(wager.bet, wager.stake, wager.id),
                        wager=wager.id, clause=duty.clause, found=f"{by:%H:%M:%S} UTC",
                        required=f"{amount(own.min)} to {amount(own.max)} for its player",
                    )  # fmt: skip


def _shows(sign: Shown, own: PlayerLimits) -> bool:
    """Both limits, for that player or seat."""
    is_theirs = (own.player is not None and sign.player == own.player) or (
        own.seat is not None and sign.seat == own.seat
    )
    is_whole = (sign.minimum_cents, sign.maximum_cents) == (own.min, own.max)
    return sign.purpose == "player-limits" and is_theirs and is_whole


def _is_of(wager: Wager, own: PlayerLimits) -> bool:
    return (own.player is not None and wager.player == own.player) or (own.seat is not None and wager.seat == own.seat)


ROUND_CHECKS = (RoundOverTime(frozenset({"LIMIT-PLAYER-SIGN"}), judge, Looks(SIGN_KINDS)),)
