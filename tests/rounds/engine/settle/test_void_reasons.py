"""Void reasons are a closed list for each document; any other reason is an error."""

import pytest

from rounds.engine.bets.bet_codes import parse_bet
from rounds.engine.settle.settle_wager import settle_with_pack
from rounds.engine.settle.settlement import Verdict, WagerQuestion
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY, pack_of, settle_case

CLAUSES = {
    NSW: {
        "not-flat": ["8.1", "8.6"],
        "stacked": ["8.1", "8.6"],
        "device-failed": ["8.2", "8.6"],
        "fewer-than-three": ["8.3", "8.6"],
        "not-activated": ["8.3", "8.6"],
        "exposed-early": ["8.3", "8.6"],
        "nmb-not-pressed": ["8.4", "8.6"],
        "broken": ["8.5", "8.6"],
        "invalidated": ["9.4", "9.5"],
    },
    RWS: {
        "interrupted": ["5.1.2", "5.9"],
        "fewer-than-three": ["5.3.1", "5.9"],
        "not-flat": ["5.3.2", "5.9"],
        "stacked": ["5.3.2", "5.9"],
        "exposed-early": ["5.3.3", "5.9"],
        "damaged-dice": ["5.4", "5.9"],
    },
    MBS: {
        "exposed-early": ["5.1"],
        "foreign-card": ["5.2.1"],
        "card-count": ["5.3"],
        "insufficient-cards": ["5.4"],
    },
    SKYCITY: {
        "not-flat": ["7.a"],
        "fewer-than-three": ["7.b"],
        "exposed-early": ["7.c"],
        "stacked": ["7.d"],
        "invalidated": ["8.a"],
    },
    LICENSEE: {"not-flat": ["6(a)"], "stacked": ["6(a)"], "device-failed": ["6(c)"]},
}
EVERY_REASON = {
    "not-flat",
    "stacked",
    "device-failed",
    "fewer-than-three",
    "not-activated",
    "exposed-early",
    "nmb-not-pressed",
    "broken",
    "damaged-dice",
    "interrupted",
    "foreign-card",
    "card-count",
    "insufficient-cards",
    "invalidated",
}


@pytest.mark.parametrize("slug", list(CLAUSES))
@pytest.mark.parametrize("reason", sorted(EVERY_REASON))
def test_a_reason_of_the_document_returns_the_stake_and_any_other_is_refused(slug: str, reason: str) -> None:
    table = {"pay_table": "1"} if slug == RWS else {}
    line = settle_case(slug, "small", stake=730, void=reason, **table)
    if reason in CLAUSES[slug]:
        assert (line["verdict"], line["winnings"], line["returned"]) == ("void", 0, 730)
        assert line["clauses"] == CLAUSES[slug][reason]
    else:
        assert line["code"] == "unknown-void-reason"


def test_a_void_round_returns_a_winner_its_stake_only_and_all_of_it() -> None:
    assert settle_case(NSW, "small", "1-2-3", void="broken")["returned"] == 100
    assert settle_case(NSW, "small", "1-2-3", stake=900, void="broken", limits={"max": 500})["returned"] == 900


def test_bets_that_a_terminal_did_not_register_go_back() -> None:
    bet = WagerQuestion(parse_bet("small"), 100, (1, 2, 3), pay_table="1", was_registered=False)
    settled = settle_with_pack(pack_of(RWS), bet)
    assert (settled.verdict, settled.returned_cents, settled.clauses) == (Verdict.VOID, 100, ("5.2.2",))
    unbothered = WagerQuestion(parse_bet("small"), 100, (1, 2, 3), was_registered=False)
    assert settle_with_pack(pack_of(NSW), unbothered).verdict is Verdict.WIN
