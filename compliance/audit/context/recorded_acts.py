"""Adds to each round what people recorded while it was on: warnings about the minimum, limits of single players,
refused wagers, wagers found above the maximum, which do not stand in full, and what the table reported of an
interruption. And which warnings are missing, by the earlier rounds of the gaming day."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial

import msgspec

from compliance.audit.context.entry_source import EntrySource, RoundSummary
from compliance.audit.context.round_context import Exclusion, NoRules, RoundContext
from compliance.audit.context.timeline import EventAt, EventSpan, HistoryReader, LookBack, read_histories
from compliance.audit.projections.rounds import rounds_from_entries
from compliance.tables.player_conduct.entry_kinds import EXCLUSION
from rounds.engine import Pack, first_event_times, wager_holder
from rounds.engine.settle import SETTLED_VERDICTS, WagerPosition, is_refused_or_forfeited
from rounds.intake import round_records
from rounds.intake.entry_kinds import ROUND, TERMINAL_INTERRUPTED, UNDER_MINIMUM_WARNING, WAGER_REFUSAL
from rounds.intake.round_records import RecordedAct

WARNINGS = LookBack(frozenset({UNDER_MINIMUM_WARNING}), round_records.LOOK_BACK)
PLAYER_LIMITS = LookBack(round_records.PLAYER_LIMIT_KINDS, round_records.LOOK_BACK)
REFUSALS = LookBack(frozenset({WAGER_REFUSAL}), round_records.LOOK_BACK)
# Rounds of the same gaming day, in which the owner of a wager may already have wagered under the minimum.
EARLIER_ROUNDS = LookBack(frozenset({ROUND}), round_records.LOOK_BACK)
EXCLUDE_FROM_GAME, EXCLUDE_FROM_CASINO = "exclude-from-game", "exclude-from-casino"
MINUTE, NO_END = timedelta(minutes=1), datetime.max.replace(tzinfo=UTC)
# How many rounds before an exclusion are searched for the player at a seat.
ROUNDS_SEARCHED = 10
INTERRUPTIONS = LookBack(frozenset({TERMINAL_INTERRUPTED}), round_records.LOOK_BACK)
# An interruption comes after the last event of its round.
AFTER_LAST_EVENT = timedelta(hours=1)


def with_recorded_acts(source: EntrySource, rounds: Iterable[RoundContext]) -> list[RoundContext]:
    """The rounds, with `warned` set on wagers, recorded limits of players, `recorded_refusals`, `over_limit_reports`,
    `missing_warnings` and `exclusions`. Few queries, and more where a wager under the minimum may lack a warning or
    somebody was excluded; none where the rules depend on none of them."""
    acted = _with_acts_of_people(source, list(rounds))
    return _with_exclusions(source, _with_missing_warnings(source, acted))


def _with_acts_of_people(source: EntrySource, rounds: list[RoundContext]) -> list[RoundContext]:
    requests = [
        (look_back, context.table, context.ended_at) for context in rounds for look_back in _look_backs(context.pack)
    ]
    requests += [
        (INTERRUPTIONS, each.table, each.ended_at + AFTER_LAST_EVENT)
        for each in rounds
        if round_records.depends_on_interruptions(each)
    ]
    histories = read_histories(source, requests)
    if not requests:
        return rounds
    return [_with_interruptions(_with_acts(context, histories), histories) for context in rounds]


def _with_interruptions(context: RoundContext, histories: HistoryReader) -> RoundContext:
    if not round_records.depends_on_interruptions(context):
        return context
    history = histories.history_before(INTERRUPTIONS, context.table, context.ended_at + AFTER_LAST_EVENT)
    lines = [(each.index, each.at, each.body) for each in history.events]
    return round_records.with_interruptions(context, context.index, lines)


def _look_backs(pack: Pack) -> list[LookBack]:
    needed = (
        (WARNINGS, round_records.has_warnings(pack)),
        (PLAYER_LIMITS, round_records.has_player_limits(pack)),
        (REFUSALS, round_records.has_recorded_refusals(pack)),
    )
    return [look_back for look_back, is_needed in needed if is_needed]


def _with_acts(context: RoundContext, histories: HistoryReader) -> RoundContext:
    for look_back in _look_backs(context.pack):
        history = histories.history_before(look_back, context.table, context.ended_at)
        acts = [RecordedAct(each.index, each.at, each.body) for each in history.events]
        if acts and look_back is WARNINGS:
            context = replace(context, round=round_records.with_warned_wagers(context.round, acts))
        elif acts and look_back is PLAYER_LIMITS:
            context = round_records.with_player_limits(context, acts)
        elif acts:
            context = round_records.with_refusals(context, context.index, acts)
    return context


# --- Missing warnings -----------------------------------------------------------------------------------------------


def _with_missing_warnings(source: EntrySource, rounds: list[RoundContext]) -> list[RoundContext]:
    """Reads the earlier rounds of a table and gaming day once, for all its rounds with a wager that needs it."""
    owners: dict[tuple[str, date], set[str]] = {}
    for context in rounds:
        for position in _unwarned_positions(context):
            of_day = owners.setdefault((context.table, context.round.gaming_day), set())
            of_day.add(wager_holder(position.wager))
    earlier = {
        (table, day): _rounds_under_minimum(source, table, day, of_day) for (table, day), of_day in owners.items()
    }
    return [
        replace(context, missing_warnings=_missing_warnings(context, before))
        if (before := earlier.get((context.table, context.round.gaming_day)))
        else context
        for context in rounds
    ]


def _unwarned_positions(context: RoundContext) -> Iterator[WagerPosition]:
    """The wagers under the minimum whose owner had not been warned, under rules that ask for a warning."""
    if round_records.has_warnings(context.pack):
        yield from (position for position in _positions_under_minimum(context) if not position.wager.warned)


def _positions_under_minimum(context: RoundContext) -> Iterator[WagerPosition]:
    for position in context.positions:
        held = context.holdings.get(position.wager.id)
        is_under = held is not None and held.is_under_minimum and position.wager.verdict != "refused"
        if is_under and not is_refused_or_forfeited(context, position):
            yield position


def _rounds_under_minimum(source: EntrySource, table: str, day: date, owners: Collection[str]) -> list[RoundContext]:
    """The rounds of a gaming day in which one of these owners may have wagered under the minimum."""
    played = rounds_from_entries(source.entries_at([each.index for each in source.rounds([table], days=(day, day))]))
    instants = [at for _, body in played for at in first_event_times(body).values()]
    if not instants:
        return []
    timeline = source.rules_timeline([table], min(instants), max(instants))
    found = []
    for entry, body in played:
        rules = timeline.rules_for_round(table, first_event_times(body))
        if not isinstance(rules, NoRules) and round_records.has_warnings(rules.pack):
            context = RoundContext(index=entry.index, table=table, round=body, rules_in_force=rules)
            found += [context] if _may_be_under_minimum(context, owners) else []
    return _with_acts_of_people(source, found)


def _may_be_under_minimum(context: RoundContext, owners: Collection[str]) -> bool:
    low = context.rules_in_force.limits.minimum_cents or 0
    is_certain = not round_records.has_player_limits(context.pack)
    return any(
        wager_holder(wager) in owners and (wager.stake < low or wager.warned or wager.changes or not is_certain)
        for wager in context.round.wagers
    )


def _missing_warnings(context: RoundContext, rounds: Collection[RoundContext]) -> dict[str, int]:
    """By wager: the owner's last wager under the minimum that was settled before it, if no wager since the beginning of
    the day was reported as warned."""
    missing = {}
    for position in _unwarned_positions(context):
        owner, placed_at = wager_holder(position.wager), position.wager.placed_at
        before = [each for each in rounds if each.index != context.index and each.ended_at < placed_at]
        settled = [each for each in before if owner in _owners_of_settled_wagers(each)]
        if settled and not any(_was_warned(each, owner) for each in before):
            missing[position.wager.id] = max(settled, key=lambda each: each.ended_at).index
    return missing


def _owners_of_settled_wagers(context: RoundContext) -> set[str]:
    """The owners of wagers under the minimum that were paid or collected. One that was handed back needs no warning."""
    settled = (each for each in _positions_under_minimum(context) if each.wager.verdict in SETTLED_VERDICTS)
    return {wager_holder(position.wager) for position in settled}


def _was_warned(context: RoundContext, owner: str) -> bool:
    return any(wager.warned and wager_holder(wager) == owner for wager in context.round.wagers)


# --- Exclusions -----------------------------------------------------------------------------------------------------


def has_exclusions(pack: Pack) -> bool:
    return pack.duties.device_ban is not None and EXCLUDE_FROM_GAME in pack.duties.device_ban.may


def exclusion_entries(source: EntrySource, tables: Collection[str], since: datetime) -> Iterator[EventAt]:
    """The records of exclusions at these tables that took effect at `since` or later. An exclusion may be recorded long
    after it took effect, so all that were recorded since are read."""
    recorded = source.events([EventSpan(frozenset({EXCLUSION}), frozenset(tables), since, NO_END)])
    return (each for each in recorded if excluded_from(each) >= since)


def excluded_from(event: EventAt) -> datetime:
    """When an exclusion certainly was in force. Staff enter whole minutes: such a time is some time within its
    minute."""
    stated: datetime = msgspec.convert(event.body["at"], datetime)
    return stated if stated.second or stated.microsecond else stated + MINUTE


def _with_exclusions(source: EntrySource, rounds: list[RoundContext]) -> list[RoundContext]:
    able = [context for context in rounds if has_exclusions(context.pack)]
    if not able:
        return rounds
    since = min(min(context.events.values()) for context in able) - round_records.LOOK_BACK
    found: dict[tuple[str, date], list[Exclusion]] = {}
    for event in exclusion_entries(source, {context.table for context in able}, since):
        last = source.last_round(event.table, excluded_from(event))
        # The marks of players last for a gaming day. Without a round before it, the day is not known.
        if last is not None:
            found.setdefault((event.table, last.gaming_day), []).append(_read_exclusion(source, event, last))
    return [
        replace(context, exclusions=found[key])
        if (key := (context.table, context.round.gaming_day)) in found and has_exclusions(context.pack)
        else context
        for context in rounds
    ]


def _read_exclusion(source: EntrySource, event: EventAt, last: RoundSummary) -> Exclusion:
    """An exclusion and the last round before it. Where it names a seat, the player is whoever last wagered there."""
    at, player, seat = excluded_from(event), event.body.get("player"), event.body.get("seat")
    of_day = partial(source.rounds, [event.table], days=(last.gaming_day, last.gaming_day))
    if not player and seat is not None:
        before = of_day(started=(None, last.started_at))[-ROUNDS_SEARCHED:]
        played = rounds_from_entries(source.entries_at([each.index for each in before]))
        at_seat = (wager for _, body in reversed(played) for wager in body.wagers if wager.seat == seat)
        player = next((wager.player for wager in at_seat), None)
    following = of_day(started=(at, None))[:1]
    around = frozenset(each.index for each in (last, *following))
    return Exclusion(event.index, at, event.body.get("scope") or "", player, seat, around)
