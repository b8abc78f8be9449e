"""Encodes rounds into fixed-width bytes and decodes the bytes of many rounds into numpy arrays.

Deterministic. Wagers that the columns cannot represent fully are marked, and checked exactly from their entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate
from struct import Struct
from typing import TypeAlias, get_args
from zlib import crc32

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from rounds.engine import BET_CODES, BET_INDEX, BETS, pack, wager_holder
from rounds.engine import bets as engine_bets
from rounds.engine.settle import seat_label
from rounds.intake.protocol.round import Round, RoundEventName, Wager, is_result_reported_correctly

Records: TypeAlias = NDArray[np.void]
Instants: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

# Indexes into these tuples are stored, so new values must be appended. "withdrawn" exists in the columns only: a wager
# that was withdrawn and refunded in full, which the table reports as `void`.
VERDICTS = ("win", "lose", "void", "open", "refused", "forfeited", "withdrawn")
TENDERS: tuple[str, ...] = get_args(pack.Tender)
EVENTS: tuple[str, ...] = get_args(RoundEventName)
VERDICT_INDEX = {word: index for index, word in enumerate(VERDICTS)}
WITHDRAWN_INDEX = VERDICT_INDEX["withdrawn"]
TENDER_INDEX = {word: index for index, word in enumerate(TENDERS)}
EVENT_INDEX = {word: index for index, word in enumerate(EVENTS)}

# The final state of a wager: on `bet`, first placed on `laid_on`, last changed at `placed`. `holder` and `terminal` are
# checksums of names; a collision only causes an unnecessary exact check.
WAGER_RECORD = np.dtype(
    [
        ("bet", "u1"),
        ("verdict", "u1"),
        ("tender", "u1"),
        ("laid_on", "u1"),
        ("holder", "<u4"),
        ("terminal", "<u4"),
        ("chips", "<u4"),
        ("stake", "<i8"),
        ("returned", "<i8"),
        ("placed", "<i8"),
    ]
)
# Value of `laid_on` for a wager that the columns do not represent fully.
NEEDS_EXACT_CHECK = 255
NO_TIME = int(np.iinfo(np.int64).max)
# Stored after the event times: checksums of the lit areas and of the shoe, and the limits on the sign.
FIGURE_NAMES = ("lit", "shown_minimum", "shown_maximum", "shoe")
NOT_REPORTED = -1
_PACK_EVENTS = Struct(f"<{len(EVENTS) + len(FIGURE_NAMES)}q").pack
RESULT_EVENTS = ("result-called", "result-entered")
STREAK_BET_CODES = frozenset(code for code, bet in BETS.items() if bet.is_streak)
_IS_STREAK = np.array([code in STREAK_BET_CODES for code in BET_CODES])
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_microseconds(instant: datetime) -> int:
    return (instant - _EPOCH) // _MICROSECOND


def from_microseconds(count: int) -> datetime:
    return _EPOCH + timedelta(microseconds=int(count))


@lru_cache(maxsize=65536)
def name_checksum(name: str | None) -> int:
    """CRC-32 of a name; 0 means no name."""
    return 0 if name is None else crc32(name.encode()) or 1


@lru_cache(maxsize=65536)
def _seat_checksum(seat: int | None, terminal: str | None) -> int:
    return name_checksum(seat_label(seat, terminal))


def chips_checksum(holder: str, colour: str, value_cents: int, issued_at: str | None = None) -> int:
    """Checksum of chips without denomination: their holder, colour and value, and the issuing table where reported."""
    return name_checksum(f"{holder} {colour} {value_cents}{f' {issued_at}' if issued_at else ''}")


def encoded_event_times(played: Round) -> list[int]:
    """The first time of each event, in the order of EVENTS."""
    times = [NO_TIME] * len(EVENTS)
    for event in played.events:
        index, at = EVENT_INDEX[event.name], (event.at - _EPOCH) // _MICROSECOND
        if at < times[index]:
            times[index] = at
    return times


def encode_events(played: Round) -> bytes:
    """The first time of each event in the order of EVENTS, then the values of FIGURE_NAMES."""
    return encode_event_times(played, encoded_event_times(played))


def encode_event_times(played: Round, times: Sequence[int]) -> bytes:
    return _PACK_EVENTS(*times, *encode_event_figures(played))


def encode_event_figures(played: Round) -> tuple[int, int, int, int]:
    """The values of FIGURE_NAMES."""
    shown = (played.limits.min, played.limits.max) if played.limits else (NOT_REPORTED, NOT_REPORTED)
    lit = NOT_REPORTED if played.lit is None else areas_checksum(frozenset(played.lit))
    return lit, *shown, NOT_REPORTED if played.shoe is None else name_checksum(played.shoe)


@lru_cache(maxsize=65536)
def areas_checksum(areas: frozenset[str]) -> int:
    """56-bit checksum of a set of areas. A collision is practically impossible for the number of sets that occur."""
    return int.from_bytes(sha256(",".join(sorted(areas)).encode()).digest()[:7])


def encode_wagers(rounds: Sequence[Round]) -> list[bytes]:
    return encode_wagers_placed_at(rounds, wager_placed_times(rounds))


def wager_placed_times(rounds: Sequence[Round]) -> list[int]:
    """When each wager was first placed."""
    return [(wager.placed_at - _EPOCH) // _MICROSECOND for played in rounds for wager in played.wagers]


def encode_wagers_placed_at(rounds: Sequence[Round], placed_at: Sequence[int]) -> list[bytes]:
    """The encoded wagers of each round. `placed_at`: when each wager was first placed. Fills column by column, because
    numpy is slow record by record, then corrects the few wagers that were changed."""
    wagers = [wager for played in rounds for wager in played.wagers]
    records = np.empty(len(wagers), WAGER_RECORD)
    bets = np.frombuffer(bytes([BET_INDEX[wager.bet] for wager in wagers]), np.uint8)
    records["bet"] = bets
    records["verdict"] = np.frombuffer(bytes([VERDICT_INDEX[wager.verdict] for wager in wagers]), np.uint8)
    records["tender"] = np.frombuffer(bytes([TENDER_INDEX[wager.tender] for wager in wagers]), np.uint8)
    records["holder"] = [
        name_checksum(wager.player) if wager.player else _seat_checksum(wager.seat, wager.terminal) for wager in wagers
    ]
    records["terminal"] = [0 if wager.terminal is None else name_checksum(wager.terminal) for wager in wagers]
    records["chips"] = [_wager_chips_checksum(wager) if wager.chips else 0 for wager in wagers]
    records["stake"] = [wager.stake for wager in wagers]
    records["returned"] = [-1 if wager.returned is None else wager.returned for wager in wagers]
    records["placed"] = placed_at
    records["laid_on"] = np.where(_IS_STREAK[bets], NEEDS_EXACT_CHECK, bets)
    for number, wager in enumerate(wagers):
        if (
            wager.changes
            or wager.spoken
            or wager.warned
            or wager.registered is False
            or wager.paid_in is not None
            or wager.within_box is False
        ):
            _apply_changes(records, number, wager)
    _mark_early_wagers(records, rounds)
    return _split_bytes(records.tobytes(), [len(played.wagers) * WAGER_RECORD.itemsize for played in rounds])


def _apply_changes(records: Records, number: int, wager: Wager) -> None:
    """Corrects the record of a wager that was changed or that the columns cannot represent fully."""
    if not is_fully_encoded_wager(wager):
        records["laid_on"][number] = NEEDS_EXACT_CHECK
    if wager.changes:
        final = wager_after_changes(wager)
        records["bet"][number], records["stake"][number] = BET_INDEX[final.bet], final.stake
        records["placed"][number] = to_microseconds(final.placed_at)
        if _was_refunded_whole(final):
            records["verdict"][number] = VERDICT_INDEX["withdrawn"]


def _mark_early_wagers(records: Records, rounds: Sequence[Round]) -> None:
    """Marks changed wagers that were first placed before betting opened, because `placed` is the time of the change."""
    number = 0
    for played in rounds:
        for place, wager in enumerate(played.wagers):
            if wager.changes and any(e.name == "bets-open" and wager.placed_at < e.at for e in played.events):
                records["laid_on"][number + place] = NEEDS_EXACT_CHECK
        number += len(played.wagers)


def _split_bytes(packed: bytes, lengths: Sequence[int]) -> list[bytes]:
    ends = list(accumulate(lengths))
    return [packed[end - length : end] for end, length in zip(ends, lengths, strict=True)]


def _wager_chips_checksum(wager: Wager) -> int:
    chips = wager.chips
    return chips_checksum(wager_holder(wager), chips.colour, chips.value, chips.issued_at) if chips else 0


def wager_after_changes(wager: Wager) -> Wager:
    """The wager with all changes applied, also those after betting closed. `placed_at` becomes the time of the last
    change, so that late changes are detectable."""
    bet, stake, touched_at = wager.bet, wager.stake, wager.placed_at
    for change in sorted(wager.changes, key=lambda change: change.at):
        bet, stake, touched_at = change.bet or bet, change.stake or stake, max(change.at, touched_at)
    return replace(wager, bet=bet, stake=stake, placed_at=touched_at)


def _was_withdrawn(wager: Wager) -> bool:
    return any(change.what == "withdrawn" for change in wager.changes)


def _was_refunded_whole(wager: Wager) -> bool:
    """Whether the wager was withdrawn and its final stake returned in full."""
    return _was_withdrawn(wager) and wager.verdict == "void" and wager.returned == wager.stake


def is_fully_encoded_wager(wager: Wager) -> bool:
    """Whether the columns represent the wager fully."""
    return not (
        wager.spoken
        or wager.warned
        or wager.registered is False
        or wager.paid_in is not None
        or wager.within_box is False
        or wager.bet in STREAK_BET_CODES
        or (wager.changes and not _are_changes_encodable(wager))
    )


def _are_changes_encodable(wager: Wager) -> bool:
    """Whether the columns represent the changes: no move to a streak bet, and a withdrawn wager was fully refunded."""
    if any(change.bet in STREAK_BET_CODES for change in wager.changes):
        return False
    return not _was_withdrawn(wager) or _was_refunded_whole(wager_after_changes(wager))


def is_fully_encoded_round(played: Round) -> bool:
    has_result = played.dice is not None or played.cards is not None
    is_usual = has_result and played.no_result is None and played.lit != () and not played.player_limits
    # Columns hold the general limits of the sign only.
    is_usual = is_usual and (played.limits is None or not played.limits.by_bet)
    return is_usual and is_result_reported_correctly(played) and _is_usually_conducted(played)


def _is_usually_conducted(played: Round) -> bool:
    """One tumble event; the result called by the dealer from the lowest to the highest, with the total, and entered by
    the dealer, as far as it is reported."""
    called, entered = played.called, played.entered
    if called is not None and (called.total is None or not called.faces[0] <= called.faces[1] <= called.faces[2]):
        return False
    if (called is not None and called.by is not None and called.by.position != "dealer") or (
        entered is not None and entered.by is not None and entered.by.position != "dealer"
    ):
        return False
    tumbles = 0
    # A loop instead of generator expressions, which cost a call for each event.
    for event in played.events:
        if event.name == "tumbled":
            tumbles += 1
        elif event.by is not None and event.name in RESULT_EVENTS and event.by.position != "dealer":
            return False
    return tumbles <= 1


def have_lights_failed(played: Round) -> bool:
    """Whether no area lit up although there was a result."""
    return played.lit == () and (played.dice is not None or played.cards is not None)


def encode_outcome(played: Round) -> int:
    shown = played.dice if played.dice is not None else played.cards
    return -1 if shown is None else engine_bets.outcome_index(shown)


def tumble_count(played: Round) -> int | None:
    counts = [event.count for event in played.events if event.name == "tumbled" and event.count is not None]
    return sum(counts) if counts else None


def decode_wagers(packed: Sequence[bytes]) -> Records:
    """The wagers of many rounds as one array."""
    return np.frombuffer(b"".join(packed), WAGER_RECORD)


def decode_events(packed: Sequence[bytes]) -> Instants:
    """Array of round by event; NO_TIME if an event was not reported."""
    return _decode_times(packed)[:, : len(EVENTS)]


def decode_events_and_figures(packed: Sequence[bytes]) -> tuple[Instants, Instants]:
    """Two arrays: round by event, and round by figure with NOT_REPORTED for missing values."""
    both = _decode_times(packed)
    return both[:, : len(EVENTS)], both[:, len(EVENTS) :]


def _decode_times(packed: Sequence[bytes]) -> Instants:
    return np.frombuffer(b"".join(packed), "<i8").reshape(-1, len(EVENTS) + len(FIGURE_NAMES))
