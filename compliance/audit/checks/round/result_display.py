"""The result as called, entered, lit and displayed, compared with the dice or cards."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.catalogue.play_codes import ROUND_CALLED, ROUND_ENTRY, ROUND_LIT
from compliance.audit.checks.shared.check_types import RoundCheck
from compliance.audit.context.finding_draft import FindingDraft, round_draft
from compliance.audit.context.round_context import RoundContext
from rounds.engine import Outcome, RulesInForce, settle

DISPLAY_CHECK = "displayed"


def format_faces(outcome: Outcome) -> str:
    return "-".join(map(str, sorted(outcome)))


def winning_areas(rules_in_force: RulesInForce, outcome: Outcome) -> frozenset[str]:
    """The offered areas that this result pays, which must light up."""
    pay_table = rules_in_force.pay_table_for(None)
    if pay_table is None:
        return frozenset()
    return settle.find_winning_areas(rules_in_force.rules_for_pay_table(pay_table), rules_in_force.offered, outcome)


def check_called_result(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-CALLED (`conduct.call`): the dealer called another result."""
    rule, called, lay = context.pack.conduct.call, context.round.called, context.outcome
    if rule is None or called is None or lay is None:
        return
    if sorted(called.faces) != sorted(lay) or called.total not in (None, sum(lay)):
        total = f", total {called.total}" if called.total is not None else ""
        yield round_draft(
            context,
            ROUND_CALLED,
            what=context.round_label,
            clause=rule.clause,
            found=f"{format_faces(called.faces)}{total}",
            required=f"{format_faces(lay)}, total {sum(lay)}",
        )


def check_entered_result(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-ENTRY (`conduct.entry`): another result was keyed in."""
    rule, entered, lay = context.pack.conduct.entry, context.round.entered, context.outcome
    if rule is None or entered is None or lay is None or sorted(entered.faces) == sorted(lay):
        return
    yield round_draft(
        context,
        ROUND_ENTRY,
        what=context.round_label,
        found=format_faces(entered.faces),
        required=format_faces(lay),
        clause=context.pack.conduct.result.wrong_entry_clause or rule.clause,
    )


def check_lit_areas(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-LIT (`conduct.entry`): wrong areas lit up. No finding where no light worked, which is an equipment fault,
    or where the lights follow a wrong entry, which ROUND-ENTRY reports."""
    rule, lit, lay = context.pack.conduct.entry, context.round.lit, context.outcome
    if rule is None or not rule.lights_winners or not lit or lay is None:
        return
    winning, entered = winning_areas(context.rules_in_force, lay), context.round.entered
    follows_entry = entered is not None and frozenset(lit) == winning_areas(context.rules_in_force, entered.faces)
    if frozenset(lit) == winning or follows_entry or context.rules_in_force.pay_table_for(None) is None:
        return
    wrongly, dark = sorted(frozenset(lit) - winning), sorted(winning - frozenset(lit))
    yield round_draft(
        context,
        ROUND_LIT,
        what=context.round_label,
        clause=rule.clause,
        found=", ".join(wrongly) if wrongly else f"All but {', '.join(dark)}",
        required="only what won" if wrongly else ", ".join(dark),
    )


def check_displayed_result(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-LIT (`conduct.result`): a display showed another result. Displays do not decide the round, so this is for
    the record."""
    result, lay = context.pack.conduct.result, context.outcome
    if result.disregarded_clause is None or lay is None:
        return
    wrong = [each for each in context.round.displayed if sorted(each.faces) != sorted(lay)]
    if wrong:
        yield round_draft(
            context,
            ROUND_LIT,
            DISPLAY_CHECK,
            what=context.round_label,
            clause=result.disregarded_clause,
            found=", ".join(f"{format_faces(each.faces)} on {each.device}" for each in wrong),
            required=format_faces(lay),
            explanation=("What a display shows is disregarded: the round is settled by its result.",),
        )


CHECKS = (
    RoundCheck.of_code(ROUND_CALLED, check_called_result),
    RoundCheck.of_code(ROUND_ENTRY, check_entered_result),
    RoundCheck.of_code(ROUND_LIT, check_lit_areas),
    RoundCheck(DISPLAY_CHECK, frozenset({ROUND_LIT}), check_displayed_result),
)
