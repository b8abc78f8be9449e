"""Every page and file that states what a wager is owed states the amount that the audit requires.

Random rounds of all five rule sets. Every wager returns 7 cents, which no rule gives, so that the audit requires
another amount for each wager on which the rules have a verdict.
"""

import random
import re
from collections.abc import Iterable
from html import unescape
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.http import QueryDict
from django.test import Client

from compliance.audit.checks.round import settlement
from compliance.audit.context.rules_in_force import load_rules_timeline
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.run.evaluate import evaluate_entries
from compliance.audit.run.worker import consume_new_entries
from compliance.core.accounts.roles import Role
from compliance.disputes.subject.disputed_entry import DisputedEntry, subject_at
from compliance.tables.equipment.services.floor_records import void_rounds
from compliance.tables.limit_notices.services import warn_player
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from compliance.transparency.wager_proofs.proof_file.service_statement import service_statement
from rounds.floor.fact_values import LimitsValue, PostedOddsValue, SmallestChipValue
from rounds.floor.models import Table
from rounds.intake.protocol.fields import PlayerLimits
from rounds.intake.protocol.round import Called, Change, Round, Wager
from rounds.ledger.readers.consumer import read_entries_at
from rounds.rulebook.calculator.available_rules import list_available_rules
from rounds.rulebook.calculator.forms import CalculatorForm
from rounds.rulebook.calculator.views import calculate_answer
from tests.compliance.audit.checks.round.test_streaks import BIG, SMALL, StreakTable, ended, made
from tests.compliance.audit.conftest import crew, house, quick_passwords
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.projections.test_later_decisions import take_back
from tests.compliance.audit.round_builders import (
    LICENSEE,
    MBS,
    NSW,
    RWS,
    SKYCITY,
    at,
    build_round,
    pack_of,
    void,
    wager,
)
from tests.compliance.core.accounts.people import browser_of, give_phone, hire
from tests.rounds.floor.crew import OPENING

__all__ = ["crew", "house", "quick_passwords"]

TABLE, DAMAGED_DICE, IMPOSSIBLE_CENTS = "sb-1", "set-0912", 7
ROUNDS = 8
# Betting closes at 30 s.
CLOSE = 30
CASES = ("placed-at-close", "withdrawn-late", "raised-late", "two-seats", "void-later", "warned-by-record")
PLAIN, MIXED = "plain", "mixed"
ALL_RULES = (NSW, RWS, MBS, SKYCITY, LICENSEE)
# Rule sets in which a case cannot change an amount: no maximum, no decision that applies later, no warnings.
NOT_IN_RULES = {
    "two-seats": {RWS, MBS, LICENSEE},
    "void-later": {MBS, LICENSEE},
    "warned-by-record": {NSW, RWS, MBS, LICENSEE},
}


def open_table(house: House, rules: str) -> Table:
    table = house.open_table(TABLE, rules, LimitsValue(min=500, max=10_000, multiples=rules == SKYCITY))
    pay_tables = pack_of(rules).law.pay_table
    for name, pay_table in pay_tables.items() if len(pay_tables) > 1 else ():
        house.add_terminal(table, f"t-{name}", pay_table.layout or "")
    if rules == NSW:
        house.state(table, PostedOddsValue(odds={"total:4": "62 to 1", "small": "not odds"}), at=OPENING)
    if rules == LICENSEE:
        odds: dict[str, str | tuple[str, ...]] = {
            "total:4": "70 to 1",
            "single:1": ("1 to 1", "2 to 1", "15 to 1"),
            "total:10": "1 to 1",
        }
        house.state(table, PostedOddsValue(odds=odds), at=OPENING)
    if rules == SKYCITY:
        house.state(table, SmallestChipValue(cents=250), at=OPENING)
    return table


