"""The result as it was called, entered, lit and displayed, against the dice or cards as they lay."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.drafts import Draft, about_round, check_of
from compliance.audit.seen import Circumstances, RoundSeen
from rounds.engine.lights import winning_under
from rounds.engine.outcomes import Outcome

DISPLAYED = "displayed"


def faces(outcome: Outcome) -> str:
    return "-".join(map(str, sorted(outcome)))


def winning_areas(circumstances: Circumstances, outcome: Outcome) -> frozenset[str]:
    """The offered areas that this result pays: those that light up."""
    pay_table = circumstances.pay_table_of(None)
    if pay_table is None:
        return frozenset()
    return winning_under(circumstances.rules(pay_table), circumstances.offered, outcome)


def judge_call(seen: RoundSeen) -> Iterator[Draft]:
    rule, called, lay = seen.pack.conduct.call, seen.round.called, seen.outcome
    if rule is None or called is None or lay is None:
        return
    if sorted(called.faces) != sorted(lay) or called.total not in (None, sum(lay)):
        total = f", total {called.total}" if called.total is not None else ""
        yield about_round(
            seen, "ROUND-CALLED", check_of("ROUND-CALLED"), what=seen.name, clause=rule.clause,
            found=f"{faces(called.faces)}{total}", required=f"{faces(lay)}, total {sum(lay)}",
        )  # fmt: skip


def judge_entry(seen: RoundSeen) -> Iterator[Draft]:
    rule, entered, lay = seen.pack.conduct.entry, seen.round.entered, seen.outcome
    if rule is None or entered is None or lay is None or sorted(entered.faces) == sorted(lay):
        return
    yield about_round(
        seen, "ROUND-ENTRY", check_of("ROUND-ENTRY"), what=seen.name, found=faces(entered.faces),
        required=faces(lay), clause=seen.pack.conduct.result.wrong_entry_clause or rule.clause,
    )  # fmt: skip


def judge_lights(seen: RoundSeen) -> Iterator[Draft]:
    """Lights that all failed are a fault of the table's; those that follow a wrong entry are that entry's."""
    rule, lit, lay = seen.pack.conduct.entry, seen.round.lit, seen.outcome
    if rule is None or not rule.lights_winners or not lit or lay is None:
        return
    winning, entered = winning_areas(seen.circumstances, lay), seen.round.entered
    follows_entry = entered is not None and frozenset(lit) == winning_areas(seen.circumstances, entered.faces)
    if frozenset(lit) == winning or follows_entry or seen.circumstances.pay_table_of(None) is None:
        return
    wrongly, dark = sorted(frozenset(lit) - winning), sorted(winning - frozenset(lit))
    yield about_round(
        seen, "ROUND-LIT", check_of("ROUND-LIT"), what=seen.name, clause=rule.clause,
        found=", ".join(wrongly) if wrongly else f"All but {', '.join(dark)}",
        required="only what won" if wrongly else ", ".join(dark),
    )  # fmt: skip


def judge_display(seen: RoundSeen) -> Iterator[Draft]:
    """What a display beside the table shows does not count; that it shows something else is noted."""
    result, lay = seen.pack.conduct.result, seen.outcome
    if result.disregarded_clause is None or lay is None:
        return
    wrong = [each for each in seen.round.displayed if sorted(each.faces) != sorted(lay)]
    if wrong:
        yield about_round(
            seen, "ROUND-LIT", DISPLAYED, what=seen.name, clause=result.disregarded_clause,
            found=", ".join(f"{faces(each.faces)} on {each.device}" for each in wrong), required=faces(lay),
            explanation=("What a display shows is disregarded: the round is settled by its result.",),
        )  # fmt: skip
