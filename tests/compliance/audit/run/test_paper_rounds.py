"""A round from paper is judged like the same round of a controller: complete without a finding, incomplete with one."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
import time_machine

from compliance.audit.models import Finding
from rounds.floor.fact_values import TableRulesValue
from rounds.intake.models import PaperRound
from rounds.intake.protocol.round import Round
from rounds.intake.services.paper_rounds import confirm_paper_round
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, RWS, SKYCITY
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.core.web.confirming import post_confirmed
from tests.rounds.floor.crew import new_table, record_table_fact

ENTERED_AT = datetime(2026, 11, 16, 12, tzinfo=UTC)
CONFIRMED_AT = datetime(2026, 11, 16, 13, tzinfo=UTC)
ENTER = "/casinos/harbour/floor/paper/enter/"
# The fields of each rule set, with the minute of the hour, in an honest order.
HONEST: dict[str, dict[str, int]] = {
    NSW: {
        "tumbled_at": 0,
        "bets_open_at": 1,
        "no_more_bets_at": 2,
        "uncovered_at": 3,
        "event-result-called": 4,
        "event-result-entered": 5,
    },
    RWS: {"bets_open_at": 1, "no_more_bets_at": 2, "tumbled_at": 3, "uncovered_at": 4},
    MBS: {"bets_open_at": 1, "no_more_bets_at": 2, "uncovered_at": 3},
    SKYCITY: {
        "tumbled_at": 0,
        "bets_open_at": 1,
        "no_more_bets_at": 2,
        "event-no-more-bets-called": 2,
        "uncovered_at": 3,
        "event-result-called": 4,
        "event-result-entered": 5,
    },
    LICENSEE: {
        "bets_open_at": 1,
        "no_more_bets_at": 2,
        "tumbled_at": 3,
        "event-result-called": 4,
        "event-result-entered": 5,
    },
}


def findings_of(house: House, rules: str, *warned: str, **changes: int | None) -> list[tuple[str, str]]:
    """Code and clause of the findings about a round entered on the form, which must warn of exactly the codes
    `warned`, after the same findings about its copy from a controller at another table."""
    table = house.open_table("sb-1", rules)
    record_table_fact(house.crew, new_table(house.crew, "sb-2"), TableRulesValue(rules=rules))
    paper = enter(
        house, table.pk, {name: at for name, at in (HONEST[rules] | changes).items() if at is not None}, *warned
    )
    confirm_paper_round(paper=paper, actor=house.crew.gina, now=CONFIRMED_AT)
    played = msgspec.json.decode(paper.body, type=Round)
    house.report("round", played, table="sb-2", at=played.events[-1].at)
    house.audit()
    about = Finding.objects.current().filter(casino=house.casino, code__startswith="ROUND-").order_by("code")
    found = {slug: list(about.filter(table=slug).values_list("code", "clause")) for slug in ("sb-1", "sb-2")}
    assert found["sb-1"] == found["sb-2"]
    return found["sb-1"]


def enter(house: House, table: int, minutes: dict[str, int], *warned: str) -> PaperRound:
    times = {name: f"2026-11-16T20:{minute:02}" for name, minute in minutes.items()}
    rest: dict[str, Any] = {
        "table": table,
        "round": "P-17",
        "gaming_day": "2026-11-16",
        "tumbles": "3" if "tumbled_at" in minutes else "",
        "outcome": "dice" if "tumbled_at" in minutes else "cards",
        "faces": "1 2 4",
        "why": "Controller out of order.",
        "rows-wager": "1",
    }
    # On the same evening: a round of days ago is doubted.
    with time_machine.travel(ENTERED_AT, tick=False):
        sent = post_confirmed(browser_of(house.crew.sid), ENTER, times | rest, *warned)
    assert "It waits for a second supervisor" in sent.content.decode()
    paper = PaperRound.objects.get()
    # One for each finding, and no doubt about what was typed.
    assert len(paper.warnings) == len(warned)
    return paper


@pytest.mark.parametrize("rules", HONEST)
def test_a_complete_round_breaks_no_rule(house: House, rules: str) -> None:
    assert findings_of(house, rules) == []


@pytest.mark.parametrize(
    ("rules", "field", "minute", "clause"),
    [
        (SKYCITY, "event-no-more-bets-called", None, "4.b"),
        (SKYCITY, "event-no-more-bets-called", 0, "4.b"),
        (SKYCITY, "event-no-more-bets-called", 4, "4.b"),
        (SKYCITY, "event-result-called", None, "4.c"),
        (SKYCITY, "event-result-entered", None, "4.c"),
        (NSW, "event-result-called", None, "5.4"),
        (NSW, "event-result-entered", None, "5.4"),
        (LICENSEE, "event-result-called", None, "5(e)"),
        (LICENSEE, "event-result-entered", None, "5(e)"),
    ],
)
def test_a_step_that_is_missing_or_out_of_order_is_found(
    house: House, rules: str, field: str, minute: int | None, clause: str
) -> None:
    assert findings_of(house, rules, "ROUND-ORDER", **{field: minute}) == [("ROUND-ORDER", clause)]


@pytest.mark.parametrize("minute", [1, 3])
def test_the_announcement_may_come_with_the_invitation_and_with_the_removal_of_the_cover(
    house: House, minute: int
) -> None:
    assert findings_of(house, SKYCITY, **{"event-no-more-bets-called": minute}) == []
