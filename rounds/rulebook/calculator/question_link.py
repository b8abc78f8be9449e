"""URL of the calculator, filled in with one wager and submitted, so that an amount can be followed step by step."""

from collections.abc import Iterator
from urllib.parse import urlencode

from compliance.core.web.ui.links import casino_url
from rounds.engine import Outcome, Rules, WagerQuestion, format_odds
from rounds.engine.money import dollars
from rounds.rulebook.calculator.forms import ASK
from rounds.rulebook.models import RuleVersion


def question_url(casino: str, version: RuleVersion, rules: Rules, question: WagerQuestion) -> str:
    """Empty where the form cannot express the question: bets that are not offered, tokens that the document does not
    know, and several wagers on one box of which less than the minimum is within the maximum."""
    limits, token = question.limits, rules.law.settlement.promotional_token
    is_offered = question.offered is None or question.bet.code in question.offered
    is_token_unknown = question.is_promotional_token and token is None
    is_split = limits.maximum_cents is not None and limits.maximum_cents < (limits.minimum_cents or 1)
    if is_token_unknown or is_split or not is_offered:
        return ""
    query = {"rules": version.name, "pay_table": rules.pay_table, **dict(_fields(question)), ASK: "1"}
    return f"{casino_url('rulebook:calculator', casino)}?{urlencode(query)}"


def _fields(question: WagerQuestion) -> Iterator[tuple[str, str]]:
    limits, posted = question.limits, question.posted_odds
    yield "bet", question.bet.code
    yield "stake", dollars(question.stake_cents)
    yield from _faces("dice", question.outcome)
    amounts = ("minimum", limits.minimum_cents), ("maximum", limits.maximum_cents), ("unit", limits.payable_unit_cents)
    yield from ((name, dollars(cents)) for name, cents in amounts if cents is not None)
    if posted is not None:
        yield "posted", ", ".join(map(format_odds, posted if isinstance(posted, tuple) else (posted,)))
    if question.void_reason is not None:
        yield "void", question.void_reason
    if question.have_lights_failed:
        yield from _faces("called", question.called)
    ticked = {
        "multiples": limits.needs_multiples,
        "token": question.is_promotional_token,
        "warned": question.was_warned,
        "unregistered": not question.was_registered,
        "lights_failed": question.have_lights_failed,
        "found_later": question.was_found_later,
    }
    yield from ((name, "on") for name, is_ticked in ticked.items() if is_ticked)


def _faces(name: str, outcome: Outcome | None) -> Iterator[tuple[str, str]]:
    return ((f"{name}-{number}", str(face)) for number, face in enumerate(outcome or (), 1))
