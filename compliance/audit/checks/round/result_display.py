"""The result as called, entered, lit and displayed, compared with the dice or cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compliance.audit.catalogue.play_codes import ROUND_CALLED, ROUND_DISPLAY, ROUND_ENTRY, ROUND_LIT
from compliance.audit.checks.shared.check_types import RoundCheck
from compliance.audit.checks.shared.roles import position_words, positions_for_role
from compliance.audit.context.finding_draft import FindingDraft, capitalize_first, round_draft
from compliance.audit.context.round_context import RoundContext
from rounds.engine import Outcome, RulesInForce, settle
from rounds.intake.protocol.fields import Staff

# Not the name of the code: findings about displays were recorded under this check before they had a code of their own,
# and an audit supersedes a finding of the same check.
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
    """ROUND-CALLED (`conduct.call`): another result was called, or not in the prescribed form, or by another
    position."""
    rule, called, lay = context.pack.conduct.call, context.round.called, context.outcome
    if rule is None or called is None or lay is None:
        return
    is_wrong = sorted(called.faces) != sorted(lay) or called.total not in (None, sum(lay))
    is_unordered = rule.is_low_to_high and list(called.faces) != sorted(called.faces)
    is_without_total = rule.names_the_total and called.total is None
    caller = _unnamed_position(context, "result-called", called.by, rule.called_by)
    if not (is_wrong or is_unordered or is_without_total or caller):
        return
    total = f", total {called.total}" if called.total is not None else ", without a total" if is_without_total else ""
    required = [f"{format_faces(lay)}, total {sum(lay)}"]
    required += ["called from the lowest to the highest"] if is_unordered else []
    required += [f"called by the {' or '.join(rule.called_by)}"] if caller else []
    yield round_draft(
        context,
        ROUND_CALLED,
        what=context.round_label,
        clause=rule.clause,
        found=f"{'-'.join(map(str, called.faces))}{total}{caller}",
        required=", ".join(required),
    )


def _unnamed_position(context: RoundContext, event: str, by: Staff | None, roles: Sequence[str]) -> str:
    """Text naming the position that called or entered the result, if the document does not name it. Empty where the
    feed does not say who it was."""
    reported = [by, *(each.by for each in context.round.events if each.name == event)]
    named = {position for role in roles for position in positions_for_role(context.pack, role)}
    # A dealer is no role of this product: the document's own word is the position.
    named |= {role.lower().replace(" ", "-") for role in roles}
    found = [each.position for each in reported if each is not None and each.position not in named]
    return f", by {position_words(found[0])}," if found else ""


def check_entered_result(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-ENTRY (`conduct.entry`): another result was keyed in, or by another position."""
    rule, entered, lay = context.pack.conduct.entry, context.round.entered, context.outcome
    if rule is None or entered is None or lay is None:
        return
    is_wrong = sorted(entered.faces) != sorted(lay)
    keyed_by = _unnamed_position(context, "result-entered", entered.by, rule.entered_by)
    if is_wrong or keyed_by:
        wrong_clause = context.pack.conduct.result.wrong_entry_clause
        by = f", entered by the {' or '.join(rule.entered_by)}" if keyed_by else ""
        yield round_draft(
            context,
            ROUND_ENTRY,
            what=context.round_label,
            found=f"{format_faces(entered.faces)}{keyed_by}",
            required=f"{format_faces(lay)}{by}",
            clause=(wrong_clause if is_wrong else None) or rule.clause,
        )


def check_lit_areas(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-LIT (`conduct.entry`): wrong areas lit up. No finding where no light worked, which is an equipment fault,
    or where the lights follow a wrong entry, which ROUND-ENTRY reports."""
    rule, lit, lay = context.pack.conduct.entry, context.round.lit, context.outcome
    if rule is None or not lit or lay is None or not context.have_lights_failed:
        return
    winning = winning_areas(context.rules_in_force, lay)
    wrongly, dark = sorted(frozenset(lit) - winning), sorted(winning - frozenset(lit))
    yield round_draft(
        context,
        ROUND_LIT,
        what=context.round_label,
        clause=rule.clause,
        found=capitalize_first(_area_names(wrongly)) if wrongly else f"All but {_area_names(dark)}",
        required="only what won" if wrongly else _area_names(dark),
    )


def _area_names(areas: Sequence[str]) -> str:
    return ", ".join(area.replace(":", " ") for area in areas)


def check_displayed_result(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-DISPLAY (`conduct.result.disregarded_clause`): a display showed another result. Displays do not decide the
    round, so this is a note."""
    result, lay = context.pack.conduct.result, context.outcome
    if result.disregarded_clause is None or lay is None:
        return
    wrong = [each for each in context.round.displayed if sorted(each.faces) != sorted(lay)]
    if wrong:
        yield round_draft(
            context,
            ROUND_DISPLAY,
            DISPLAY_CHECK,
            what=context.round_label,
            clause=result.disregarded_clause,
            found=" and ".join(f"{each.device} showed {format_faces(each.faces)}" for each in wrong),
            required=format_faces(lay),
            explanation=("What a display shows is disregarded: the round is settled by its result.",),
        )


CHECKS = (
    RoundCheck.of_code(ROUND_CALLED, check_called_result),
    RoundCheck.of_code(ROUND_ENTRY, check_entered_result),
    RoundCheck.of_code(ROUND_LIT, check_lit_areas),
    RoundCheck(DISPLAY_CHECK, frozenset({ROUND_DISPLAY}), check_displayed_result),
)