def draw_wager(dice: random.Random, number: int, rules: str, case: str) -> Wager:
    """A wager with the circumstance of the case; in mixed rounds with any, and more that can change an amount."""

    def is_drawn(name: str, chance: float = 0.25) -> bool:
        return case == name or (case == MIXED and dice.random() < chance)

    bets = ("small", "big", "odd", "even", "total:10", "single:1", "field", "triple:4")
    said: dict[str, Any] = {
        "id": f"w-{number}",
        "player": f"p-{dice.randint(1, 2)}",
        "seat": dice.randint(1, 2) if is_drawn("two-seats", 0.5) else None,
        "placed_at": at(CLOSE if is_drawn("placed-at-close") else dice.choice((15, 20))),
        "verdict": "lose",
    }
    stake = dice.choice((6_000, 9_000) if case == "two-seats" else (400, 500, 900, 2_500, 9_000))
    changes = []
    if is_drawn("raised-late"):
        changes.append(Change(what="raised", at=at(CLOSE + 1), stake=stake + 1_000))
    if is_drawn("withdrawn-late"):
        changes.append(Change(what="withdrawn", at=at(CLOSE + 2)))
    if case == MIXED:
        said |= draw_rarities(dice, changes)
    if rules == RWS:
        said["terminal"] = dice.choice(("t-1", "t-2", "t-3"))
    bet = dice.choice(("small", "big") if case == "two-seats" else bets)
    return wager(bet, stake, IMPOSSIBLE_CENTS, rules=rules, changes=tuple(changes), **said)


def draw_rarities(dice: random.Random, changes: list[Change]) -> dict[str, Any]:
    in_time = dice.choice(
        [None] * 4
        + [
            Change(what="raised", at=at(25), stake=12_000),
            Change(what="lowered", at=at(25), stake=450),
            Change(what="moved", at=at(CLOSE), bet="small"),
            Change(what="withdrawn", at=at(25)),
            Change(what="moved", at=at(CLOSE + 1), bet="big"),
            Change(what="lowered", at=at(CLOSE + 1), stake=100),
        ]
    )
    if in_time is not None:
        # Not in order of time: the amount does not depend on the order in which changes are reported.
        changes.insert(dice.randint(0, len(changes)), in_time)
    said: dict[str, Any] = {"warned": dice.random() < 0.2}
    if dice.random() < 0.1:
        said["placed_at"] = at(CLOSE + 0.5)
    if dice.random() < 0.1:
        said["tender"] = "promotional-token"
    if dice.random() < 0.1:
        said["registered"] = False
    if dice.random() < 0.1:
        said["verdict"] = dice.choice(("forfeited", "refused", "void"))
    return said


def draw_round(dice: random.Random, rules: str, case: str, name: str) -> Round:
    wagers = [draw_wager(dice, number, rules, case) for number in range(dice.randint(2, 5))]
    roll = (dice.randint(1, 6), dice.randint(1, 6), dice.randint(1, 6))
    rest: dict[str, Any] = {"round": name}
    if case == MIXED:
        rest["tumbles"] = dice.choice((2, 3, 3, 3))
        if dice.random() < 0.2:
            rest |= void(dice.choice(list(pack_of(rules).law.void)), grounds=dice.choice((None, "fraud")))
        if dice.random() < 0.3:
            rest["player_limits"] = (PlayerLimits(player="p-1", min=1_000, max=5_000),)
        if dice.random() < 0.3 and rules != MBS:
            rest |= {"lit": dice.choice(((), ("triple:1",))), "called": Called(faces=(1, 2, 3))}
    return build_round(rules, roll, *wagers, **rest)


