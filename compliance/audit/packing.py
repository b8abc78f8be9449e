"""Rounds as columns: how a round is packed into bytes, and how the bytes of many become arrays.

The same round always gives the same bytes. What the columns cannot tell whole is marked, and judged from its entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from struct import Struct
from typing import TypeAlias, get_args
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from compliance.audit.seen import holder_of, is_told_right
from rounds.engine.bets import BET_INDEX, BETS
from rounds.engine.outcomes import index_of
from rounds.engine.terms import Tender
from rounds.intake.kinds.round import Round, RoundEventName, Wager

Records: TypeAlias = NDArray[np.void]
Instants: TypeAlias = NDArray[np.int64]

# Places in these lists are stored: new words go to their ends.
VERDICTS = ("win", "lose", "void", "open", "refused", "forfeited")
TENDERS: tuple[str, ...] = get_args(Tender)
EVENTS: tuple[str, ...] = get_args(RoundEventName)
VERDICT_PLACE = {word: place for place, word in enumerate(VERDICTS)}
TENDER_PLACE = {word: place for place, word in enumerate(TENDERS)}
EVENT_PLACE = {word: place for place, word in enumerate(EVENTS)}

# `holder` and `terminal` are checksums of names: equal names have equal ones, and a chance match only costs a look.
WAGER = np.dtype(
    [
        ("bet", "u1"),
        ("verdict", "u1"),
        ("tender", "u1"),
        ("is_plain", "u1"),
        ("holder", "<u4"),
        ("terminal", "<u4"),
        ("chips", "<u4"),
        ("stake", "<i8"),
        ("returned", "<i8"),
        ("placed", "<i8"),
    ]
)
# The same layout for packing one at a time, which numpy is slow at.
_PACK = Struct("<BBBBIIIqqq").pack
NEVER = int(np.iinfo(np.int64).max)
# What the columns keep besides the events' times: areas that lit up and the shoe, as checksums; limits on the sign.
FIGURES = ("lit", "shown_minimum", "shown_maximum", "shoe")
UNSAID = -1
_PACK_EVENTS = Struct(f"<{len(EVENTS) + len(FIGURES)}q").pack
STREAKS = frozenset(code for code, bet in BETS.items() if bet.is_streak)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def microseconds(instant: datetime) -> int:
    return (instant - _EPOCH) // _MICROSECOND


def instant_of(count: int) -> datetime:
    return _EPOCH + timedelta(microseconds=int(count))


@lru_cache(maxsize=65536)
def checksum(name: str | None) -> int:
    """0 stands for no name."""
    return 0 if name is None else crc32(name.encode()) or 1


def chips_checksum(holder: str, colour: str, value_cents: int) -> int:
    """Whose chips without a denomination, of which colour, and what one of them counts."""
    return checksum(f"{holder} {colour} {value_cents}")


def pack_events(played: Round) -> bytes:
    """The first time of each event, in the order of EVENTS; then the FIGURES."""
    times = [NEVER] * len(EVENTS)
    for event in played.events:
        place = EVENT_PLACE[event.name]
        times[place] = min(times[place], microseconds(event.at))
    return _PACK_EVENTS(*times, *_figures(played))


def _figures(played: Round) -> tuple[int, int, int, int]:
    shown = (played.limits.min, played.limits.max) if played.limits else (UNSAID, UNSAID)
    lit = UNSAID if played.lit is None else areas_checksum(frozenset(played.lit))
    return lit, *shown, UNSAID if played.shoe is None else checksum(played.shoe)


@lru_cache(maxsize=65536)
def areas_checksum(areas: frozenset[str]) -> int:
    """The same areas always give the same; a chance match of others is as good as impossible at these numbers."""
    return int.from_bytes(sha256(",".join(sorted(areas)).encode()).digest()[:7])


def pack_wagers(played: Round) -> bytes:
    return b"".join([_PACK(*_packed(wager)) for wager in played.wagers])


def _packed(wager: Wager) -> tuple[int, ...]:
    return (
        BET_INDEX[wager.bet],
        VERDICT_PLACE[wager.verdict],
        TENDER_PLACE[wager.tender],
        is_plain_wager(wager),
        checksum(holder_of(wager)),
        checksum(wager.terminal),
        chips_checksum(holder_of(wager), wager.chips.colour, wager.chips.value) if wager.chips else 0,
        wager.stake,
        -1 if wager.returned is None else wager.returned,
        microseconds(wager.placed_at),
    )


def is_plain_wager(wager: Wager) -> bool:
    """Whether the columns say all there is to it."""
    return not (
        wager.changes
        or wager.spoken
        or wager.warned
        or wager.registered is False
        or wager.paid_in is not None
        or wager.bet in STREAKS
    )


def is_plain_round(played: Round) -> bool:
    has_result = played.dice is not None or played.cards is not None
    is_usual = has_result and played.no_result is None and played.lit != () and not played.player_limits
    return is_usual and is_told_right(played)


def have_lights_failed(played: Round) -> bool:
    """Nothing lit up although there was a result."""
    return played.lit == () and (played.dice is not None or played.cards is not None)


def outcome_of(played: Round) -> int:
    shown = played.dice if played.dice is not None else played.cards
    return -1 if shown is None else index_of(shown)


def tumbles_of(played: Round) -> int | None:
    counts = [event.count for event in played.events if event.name == "tumbled" and event.count is not None]
    return sum(counts) if counts else None


def started_at(played: Round) -> datetime:
    return min(event.at for event in played.events)


def unpack_wagers(packed: Sequence[bytes]) -> Records:
    """The wagers of many rounds, one after the other."""
    return np.frombuffer(b"".join(packed), WAGER)


def unpack_events(packed: Sequence[bytes]) -> Instants:
    """Round by event; NEVER where it was not reported."""
    return _unpacked(packed)[:, : len(EVENTS)]


def unpack_rounds(packed: Sequence[bytes]) -> tuple[Instants, Instants]:
    """The events, and the figures beside them: round by figure; UNSAID where one was not reported."""
    both = _unpacked(packed)
    return both[:, : len(EVENTS)], both[:, len(EVENTS) :]


def _unpacked(packed: Sequence[bytes]) -> Instants:
    return np.frombuffer(b"".join(packed), "<i8").reshape(len(packed), len(EVENTS) + len(FIGURES))
