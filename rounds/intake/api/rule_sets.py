"""Content of the help page on rule sets: the events, members, lines and words that each of them expects.

Read from the rule packs and the protocol, so that the page changes with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args

from rounds.engine import BET_CODES
from rounds.engine.pack import PackFile
from rounds.intake.api.rule_set_expectations import LINES, LINES_OF_ALL, MEMBERS, NAMES_OF_WAGERS, Expectation
from rounds.intake.protocol.envelope import line_schemas
from rounds.intake.protocol.round import RoundEventName

# Events that may be missing although a later one is reported: the audit's OPTIONAL_EVENTS.
OPTIONAL_EVENTS = ("areas-lit", "losers-collected", "winners-paid")
EQUIPMENT_WORDS = {
    "touch-screen": "at tables with a touch screen",
    "manual-shaker": "with a manual shaker",
    "automated-shaker": "with an automated shaker",
}


@dataclass(frozen=True)
class ExpectedRow:
    """A row of the help page. `needed`: for events, when they are expected."""

    name: str
    words: str
    clause: str
    needed: str = ""


@dataclass(frozen=True)
class RuleSetPage:
    """What one rule set expects, for the help page."""

    slug: str
    title: str
    events: Sequence[ExpectedRow]
    other_events: Sequence[str]
    members: Sequence[ExpectedRow]
    other_members: Sequence[str]
    lines: Sequence[ExpectedRow]
    other_lines: Sequence[str]
    void_reasons: Sequence[ExpectedRow]
    tenders: Sequence[str]
    refused_tenders: Sequence[str]
    tender_clauses: str
    bets: Sequence[str]


@cache
def rule_sets_context() -> Mapping[str, Any]:
    # Imported here because loading the packs takes a second, which would slow down the start of the service.
    from rounds.rulepacks import shipped_packs

    return {
        "rule_sets": [describe_rule_set(pack) for pack in shipped_packs()],
        "lines_of_all": LINES_OF_ALL,
        "names_of_wagers": [name.removeprefix("wagers.") for name in NAMES_OF_WAGERS],
        "optional_events": OPTIONAL_EVENTS,
        "required_members": {name: _required_members(name) for name in ("Round", "Wager")},
    }


def _required_members(struct: str) -> Sequence[str]:
    return line_schemas()[struct]["required"]  # type: ignore[no-any-return]


def describe_rule_set(pack: PackFile) -> RuleSetPage:
    events = list(_expected_events(pack))
    named = {row.name for row in events}
    members, lines = _expected_rows(pack, MEMBERS), _expected_rows(pack, LINES)
    bets = {bet for wager in pack.law.wager.values() for bet in wager.bets} | _streak_bets(pack)
    tenders = pack.conduct.tenders
    return RuleSetPage(
        slug=pack.slug,
        title=pack.title,
        events=events,
        other_events=[name for name in get_args(RoundEventName) if name not in named],
        members=members,
        other_members=_names_missing_in(members, MEMBERS, NAMES_OF_WAGERS),
        lines=lines,
        other_lines=_names_missing_in(lines, LINES, LINES_OF_ALL),
        void_reasons=[ExpectedRow(reason, rule.note, rule.clause) for reason, rule in pack.law.void.items()],
        tenders=tenders.accepted if tenders else (),
        refused_tenders=tenders.refused if tenders else (),
        tender_clauses=", ".join(dict.fromkeys(filter(None, (tenders.clause, tenders.refused_clause))))
        if tenders
        else "",
        bets=[bet for bet in BET_CODES if bet in bets],
    )


def _streak_bets(pack: PackFile) -> set[str]:
    return {bet for bet in BET_CODES if bet.startswith("streak")} if pack.law.streak else set()


def _expected_rows(pack: PackFile, expectations: Sequence[Expectation]) -> list[ExpectedRow]:
    rows = ((each, each.clauses(pack)) for each in expectations)
    return [ExpectedRow(each.name, each.says, ", ".join(clauses)) for each, clauses in rows if clauses]


def _names_missing_in(
    rows: Sequence[ExpectedRow], expectations: Sequence[Expectation], of_all: Sequence[str]
) -> list[str]:
    expected = {row.name for row in rows} | set(of_all)
    return [each.name for each in expectations if each.name not in expected]


# --- Events -----------------------------------------------------------------------------------------------------------


def _expected_events(pack: PackFile) -> Iterator[ExpectedRow]:
    for name in _events_in_order(pack):
        notes = list(_event_notes(pack, name))
        if notes:
            clauses = dict.fromkeys(clause for _, clause in notes)
            words = dict.fromkeys(words for words, _ in notes if words)
            yield ExpectedRow(name, "; ".join(words), ", ".join(clauses), _when_needed(pack, name))


def _events_in_order(pack: PackFile) -> list[str]:
    """All events in the order of the pack; those about which it says nothing keep their place in the protocol."""
    before: dict[str, set[str]] = defaultdict(set)
    for step in pack.conduct.order:
        for then in _expanded(pack, step.then):
            before[then].update(_expanded(pack, step.first))
    left, ordered = list(get_args(RoundEventName)), list[str]()
    while left:
        name = next((each for each in left if not before[each] & set(left)), left[0])
        left.remove(name)
        ordered.append(name)
    return ordered


def _event_notes(pack: PackFile, event: str) -> Iterator[tuple[str, str]]:
    """(What the event does, clause) for each place where the pack names it."""
    conduct = pack.conduct
    if conduct.commencement and conduct.commencement.event == event:
        yield "begins the round", conduct.commencement.clause
    if conduct.betting_opens and conduct.betting_opens.event == event:
        yield "wagers may be placed from then on", conduct.betting_opens.clause
    if event in conduct.no_more_bets.events:
        several = len(conduct.no_more_bets.events) > 1
        yield "no more bets: the earliest such event counts" if several else "no more bets", conduct.no_more_bets.clause
    yield from _agitation_notes(pack, event)
    yield from _order_notes(pack, event)
    for required in conduct.required_events:
        if event in required.any_of:
            yield "", required.clause
    for forbidden in conduct.forbidden_events:
        if forbidden.event == event:
            yield f"must not happen {EQUIPMENT_WORDS[forbidden.only_with]}", forbidden.clause


def _agitation_notes(pack: PackFile, event: str) -> Iterator[tuple[str, str]]:
    rule = pack.conduct.agitation
    if rule is None or event != "tumbled":
        return
    where = f" before {_in_words(pack, rule.before)}" if rule.before else ""
    where += f" after {_in_words(pack, rule.after)}" if rule.after else ""
    with_equipment = f" {EQUIPMENT_WORDS[rule.only_with]}" if rule.only_with else ""
    yield f"count: {rule.at_least} {rule.counted} or more{where}{with_equipment}", rule.clause


def _order_notes(pack: PackFile, event: str) -> Iterator[tuple[str, str]]:
    """The events that must come next."""
    for step in pack.conduct.order:
        first, then = _expanded(pack, step.first), _expanded(pack, step.then)
        with_equipment = f" {EQUIPMENT_WORDS[step.only_with]}" if step.only_with else ""
        if event in first:
            yield f"before {_in_words(pack, step.then)}{with_equipment}", step.clause
        elif event in then:
            yield "", step.clause


def _expanded(pack: PackFile, event: str) -> tuple[str, ...]:
    """The reported events behind an event of a pack: `no-more-bets` stands for those that close betting."""
    return pack.conduct.no_more_bets.events if event == "no-more-bets" else (event,)


def _in_words(pack: PackFile, event: str) -> str:
    return " or ".join(_expanded(pack, event))


def _when_needed(pack: PackFile, event: str) -> str:
    """When the event must be recorded in a round with a result."""
    for required in pack.conduct.required_events:
        if event in required.any_of:
            others = [each for each in required.any_of if each != event]
            words = f"this or {', '.join(others)}" if others else "always"
            words += f" {EQUIPMENT_WORDS[required.only_with]}" if required.only_with else ""
            return f"{words}, after {required.after}" if required.after else words
    steps = [step for step in pack.conduct.order if _expanded(pack, step.first) == (event,)]
    if not steps or event in OPTIONAL_EVENTS:
        return "where it happened"
    if all(step.only_with for step in steps):
        return ", ".join(dict.fromkeys(EQUIPMENT_WORDS[step.only_with] for step in steps))
    return "if what follows is reported"
