"""What the rule version in force gives for a round's wagers, compared with what the table did. Decides nothing. The
engine settles each wager under the facts recorded for its table; a person decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.forms import dollars
from rounds.engine import BETS, EngineError, Outcome, WagerLimits, WagerQuestion, parse_odds, settle
from rounds.floor import fact_values
from rounds.floor.selectors import offered_bets
from rounds.intake.round_view import RoundView, WagerView, read_round
from rounds.ledger import EntryQuery, search_entries
from rounds.rulebook.calculator.answer import AnswerDisplay, build_answer_display
from rounds.rulebook.calculator.available_rules import IN_FORCE, AvailableRules
from rounds.rulebook.calculator.calculation import calculate

# Longer streaks are only worked out by the audit, which reads every round.
MAX_ROUNDS_BACK = 200
AS_THE_RULES_SAY = Tag("As the rules say", "success")
NO_VERDICT = Tag("No verdict", "neutral")


@dataclass(frozen=True)
class WagerAssessment:
    """One wager: what the table did, and what the rules give. `why_not` says why the rules give no amount."""

    read: WagerView
    answer: AnswerDisplay | None = None
    why_not: str = ""
    clause: str = ""

    @property
    def wager_id(self) -> str:
        return self.read.wager.id

    @property
    def due_cents(self) -> int | None:
        return self.answer.returned_cents if self.answer else None

    @property
    def found_cents(self) -> int | None:
        return self.read.wager.returned

    @property
    def difference_cents(self) -> int | None:
        """What the patron is short of; negative if the table returned too much."""
        if self.due_cents is None or self.found_cents is None:
            return None
        return self.due_cents - self.found_cents

    @property
    def tag(self) -> Tag:
        short = self.difference_cents
        if short is None:
            return NO_VERDICT
        if short == 0:
            return AS_THE_RULES_SAY
        return Tag(f"${dollars(short)} too {'little' if short > 0 else 'much'} handed back", "danger")

    @property
    def main_clause(self) -> str:
        """The clause that the settlement rests on: that of the win or loss, before those of the payout."""
        clauses = [clause for _, clause in self.answer.steps if clause] if self.answer else []
        return clauses[0] if clauses else self.clause


def assess(read: RoundView) -> list[WagerAssessment]:
    """Every wager of the round, in the order reported by the table."""
    return list(_assess_each(read))


def assess_wager(read: RoundView, wager_id: str) -> WagerAssessment:
    """One wager of the round; it must be in it."""
    wager = next(each for each in read.wagers if each.wager.id == wager_id)
    return _assess_wager_view(read, wager, _stakes_within_maximum(read).get(wager_id))


def _assess_each(read: RoundView) -> Iterator[WagerAssessment]:
    live = _stakes_within_maximum(read)
    for wager in read.wagers:
        yield _assess_wager_view(read, wager, live.get(wager.wager.id))


def _assess_wager_view(read: RoundView, wager: WagerView, live_cents: int | None) -> WagerAssessment:
    if read.version is None or read.rules is None:
        return WagerAssessment(
            wager, why_not="No approved rules were in force at this table when the round was played."
        )
    if wager.is_withdrawn:
        return WagerAssessment(wager, why_not="The wager was withdrawn before the end.")
    if (late := _late_wager_assessment(read, wager)) is not None:
        return late
    pay_table = read.pay_table(wager.wager.terminal)
    if pay_table is None:
        return WagerAssessment(wager, why_not="No pay table is on record for this terminal.")
    question = _settlement_question(read, wager, live_cents)
    if question is None:
        return WagerAssessment(wager, why_not="The streak began too long ago to be worked out here; the audit does it.")
    chosen = AvailableRules(
        read.version.pack_id, read.version.title, IN_FORCE, read.version, adopted=read.version.readings
    )
    try:
        answer = calculate(chosen.pack, pay_table, read.version.readings, question)
    except EngineError as error:
        return WagerAssessment(wager, why_not=error.message)
    return WagerAssessment(wager, build_answer_display(answer, chosen))


def _late_wager_assessment(read: RoundView, wager: WagerView) -> WagerAssessment | None:
    """Not settled, if the document declares wagers placed after betting closed invalid."""
    assert read.rules is not None
    assert read.played is not None
    conduct = read.rules.pack.conduct
    closing = [event.at for event in read.played.events if event.name in conduct.no_more_bets.events]
    rule = conduct.late_wagers
    if rule is None or rule.placed != "not-valid" or not closing or wager.wager.placed_at < min(closing):
        return None
    return WagerAssessment(
        wager, why_not="It was placed after betting had closed, so it is not valid.", clause=rule.clause
    )


def _settlement_question(read: RoundView, wager: WagerView, live_cents: int | None) -> WagerQuestion | None:
    """The question to the engine; None if the start of a streak is too far back."""
    played, facts, rules = read.played, read.facts, read.rules
    assert played is not None
    assert facts is not None
    assert rules is not None
    has_failed = played.lit == () and read.faces is not None
    offered, outcome, called = offered_bets(rules.pack, facts), _round_outcome(read), played.called
    is_lit_otherwise = (
        called is not None
        and outcome is not None
        and played.lit is not None
        and read.pay_table(None) is not None
        and settle.are_lights_inconclusive(rules, offered, played.lit, outcome, called.faces)
    )
    question = WagerQuestion(
        bet=BETS[wager.bet],
        stake_cents=wager.stake_cents,
        outcome=outcome,
        limits=_wager_limits(read, wager, live_cents),
        offered=offered,
        is_promotional_token=wager.wager.tender == "promotional-token",
        was_warned=wager.wager.warned,
        was_registered=wager.wager.registered is not False,
        void_reason=played.no_result.reason if played.no_result else None,
        have_lights_failed=is_lit_otherwise,
        called=called.faces if called else None,
    )
    if question.bet.is_streak:
        return _streak_question(read, wager, question, has_failed=has_failed)
    return _with_posted_odds(wager, question)


def _round_outcome(read: RoundView) -> Outcome | None:
    faces = read.faces
    return (faces[0], faces[1], faces[2]) if faces else None


def _wager_limits(read: RoundView, wager: WagerView, live_cents: int | None) -> WagerLimits:
    assert read.facts is not None
    stated, chip = read.facts.get(fact_values.Limits), read.facts.get(fact_values.SmallestChip)
    unit = chip.cents if chip else None
    if stated is None:
        return WagerLimits(payable_unit_cents=unit)
    clipped = live_cents if live_cents is not None and live_cents < wager.stake_cents else None
    own = wager.own_limits
    return WagerLimits(own.min if own else stated.min, clipped, stated.multiples, unit)


def _stakes_within_maximum(read: RoundView) -> dict[str, int]:
    """Stakes after clipping at the maximum.
    A player's wagers on one box count together; the last placed is clipped first."""
    stated = read.facts.get(fact_values.Limits) if read.facts else None
    if stated is None:
        return {}
    left: dict[tuple[str, str], int] = {}
    live: dict[str, int] = {}
    for wager in sorted(read.wagers, key=lambda each: each.wager.placed_at):
        if wager.is_withdrawn:
            continue
        box, own = (wager.holder, wager.bet), wager.own_limits
        room = left.setdefault(box, own.max if own else stated.max)
        live[wager.wager.id] = min(room, wager.stake_cents)
        left[box] = room - live[wager.wager.id]
    return live