def record_decisions(house: House, table: Table, rules: str, rounds: Iterable[int], dice: random.Random) -> None:
    """Some rounds are void by a decision two hours later; of some, single wagers."""
    now, manager = at(7_200), hire("shirin", house.casino, Role.SHIFT_MANAGER, by=house.crew.cast.ada)
    give_phone(manager)
    for index in rounds:
        named: dict[str, Any] = {"at": now, "rounds": [str(index)], "seat": 1}
        what = dice.choice(("void-set", "invalidation", "wagers-voided", ""))
        if what == "void-set":
            void_rounds(table=table, dice_set=DAMAGED_DICE, rounds=[index], reason="A chip.", actor=manager, now=now)
        elif what == "invalidation":
            forfeited = dice.choice(([], ["w-0"]))
            report = ConductReport(
                kind=what, grounds="fraud" if forfeited else "disruption", forfeited=forfeited, **named
            )
            record_conduct(table=table, report=report, actor=manager, now=now)
        elif what:
            report = ConductReport(kind=what, grounds="device", wagers=["w-1"], **named)
            record_conduct(table=table, report=report, actor=manager, now=now)


def play_rounds(house: House, rules: str, case: str) -> list[int]:
    dice, names = random.Random(f"{rules} {case}"), count(1)
    table = open_table(house, rules)
    if case in ("warned-by-record", MIXED) and "warned-by-record" not in _cases_without(rules):
        warn_player(table=table, player="p-1", seat=None, warned_at=at(10), actor=house.crew.sid, now=at(12))
    rounds = [
        house.report("round", draw_round(dice, rules, case, f"r-{next(names)}"), table=TABLE)
        for _ in range(ROUNDS * (4 if case == MIXED else 1))
    ]
    if case in ("void-later", MIXED):
        record_decisions(house, table, rules, rounds, dice)
    assert consume_new_entries(house.casino.slug)
    return rounds


def _cases_without(rules: str) -> set[str]:
    return {case for case, without in NOT_IN_RULES.items() if rules in without}


# --- The consumers --------------------------------------------------------------------------------------------------


def amounts_by_audit(house: House, rounds: list[int]) -> tuple[dict[tuple[int, str], int | None], dict[int, int]]:
    """By wager, what the settlement check requires; and by round that should have been void, the sum of its stakes."""
    log = house.casino.slug
    timelines = load_rules_timeline(house.casino, [TABLE], at(0), at(100))
    drafts = [
        draft
        for draft in evaluate_entries(StoredEntries(house.casino), read_entries_at(log, rounds), timelines)
        if draft.code in {code.name for code in settlement.CODES}
        and (draft.check == settlement.CHECK_NAME or draft.reading)
    ]
    sums = {draft.index: draft.required_cents or 0 for draft in drafts if not draft.wager}
    return {(draft.index, draft.wager): draft.required_cents for draft in drafts if draft.wager}, sums


def amounts_by_dispute(subject: DisputedEntry) -> dict[str, int | None]:
    return {each.wager_id: each.due_cents for each in subject.assess_wagers()}


def amounts_by_proof(subject: DisputedEntry) -> dict[str, int | None]:
    assert subject.read is not None
    statements = {each.wager.id: service_statement(subject.read, each.wager.id) for each in subject.read.wagers}
    return {wager: statement["settlement"]["due_cents"] for wager, statement in statements.items()}


def amounts_by_round_page(house: House, browser: Client, subject: DisputedEntry) -> dict[str, int | None]:
    """What the calculator answers behind the link of each wager, and what was added late, which is handed back."""
    assert subject.read is not None
    page = browser.get(f"/casinos/{house.casino.slug}/rounds/{subject.entry.index}/").content.decode()
    links = re.findall(r'href="([^"]*/calculator/\?[^"]*)"[^>]*>What would this pay\?<[^>]*> Wager ([^<]*)<', page)
    added = {each.wager.id: added_late_cents(each.wager) for each in subject.read.wagers}
    answers = {wager: answer_behind(house, unescape(href)) for href, wager in links}
    return {wager: None if cents is None else cents + added[wager] for wager, cents in answers.items()}


def answer_behind(house: House, href: str) -> int | None:
    """None where the rules give no verdict, or the engine cannot settle it."""
    query = QueryDict(urlsplit(href).query)
    available = list_available_rules(house.casino, NOW, query["rules"])
    form = CalculatorForm(query, available, next(each for each in available if each.key == query["rules"]))
    answer = calculate_answer(form)
    return answer.settlement.returned_cents if answer else None


