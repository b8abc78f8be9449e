"""Duties that differ by rule set: their figures, and where a document says nothing."""

from dataclasses import fields

import pytest

from rounds.engine.pack.table_duties import Duties
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY, pack_of

SPOKEN_ON = {
    NSW: {
        "limits_shown",
        "minimum_raise",
        "player_limits",
        "closure_sign",
        "streak_offer",
        "streak_closing",
        "equipment_fault",
        "disputes",
        "invalidation",
        "device_ban",
        "wager_refusal",
        "colour_chips",
        "voucher",
        "idle_players",
        "pay_order",
        "promotions",
    },
    RWS: {"limits_shown", "interruption", "disputes"},
    MBS: set(),
    SKYCITY: {
        "limits_shown",
        "closure_notification",
        "equipment_fault",
        "disputes",
        "invalidation",
        "device_ban",
        "wager_refusal",
        "colour_chips",
        "partnerships",
        "pay_order",
    },
    LICENSEE: {
        "equipment_fault",
        "inspections",
        "dice_custody",
        "shaker_swap",
        "odds_wording",
        "posted_odds",
        "pay_order",
    },
}


@pytest.mark.parametrize("slug", list(SPOKEN_ON))
def test_where_a_document_is_silent_the_duty_is_absent(slug: str) -> None:
    duties = pack_of(slug).duties
    assert {each.name for each in fields(Duties) if getattr(duties, each.name) is not None} == SPOKEN_ON[slug]


def test_nsw_signs() -> None:
    duties = pack_of(NSW).duties
    assert duties.minimum_raise is not None
    assert (duties.minimum_raise.notice_minutes, duties.minimum_raise.clause) == (20, "4.5")
    assert duties.minimum_raise.sign_shows == ("new-minimum", "time-of-change")
    assert duties.closure_sign is not None
    assert (duties.closure_sign.notice_minutes, duties.closure_sign.clause) == (20, "9.8")
    assert duties.closure_sign.applies_when == ("players-present", "streak-in-progress")
    assert duties.streak_closing is not None
    assert (duties.streak_closing.notice_minutes, duties.streak_closing.clause) == (20, "6.6")
    assert duties.player_limits is not None


def test_nsw_super_streak_needs_a_screen_and_layout_c_or_d() -> None:
    offer = pack_of(NSW).duties.streak_offer
    assert offer is not None
    assert (offer.layouts, offer.screens, offer.placed_before) == (("C", "D"), ("plasma", "lcd"), "tumbled")


def test_faults() -> None:
    nsw, licensee, skycity = (pack_of(slug).duties.equipment_fault for slug in (NSW, LICENSEE, SKYCITY))
    assert nsw is not None
    assert (nsw.told, nsw.told_at_once, nsw.play_stops_until_mended, nsw.clause) == ("inspector", True, True, "8.8")
    assert licensee is not None
    assert (licensee.told, licensee.play_stops_until_mended) == (None, True)
    assert licensee.settled_before == "casino supervisor"
    assert skycity is not None
    assert not skycity.play_stops_until_mended


def test_dispute_ladders_use_each_documents_own_words() -> None:
    def ladder(slug: str) -> list[tuple[str, str]]:
        disputes = pack_of(slug).duties.disputes
        assert disputes is not None
        return [(step.decided_by, step.stage) for step in disputes.steps]

    assert ladder(NSW) == [
        ("games supervisor", "first-instance"),
        ("reviewing casino supervisor", "review-if-requested"),
        ("casino operator", "final"),
    ]
    assert ladder(RWS) == [("Table Games Shift Manager", "final")]
    assert ladder(SKYCITY) == [
        ("House", "first-instance"),
        ("Manager Government Casino Inspectorate", "review-if-requested"),
    ]


def test_advice_to_the_dissatisfied() -> None:
    nsw, skycity, rws = (pack_of(slug).duties.disputes for slug in (NSW, SKYCITY, RWS))
    assert nsw is not None
    assert nsw.advice is not None
    assert (nsw.advice.right_to_see, nsw.advice.clause) == ("inspector", "9.13")
    assert skycity is not None
    assert skycity.advice is not None
    assert (skycity.advice.right_to_see, skycity.advice.clause) == ("Authorised Officer", "8.j")
    assert rws is not None
    assert rws.advice is None


