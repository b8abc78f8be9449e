"""Records of people that change what the wagers of a round are owed: rounds and wagers declared void, forfeits,
refunds, payments after a dispute, warnings, limits of one player, and wagers found above the maximum.

The entries are written by other apps, which this one may not import. The audit
stores them as projections for many rounds; `read_later_records` reads them from the log for one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import reduce
from typing import Any, NamedTuple, TypeVar

import msgspec

from rounds.engine import Outcome, Pack, RulesInForce, settle
from rounds.engine import pack as engine_pack
from rounds.engine.settle import (
    DAMAGED_DICE,
    INVALIDATED,
    LaterDecisions,
    RecordedRefusal,
    ReportedInterruption,
    RoundToSettle,
)
from rounds.intake.entry_kinds import (
    CONTROLLER_CORRECTION,
    DISPUTE_PAID,
    INVALIDATION,
    PLAYER_LIMIT,
    PLAYER_LIMIT_ENDED,
    STAKES_RETURNED,
    TERMINAL_INTERRUPTED,
    UNDER_MINIMUM_WARNING,
    VOID_SET,
    WAGER_REFUSAL,
    WAGERS_VOIDED,
)
from rounds.intake.protocol.fields import PlayerLimits
from rounds.intake.protocol.round import Round, Wager
from rounds.intake.protocol.table import Interrupted
from rounds.ledger import EntryError, EntryQuery, LogEntry, corrections_of, read_table_entries, search_entries

LIMIT_GROUNDS = "limits"
PLAYER_LIMIT_KINDS = frozenset({PLAYER_LIMIT, PLAYER_LIMIT_ENDED})
# Warnings and the pseudonyms of players last for the gaming day. The longest has 25 hours, and rounds may end after it.
LOOK_BACK = timedelta(hours=36)
# For the streaks of one round; the audit counts longer ones from its columns.
MAX_ROUNDS_BACK, MAX_ROUNDS_LATE = 200, 50
Settled = TypeVar("Settled", bound=RoundToSettle)


# --- Later decisions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RoundDecision:
    """What one entry decides about one round. `reason` voids the whole round, `voided` only those wagers."""

    set_index: int
    at: datetime
    decided_as: str = ""
    reason: str = ""
    refunds: Mapping[str, int] = field(default_factory=dict)
    voided: Sequence[str] = field(default_factory=list)
    forfeited: Sequence[str] = field(default_factory=list)


def _read_void_set(content: Mapping[str, Any], index: int, played: Round) -> dict[str, Any]:
    return {"reason": DAMAGED_DICE}


def _read_invalidation(content: Mapping[str, Any], index: int, played: Round) -> dict[str, Any]:
    return {"reason": INVALIDATED, "forfeited": _named_wagers(content, "forfeited", index)}


def _read_voided_wagers(content: Mapping[str, Any], index: int, played: Round) -> dict[str, Any]:
    """The wagers it names; without any, all wagers of the person in the round."""
    if content.get("wagers"):
        return {"voided": _named_wagers(content, "wagers", index)}
    return {"voided": [wager.id for wager in played.wagers if _is_wager_of_person(wager, content)]}


def _read_returned_stakes(content: Mapping[str, Any], index: int, played: Round) -> dict[str, Any]:
    refunds: dict[str, int] = {}
    for each in content["returned"]:
        if each["round"] == index:
            refunds[each["wager"]] = refunds.get(each["wager"], 0) + each["cents"]
    return {"refunds": refunds}


_DECISION_READERS: Mapping[str, Callable[[Mapping[str, Any], int, Round], dict[str, Any]]] = {
    VOID_SET: _read_void_set,
    INVALIDATION: _read_invalidation,
    WAGERS_VOIDED: _read_voided_wagers,
    STAKES_RETURNED: _read_returned_stakes,
}
DECISION_KINDS = frozenset(_DECISION_READERS)


def _named_wagers(content: Mapping[str, Any], member: str, index: int) -> list[str]:
    """Wagers are named as "entry index:wager id"."""
    split = (each.partition(":") for each in content.get(member) or ())
    return [wager for entry, _, wager in split if entry == str(index)]


def _is_wager_of_person(wager: Wager, content: Mapping[str, Any]) -> bool:
    player, seat = content.get("player"), content.get("seat")
    return wager.player == player if player else seat is not None and wager.seat == seat


def read_decision(entry: LogEntry, content: Mapping[str, Any], index: int, played: Round) -> RoundDecision:
    """What the entry, with this content, decides about the round at this index."""
    decided = _DECISION_READERS[entry.kind](content, index, played)
    return RoundDecision(entry.index, msgspec.convert(content["at"], datetime), content.get("as") or "", **decided)


def merge_decisions(decisions: Iterable[RoundDecision]) -> LaterDecisions | None:
    """In log order. The first decision that voids the round gives the reason; refunds add up."""
    merged = reduce(_merge_decision, decisions, LaterDecisions(()))
    return merged if merged.sets else None


def _merge_decision(earlier: LaterDecisions, decision: RoundDecision) -> LaterDecisions:
    refunds, voided = dict(earlier.refunds), dict(earlier.wagers)
    for wager, cents in decision.refunds.items():
        refunds[wager] = refunds.get(wager, 0) + cents
    for wager in decision.voided:
        voided.setdefault(wager, (decision.set_index, decision.at))
    joined = replace(earlier, sets=(*earlier.sets, decision.set_index), refunds=refunds, wagers=voided)
    if decision.reason == INVALIDATED:
        joined = replace(joined, forfeited=frozenset(decision.forfeited) | (earlier.forfeited or frozenset()))
    if earlier.reason or not decision.reason:
        return joined
    return replace(joined, reason=decision.reason, at=decision.at, decided_as=decision.decided_as)


# --- Payments after a dispute ---------------------------------------------------------------------------------------


class DisputePayment(NamedTuple):
    """Money paid to the patron after a dispute, for one wager. Negative if it was taken back from the patron."""

    entry_index: int
    wager: str
    cents: int


def read_payment(index: int, content: Mapping[str, Any]) -> DisputePayment:
    sign = -1 if content["way"] == "taken-back" else 1
    return DisputePayment(index, content.get("wager", ""), sign * content["amount_cents"])


def with_dispute_payments(played: Settled, payments: Collection[DisputePayment]) -> Settled:
    """The round with these payments counted as returned, whatever is computed from it. Payments for no wager in
    particular change no wager."""
    reported = played.round
    if not payments or not isinstance(reported, Round):
        return played
    entries: dict[str, list[int]] = {}
    for each in payments:
        if each.wager:
            entries.setdefault(each.wager, []).append(each.entry_index)
    wagers = tuple(
        wager
        if wager.returned is None
        else msgspec.structs.replace(
            wager, returned=wager.returned + sum(each.cents for each in payments if each.wager == wager.id)
        )
        for wager in reported.wagers
    )
    return replace(played, round=msgspec.structs.replace(reported, wagers=wagers), payment_entries=entries)


# --- Warnings, limits of one player, wagers found above the maximum -------------------------------------------------


@dataclass(frozen=True)
class RecordedAct:
    """A warning, refusal or limit of one player: its entry, when it happened, and what the entry states."""

    index: int
    at: datetime
    body: Mapping[str, Any]


def has_warnings(pack: Pack) -> bool:
    rule = pack.law.settlement.under_minimum
    return rule is not None and rule.settled == "once-then-returned"


def with_warned_wagers(played: Round, warnings: Iterable[RecordedAct]) -> Round:
    """The round with `warned` set on the wagers of warned players, as if the controller had said so."""
    day = played.gaming_day.isoformat()
    valid = [warning for warning in warnings if warning.body["gaming_day"] == day]
    if not valid:
        return played
    wagers = (
        msgspec.structs.replace(wager, warned=True)
        if any(_warning_applies_to(warning.body, wager) for warning in valid)
        else wager
        for wager in played.wagers
    )
    return msgspec.structs.replace(played, wagers=tuple(wagers))


def _warning_applies_to(warning: Mapping[str, Any], wager: Wager) -> bool:
    """Same player, or same seat where no player is named; and warned before the wager was placed."""
    is_same = warning["player"] == wager.player if warning["player"] else warning["seat"] == wager.seat
    return is_same and datetime.fromisoformat(warning["at"]) <= wager.placed_at


def has_player_limits(pack: Pack) -> bool:
    return pack.duties.player_limits is not None


def with_player_limits(played: Settled, records: Iterable[RecordedAct]) -> Settled:
    """The round with the limits of single players that were on record at its cut-off, as if the controller had said so.
    What the controller says comes first."""
    reported, by = played.round, played.cut_off_at or played.ended_at
    in_time = [record for record in records if record.at <= by]
    ended = {record.body.get("player_limit") for record in in_time}
    own = [record.body for record in in_time if "min" in record.body and record.index not in ended]
    if not own or not isinstance(reported, Round):
        return played
    recorded = (PlayerLimits(min=one["min"], max=one["max"], player=one["player"], seat=one["seat"]) for one in own)
    limits = (*reported.player_limits, *recorded)
    return replace(played, round=msgspec.structs.replace(reported, player_limits=limits))


def has_over_limit_reports(pack: Pack) -> bool:
    """Whether the rules depend on when a wager above the maximum was found."""
    rule = pack.law.settlement.over_maximum
    return rule is not None and rule.found_on_a_later_game == "stands"


def over_limit_reports(played: RoundToSettle, index: int, refusals: Iterable[RecordedAct]) -> dict[str, int]:
    """By wager above the maximum that was found before the round was settled, the entry of the record. A wager id
    without entry index means the round that was on at that time."""
    events = played.events
    settled_at = min((events[name] for name in engine_pack.PAYOUT_EVENTS if name in events), default=played.ended_at)
    began_at = min(events.values())
    on_time = [each for each in refusals if each.body["grounds"] == LIMIT_GROUNDS and each.at <= settled_at]
    return {name: each.index for each in on_time for name in _refused_wagers(each, index, is_on=each.at >= began_at)}


def has_recorded_refusals(pack: Pack) -> bool:
    """Whether the rules depend on when or why a wager was refused, or found above the maximum."""
    duty = pack.duties.wager_refusal
    return has_over_limit_reports(pack) or (duty is not None and duty.reaches != "silent")


def with_refusals(played: Settled, index: int, refusals: Sequence[RecordedAct]) -> Settled:
    """The round with what people recorded while it was on: wagers refused, and wagers found above the maximum."""
    began_at, recorded = min(played.events.values()), dict[str, RecordedRefusal]()
    for each in refusals:
        for name in _refused_wagers(each, index, is_on=each.at >= began_at):
            recorded.setdefault(name, RecordedRefusal(each.at, each.body["grounds"]))
    reports = over_limit_reports(played, index, refusals) if has_over_limit_reports(played.pack) else {}
    return replace(played, recorded_refusals=recorded, over_limit_reports=reports)


def _refused_wagers(each: RecordedAct, index: int, *, is_on: bool) -> list[str]:
    split = [name.rpartition(":") for name in each.body["wagers"] or ()]
    return [wager for entry, _, wager in split if entry == str(index) or (not entry and is_on)]


# --- Interruptions --------------------------------------------------------------------------------------------------


def depends_on_interruptions(played: RoundToSettle) -> bool:
    """Whether the round is declared void by an interruption, and the rules ask whether its outcome was established."""
    declared = played.round.no_result
    is_interrupted = declared is not None and declared.reason == "interrupted"
    return is_interrupted and played.pack.duties.interruption is not None


def with_interruptions(played: Settled, index: int, lines: Iterable[tuple[int, datetime, Interrupted]]) -> Settled:
    """The round at this index with what the table reported before it of its interruption: entry, time and line."""
    own = [
        ReportedInterruption(entry, at, line.outcome_established)
        for entry, at, line in lines
        if entry < index and isinstance(played.round, Round) and line.round == played.round.round
        if line.outcome_established is not None
    ]
    return replace(played, interruptions=own)


# --- One round ------------------------------------------------------------------------------------------------------


class RoundLine(msgspec.Struct, frozen=True):
    """The line of a round: when it was sent, the round, and where it comes from if not from a controller."""

    at: datetime
    body: Round
    origin: Mapping[str, Any] | None = None


def read_round_line(entry: LogEntry) -> RoundLine | None:
    """None if the stored body cannot be parsed as a round."""
    try:
        return msgspec.convert(entry.content(), RoundLine)
    except (EntryError, msgspec.ValidationError):
        return None


def read_round_to_settle(entry: LogEntry, played: Round, rules: RulesInForce) -> RoundToSettle:
    """The round of this entry with everything that people recorded about it, read from the log."""
    decisions, payments = _decisions_and_payments(entry, played)
    reported = RoundToSettle(round=played, rules_in_force=rules, later_decisions=merge_decisions(decisions))
    acts = _acts_before(entry, _act_kinds(rules.pack), reported.ended_at)
    warnings, limits, refusals = (
        [act for kind, act in acts if kind in kinds]
        for kinds in ({UNDER_MINIMUM_WARNING}, PLAYER_LIMIT_KINDS, {WAGER_REFUSAL})
    )
    reported = with_player_limits(replace(reported, round=with_warned_wagers(played, warnings)), limits)
    reported = with_refusals(reported, entry.index, refusals)
    if depends_on_interruptions(reported):
        reported = with_interruptions(reported, entry.index, _reported_interruptions(entry, reported.ended_at))
    return with_dispute_payments(reported, payments)


def read_later_decisions(entry: LogEntry, played: Round) -> LaterDecisions | None:
    """For a round without approved rules, whose wagers are not settled."""
    return merge_decisions(_decisions_and_payments(entry, played)[0])


def _reported_interruptions(entry: LogEntry, ended_at: datetime) -> list[tuple[int, datetime, Interrupted]]:
    since = ended_at - LOOK_BACK
    found = _valid_entries(entry, {TERMINAL_INTERRUPTED, CONTROLLER_CORRECTION}, recorded_from=since)
    corrected = {
        (each.controller, line["body"]["corrects"]) for each, line in found if each.kind == CONTROLLER_CORRECTION
    }
    return [
        (each.index, msgspec.convert(line["at"], datetime), msgspec.convert(line["body"], Interrupted))
        for each, line in found
        if each.kind == TERMINAL_INTERRUPTED and (each.controller, each.sequence) not in corrected
    ]


def _decisions_and_payments(entry: LogEntry, played: Round) -> tuple[list[RoundDecision], list[DisputePayment]]:
    decisions, payments = [], []
    for each, content in _valid_entries(entry, DECISION_KINDS | {DISPUTE_PAID}, first=entry.index + 1):
        if each.kind == DISPUTE_PAID and content["corrects"] == entry.index:
            payments.append(read_payment(each.index, content))
        elif each.kind != DISPUTE_PAID and entry.index in content["rounds"]:
            decisions.append(read_decision(each, content, entry.index, played))
    return decisions, payments


def _act_kinds(pack: Pack) -> set[str]:
    """The kinds of acts on which amounts depend under these rules."""
    kinds = {UNDER_MINIMUM_WARNING} if has_warnings(pack) else set()
    kinds |= PLAYER_LIMIT_KINDS if has_player_limits(pack) else set()
    return kinds | ({WAGER_REFUSAL} if has_over_limit_reports(pack) else set())


def _acts_before(entry: LogEntry, kinds: Collection[str], ended_at: datetime) -> list[tuple[str, RecordedAct]]:
    """The acts of these kinds at the table in the time before the round ended, in order of time. An act without a
    stated time happened when it was recorded."""
    since = ended_at - LOOK_BACK
    acts = []
    for each, content in _valid_entries(entry, kinds, recorded_from=since) if kinds else ():
        at = msgspec.convert(content["at"], datetime) if "at" in content else each.recorded_at
        if since <= at <= ended_at:
            acts.append((str(each.kind), RecordedAct(each.index, at, content)))
    return sorted(acts, key=lambda act: (act[1].at, act[1].index))


def _valid_entries(
    entry: LogEntry, kinds: Collection[str], *, first: int = 0, recorded_from: datetime | None = None
) -> list[tuple[LogEntry, Mapping[str, Any]]]:
    """Entries of these kinds about the same table that were not taken back, with their contents, in log order."""
    found = read_table_entries(entry.log, entry.table or "", kinds, first=first, recorded_from=recorded_from)
    taken_back = corrections_of(entry.log, [each.index for each in found]) if found else {}
    return [(each, each.content()) for each in found if each.index not in taken_back]


def streak_results(
    entry: LogEntry, wager: str, rules: RulesInForce
) -> tuple[Outcome | None, list[settle.TableResult]] | None:
    """The result on the table when a streak wager was placed, and the results since, up to the round of this entry.
    None if it was placed more than MAX_ROUNDS_BACK rounds before, or its placing was never reported. `rules` are those
    in force for the round."""
    wanted = EntryQuery(table=entry.table or "", kind=entry.kind)
    back = search_entries(entry.log, wanted, before=entry.index + 1, limit=MAX_ROUNDS_BACK)
    # Rounds are counted in order of play; some are reported late.
    late = search_entries(entry.log, wanted, after=entry.index, limit=MAX_ROUNDS_LATE)
    found = [*late.entries, *back.entries]
    first = found[-1].index
    invalidated = {
        each for _, content in _valid_entries(entry, {INVALIDATION}, first=first) for each in content["rounds"]
    }
    corrections = _valid_entries(entry, {CONTROLLER_CORRECTION}, first=first)
    corrected = {(each.controller, content["body"]["corrects"]) for each, content in corrections}
    taken_back = corrections_of(entry.log, [each.index for each in found])
    lines = ((each, read_round_line(each)) for each in found)
    rounds = sorted(
        (min(event.at for event in line.body.events), each.index, line.body)
        for each, line in lines
        if line and each.index not in taken_back and (each.controller, each.sequence) not in corrected
    )
    upto = next(place for place, (_, index, _) in enumerate(rounds) if index == entry.index) + 1
    naming = [place for place, (*_, played) in enumerate(rounds[:upto]) if wager in {one.id for one in played.wagers}]
    if not naming or (naming[0] == 0 and back.older is not None):
        return None
    opening, *after = (
        settle.TableResult(None) if index in invalidated else _streak_result(played, rules)
        for _, index, played in rounds[naming[0] : upto]
    )
    return opening.outcome, after


def _streak_result(played: Round, rules: RulesInForce) -> settle.TableResult:
    return RoundToSettle(round=played, rules_in_force=rules).streak_result