def added_late_cents(wager: Wager) -> int:
    """Counted here by hand: by how much a wager was raised after the close above its stake at the close."""
    in_time = [each.stake for each in sorted(wager.changes, key=lambda each: each.at) if each.at <= at(CLOSE)]
    at_close = [wager.stake, *(stake for stake in in_time if stake is not None)][-1]
    late = [each.stake or 0 for each in wager.changes if each.at > at(CLOSE) and each.what == "raised"]
    return max([0, *(stake - at_close for stake in late)])


def met_amounts(subject: DisputedEntry) -> dict[str, int | None]:
    """Wagers about which the audit has no finding although 7 cents were returned: rightly forfeited ones, and those
    withdrawn in time, whose chips the player may have taken back."""
    assert subject.read is not None
    amounts = [(each.wager, each.owed) for each in subject.read.wagers if each.owed]
    return {
        wager.id: owed.cents
        for wager, owed in amounts
        if owed.reason == "forfeited" or (owed.reason == "withdrawn" and wager.verdict != "lose")
    }


# --- The property ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "rules"),
    [(case, rules) for case in (PLAIN, *CASES, MIXED) for rules in ALL_RULES if case not in _cases_without(rules)],
)
def test_every_consumer_states_the_amount_that_the_audit_requires(house: House, case: str, rules: str) -> None:
    rounds = play_rounds(house, rules, case)
    required, sums = amounts_by_audit(house, rounds)
    browser, linked, differences = browser_of(house.crew.sid), 0, []
    for index in rounds:
        subject = subject_at(house.casino, index)
        assert subject is not None
        by_dispute, by_page = amounts_by_dispute(subject), amounts_by_round_page(house, browser, subject)
        by_audit = {wager: required.get((index, wager)) for wager in by_dispute}
        by_audit |= {wager: cents for wager, cents in met_amounts(subject).items() if by_audit[wager] is None}
        if index in sums:
            assert subject.read is not None
            counted = {each.wager.id for each in subject.read.wagers if each.wager.verdict != "refused"}
            if sum(cents or 0 for wager, cents in by_dispute.items() if wager in counted) != sums[index]:
                differences.append(f"round {index}, dispute {by_dispute}, audit {sums[index]} in all")
            by_audit = by_dispute
        for consumer, amounts in (("dispute", by_dispute), ("proof", amounts_by_proof(subject)), ("page", by_page)):
            differences += [
                f"round {index}, wager {wager}, {consumer} {cents}, audit {by_audit[wager]}"
                for wager, cents in amounts.items()
                if cents != by_audit[wager]
            ]
        linked += len(by_page)
    assert not differences, "\n".join(differences)
    assert required
    assert linked


def test_decisions_apply_before_the_audit_has_read_them_and_until_they_are_taken_back(house: House) -> None:
    """NSW 7.2 and 9.4: five in a row pay 10 to 1. Without two of them, invalidated later, there were three."""
    table = StreakTable(house)
    table.play(SMALL, made())
    counted = [table.play(SMALL) for _ in range(5)]
    end = table.play(BIG, ended(11_000), wager("small", 1_000, 0))

    def amounts() -> list[int | None]:
        subject = subject_at(house.casino, end)
        assert subject is not None
        return list(amounts_by_dispute(subject).values())

    assert amounts() == [11_000, 0]

    def invalidate(*rounds: int) -> int:
        now, named = at(7_200), list(map(str, rounds))
        report = ConductReport(kind="invalidation", grounds="disruption", at=now, rounds=named)
        return record_conduct(table=table.table, report=report, actor=house.crew.sid, now=now).entry_index

    earlier, last = invalidate(*counted[:2]), invalidate(end)
    assert amounts()[1] == 1_000, "the stake is owed"
    take_back(last)
    assert amounts() == [0, 0]
    take_back(earlier)
    assert amounts() == [11_000, 0]