def _with_posted_odds(wager: WagerView, question: WagerQuestion) -> WagerQuestion:
    """Adds odds posted at the table, which count where the document says so. Unreadable odds count as not posted."""
    stated = wager.posted_odds
    if stated is None:
        return question
    try:
        odds = parse_odds(stated) if isinstance(stated, str) else tuple(map(parse_odds, stated))
    except EngineError:
        return question
    return replace(question, posted_odds=odds)


def _streak_question(
    read: RoundView, wager: WagerView, question: WagerQuestion, *, has_failed: bool
) -> WagerQuestion | None:
    """The result when the streak wager was placed, and every later result of the table."""
    back = search_entries(
        read.casino.slug,
        EntryQuery(table=read.entry.table or "", kind="round"),
        before=read.entry.index + 1,
        limit=MAX_ROUNDS_BACK,
    )
    rounds = [read_round(read.casino, entry) for entry in reversed(back.entries)]
    naming = [place for place, each in enumerate(rounds) if wager.wager.id in {one.wager.id for one in each.wagers}]
    if not naming or (naming[0] == 0 and back.older is not None):
        return None
    opening, *after = rounds[naming[0] :]
    return replace(
        question,
        outcome=None,
        opening=_round_outcome(opening),
        history=tuple(map(_result_unless_void, after)),
        limits=WagerLimits(),
        have_lights_failed=has_failed,
    )


def _result_unless_void(read: RoundView) -> Outcome | None:
    return None if read.played and read.played.no_result else _round_outcome(read)
