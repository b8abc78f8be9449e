"""What the rule version in force gives for a round's wagers, compared with what the table did. Decides nothing:
rounds.engine.settle computes what each wager is owed, as in the audit, and a person decides."""

from __future__ import annotations

from dataclasses import dataclass

from compliance.core.web.local_time import with_local_clocks
from compliance.core.web.ui.components import Tag
from rounds.engine import EngineError
from rounds.engine.money import format_cents
from rounds.engine.settle import AmountOwed, OwedReason, WagerSettlement
from rounds.intake.round_view import RoundView, WagerView
from rounds.rulebook.calculator.answer import AnswerDisplay, build_answer_display
from rounds.rulebook.calculator.available_rules import IN_FORCE, AvailableRules
from rounds.rulebook.calculator.calculation import explain_calculation
from rounds.rulebook.models import RuleVersion

AS_THE_RULES_SAY = Tag("As the rules say", "success")
NO_VERDICT = Tag("No verdict", "neutral")
NO_RULES = "No approved rules were in force at this table when the round was played."
STREAK_TOO_OLD = "The streak began too long ago to be worked out here; the audit does it."
REASON_TEXTS = {
    OwedReason.REFUSED: "The wager was refused, so its stake is handed back.",
    OwedReason.FORFEITED: "The wager was forfeited.",
    OwedReason.PLACED_LATE: "It was placed after betting had closed, so it is not valid.",
    OwedReason.WITHDRAWN: "The wager was withdrawn before betting closed.",
    OwedReason.NO_PAY_TABLE: "No pay table is on record for this terminal.",
}


@dataclass(frozen=True)
class WagerAssessment:
    """One wager: what was returned, later payments included, and what the rules give. `why` says what the amounts
    follow from, or why there is none, where the steps of `answer` do not say it."""

    read: WagerView
    due_cents: int | None = None
    answer: AnswerDisplay | None = None
    why: str = ""
    clause: str = ""
    is_met: bool = False

    @property
    def wager_id(self) -> str:
        return self.read.wager.id

    @property
    def found_cents(self) -> int | None:
        return self.read.returned_cents

    @property
    def tag(self) -> Tag:
        if self.due_cents is None or self.found_cents is None:
            return NO_VERDICT
        short = self.due_cents - self.found_cents
        if self.is_met or not short:
            return AS_THE_RULES_SAY
        return Tag(f"{format_cents(abs(short))} too {'little' if short > 0 else 'much'} handed back", "danger")

    @property
    def difference_cents(self) -> int | None:
        """What the patron is short of; negative if the table returned more than is owed, which may be right (`is_met`),
        such as for a wager above the maximum that stands."""
        if self.due_cents is None or self.found_cents is None:
            return None
        return self.due_cents - self.found_cents

    @property
    def nothing_due(self) -> str:
        """Instead of an amount, where the rules give none."""
        return self.answer.nothing_due if self.answer else "" if self.due_cents is not None else self.why

    @property
    def main_clause(self) -> str:
        """The clause that the amount rests on: that of the win or loss, before those of the payout."""
        clauses = [clause for _, clause in self.answer.steps if clause] if self.answer else []
        return self.clause or (clauses[0] if clauses else "")


def assess(read: RoundView) -> list[WagerAssessment]:
    """Every wager of the round, in the order reported by the table."""
    return [_assess_wager_view(wager) for wager in read.wagers]


def assess_wager(read: RoundView, wager_id: str) -> WagerAssessment:
    """One wager of the round; it must be in it."""
    return _assess_wager_view(next(each for each in read.wagers if each.wager.id == wager_id))


def _assess_wager_view(wager: WagerView) -> WagerAssessment:
    version, played, owed = wager.round.version, wager.round.to_settle, wager.owed
    if version is None or played is None:
        return WagerAssessment(wager, why=NO_RULES)
    if owed is None:
        return _assess_streak(wager, version)
    answer = _answer_display(version, owed.settled) if owed.settled else None
    return WagerAssessment(wager, owed.cents, answer, " ".join(_reasons(owed, wager.round)), owed.clause, owed.is_met)


def _reasons(owed: AmountOwed, read: RoundView) -> list[str]:
    decisions, added = owed.round.later_decisions, owed.position.added_late_cents
    texts = [REASON_TEXTS.get(owed.reason, f"{owed.error.message}." if owed.error else "")]
    if owed.reason is OwedReason.ROUND_VOID and owed.round.void_grounds is not None:
        texts = ["The round should have been void.", owed.round.void_grounds.why]
    elif owed.reason is OwedReason.DECLARED_VOID and decisions is not None:
        texts = [f"Entry {decisions.wagers[owed.position.wager.id][0]:,} declares the wager void."]
    elif owed.round.is_voided_later and decisions is not None:
        texts.append(f"The round was determined to be void later, by entry {', '.join(map(str, decisions.sets))}.")
    if owed.reason is OwedReason.SETTLED and added:
        texts.append(f"{format_cents(added)} was added after betting had closed and is handed back.")
    paid = owed.round.payment_entries.get(owed.position.wager.id, ())
    texts += [f"What was returned includes the payment after a dispute of entry {entry:,}." for entry in paid]
    return [with_local_clocks(text, read.at, read.casino) for text in texts if text]


def _assess_streak(wager: WagerView, version: RuleVersion) -> WagerAssessment:
    """By the result when the streak wager was placed, and every later result of the table."""
    try:
        settled = wager.settled_streak
    except EngineError as error:
        return WagerAssessment(wager, why=error.message)
    if settled is None:
        return WagerAssessment(wager, why=STREAK_TOO_OLD)
    due = settled.settlement.returned_cents
    is_met = due == wager.returned_cents
    return WagerAssessment(wager, due, _answer_display(version, settled), is_met=is_met)


def _answer_display(version: RuleVersion, settled: WagerSettlement) -> AnswerDisplay:
    chosen = AvailableRules(version.pack_id, version.title, IN_FORCE, version, adopted=version.readings)
    return build_answer_display(explain_calculation(settled.rules, settled.question, settled.settlement), chosen)