def test_licensee_equipment() -> None:
    duties = pack_of(LICENSEE).duties
    assert duties.dice_custody is not None
    assert duties.dice_custody.at_most_hours == 24
    assert duties.inspections is not None
    assert [(each.when, each.item, each.inspected_by, each.trials) for each in duties.inspections] == [
        ("before-opening", "electrical-device", "floorperson", 1),
        ("before-opening", "automated-shaker", "floorperson", 3),
        ("start-of-shift", "automated-shaker", "casino supervisor", 3),
    ]
    assert duties.odds_wording is not None
    assert (duties.odds_wording.words_allowed, duties.odds_wording.words_forbidden) == (("to", "win"), ("for",))


def test_skycity_closing_tells_an_authorised_officer_and_has_no_minutes() -> None:
    told = pack_of(SKYCITY).duties.closure_notification
    assert told is not None
    assert (told.told, told.clause) == ("Authorised Officer", "8.g")


def test_redemption_elsewhere() -> None:
    nsw, skycity = (pack_of(slug).duties.colour_chips for slug in (NSW, SKYCITY))
    assert nsw is not None
    assert nsw.elsewhere_if_closed
    assert skycity is not None
    assert not skycity.elsewhere_if_closed
    assert skycity.several_colours_by == "Authorised Officer"


def test_nsw_promotions() -> None:
    promotions = pack_of(NSW).duties.promotions
    assert promotions is not None
    assert promotions.scrutineer.over_cents == promotions.cash_choice.over_cents == 10_000_00
    assert promotions.cash_choice.methods == ("cash", "crossed-cheque", "electronic-transfer")
    assert promotions.denial.record_over_cents == 100_00
    assert promotions.filing.hours_before_commencement == 24
    assert promotions.notification.within_days == 2
    assert promotions.notification.methods == ("face-to-face", "mail", "telephone", "email")
    assert [each.over_litres for each in promotions.prohibited] == [None, None, None, 20, None]
    assert [item.clause for item in promotions.terms] == [
        *(f"10.7.{number}" for number in range(1, 12)),
        *(f"10.7.11.{number}" for number in range(1, 5)),
    ]


def test_what_begins_a_round() -> None:
    begun = {slug: pack_of(slug).conduct.commencement for slug in SPOKEN_ON}
    assert {slug: each and (each.event, each.clause) for slug, each in begun.items()} == {
        NSW: ("tumbled", "5.1"),
        RWS: ("bets-open", "1.8"),
        MBS: ("bets-open", "3.1"),
        SKYCITY: ("tumbled", "4.a"),
        LICENSEE: None,
    }


def test_order_of_the_main_events() -> None:
    main = {"tumbled", "bets-open", "no-more-bets", "uncovered", "drawn"}

    def order(slug: str) -> list[tuple[str, str]]:
        every = pack_of(slug).conduct.order
        return [(each.first, each.then) for each in every if {each.first, each.then} <= main]

    tumbled_first = [("tumbled", "bets-open"), ("bets-open", "no-more-bets"), ("no-more-bets", "uncovered")]
    assert order(NSW) == order(SKYCITY) == tumbled_first
    assert order(RWS) == [("bets-open", "no-more-bets"), ("no-more-bets", "uncovered"), ("tumbled", "uncovered")]
    assert order(MBS) == [("bets-open", "no-more-bets"), ("no-more-bets", "drawn")]
    assert order(LICENSEE) == [("no-more-bets", "tumbled"), ("tumbled", "uncovered")]


def test_three_times_at_least() -> None:
    counted = {slug: pack_of(slug).conduct.agitation for slug in SPOKEN_ON}
    assert {slug: each and (each.at_least, each.counted, each.only_with) for slug, each in counted.items()} == {
        NSW: (3, "tumbles", ""),
        RWS: (3, "tumbles", ""),
        MBS: None,
        SKYCITY: (3, "triggers", ""),
        LICENSEE: (3, "shakes", "manual-shaker"),
    }


def test_limits_in_settlement() -> None:
    rules = {slug: pack_of(slug).law.settlement for slug in SPOKEN_ON}
    assert {slug for slug, each in rules.items() if each.over_maximum is not None} == {NSW, SKYCITY}
    assert {slug for slug, each in rules.items() if each.under_minimum is not None} == {NSW, SKYCITY}
    assert {slug for slug, each in rules.items() if each.payable is not None} == {SKYCITY}
    assert {slug for slug, each in rules.items() if each.posted_odds_clause is not None} == {LICENSEE}
