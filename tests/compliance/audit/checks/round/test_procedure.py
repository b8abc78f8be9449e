"""Conduct of rounds: NSW 5, RWS 3 and 5.3, MBS 3, SkyCity 4 and 7, Licensee 5. Times are typed in, seconds apart."""

from typing import Any

import pytest
from msgspec.structs import replace

from compliance.audit.checks import evaluate_round
from compliance.audit.checks.shared.roles import position_words
from compliance.audit.context.finding_draft import FindingDraft
from rounds.engine.settle import TableEquipment
from rounds.intake.protocol.fields import Limits, Staff
from rounds.intake.protocol.round import Called, Entered, NoResult, RoundEvent
from tests.compliance.audit.round_builders import (
    LICENSEE,
    MBS,
    NSW,
    RWS,
    SKYCITY,
    at,
    build_round,
    called,
    limits,
    round_context,
    rules_in_force,
    void,
    wager,
)

MANUAL, AUTOMATED = TableEquipment(shaker="manual"), TableEquipment(shaker="automated")
TOUCH = TableEquipment(has_touch_screen=True)
# Each document's events in its own order, ten seconds apart.
HONEST = {
    NSW: "tumbled bets-open no-more-bets-called uncovered result-called result-entered areas-lit losers-collected "
    "winners-paid",
    RWS: "bets-open no-more-bets-displayed tumbled uncovered result-entered",
    MBS: "bets-open no-more-bets-called drawn losers-collected winners-paid",
    SKYCITY: "tumbled bets-open no-more-bets-called bell-rung uncovered result-called result-entered areas-lit "
    "losers-collected winners-paid",
    LICENSEE: "bets-open no-more-bets-called tumbled uncovered result-called result-entered areas-lit "
    "losers-collected winners-paid covered-again lights-cleared",
}


def events(names: str, tumbles: int = 3, **moved: float) -> dict[str, Any]:
    """`moved` puts an event at another second: `uncovered=19.999`."""
    places = {name: 10.0 * place for place, name in enumerate(names.split())}
    places |= {name.replace("_", "-"): second for name, second in moved.items()}
    told = [
        RoundEvent(name=name, at=at(second), count=tumbles if name == "tumbled" else None)  # type: ignore[arg-type]
        for name, second in places.items()
    ]
    return {"events": tuple(told)}


def without(names: str, *left_out: str) -> str:
    return " ".join(name for name in names.split() if name not in left_out)


def judge(rules: str, names: str | None = None, *, equipment: Any = None, **rest: Any) -> list[FindingDraft]:
    moved = {name: rest.pop(name) for name in list(rest) if name in MOVABLE}
    usual = without(HONEST[rules], "covered-again") if equipment == AUTOMATED else HONEST[rules]
    told = events(usual if names is None else names, **moved)
    facts = {"equipment": equipment or TableEquipment()} | rest.pop("facts", {})
    dice = rest.pop("dice", (1, 2, 4))
    return evaluate_round(round_context(build_round(rules, dice, **{**told, **rest}), rules_in_force(rules, **facts)))


MOVABLE = frozenset(
    name.replace("-", "_")
    for names in HONEST.values()
    for name in (*names.split(), "no-more-bets-pressed", "no-more-bets-signalled")
) | {"tumbles"}


def codes(*args: Any, **rest: Any) -> list[str]:
    return [draft.code for draft in judge(*args, **rest)]


class TestOrder:
    @pytest.mark.parametrize("rules", HONEST)
    def test_each_documents_own_order(self, rules: str) -> None:
        assert codes(rules, equipment=MANUAL) == []

    @pytest.mark.parametrize(
        ("rules", "moved", "clause"),
        [
            (NSW, {"tumbled": 10.001}, "5.1"),
            (NSW, {"result_entered": 39.999}, "5.4"),
            (SKYCITY, {"tumbled": 10.001}, "4.b"),
            (LICENSEE, {"no_more_bets_called": 20.001}, "5(c)"),
        ],
    )
    def test_a_thousandth_of_a_second_too_early_or_late(self, rules: str, moved: dict[str, float], clause: str) -> None:
        [draft] = judge(rules, None, equipment=MANUAL, **moved)
        assert (draft.code, draft.clause) == ("ROUND-ORDER", clause)

    def test_at_the_same_instant_is_in_order(self) -> None:
        assert codes(NSW, tumbled=10) == []

    def test_rws_may_tumble_before_or_after_the_close(self) -> None:
        assert codes(RWS, tumbled=5) == []

    def test_what_must_come_before_is_missing(self) -> None:
        [draft] = judge(NSW, without(HONEST[NSW], "result-called"))
        assert (draft.code, draft.clause) == ("ROUND-ORDER", "5.4")
        assert "result entered came without result called" in draft.sentence

    @pytest.mark.parametrize(
        ("rules", "closing", "said"),
        [
            (NSW, "no-more-bets-called", "uncovered came without no more bets"),
            (RWS, "no-more-bets-displayed", "uncovered came without no more bets displayed"),
            (MBS, "no-more-bets-called", "cards drawn came without no more bets called"),
            (SKYCITY, "bell-rung", "uncovered came without bell rung"),
            (SKYCITY, "no-more-bets-called", "uncovered came without no more bets called"),
            (LICENSEE, "no-more-bets-called", "tumbled came without no more bets called"),
        ],
    )
    def test_betting_that_never_closed_is_named_by_what_closes_it(self, rules: str, closing: str, said: str) -> None:
        """SkyCity 4.b asks for both: the bell, and the announcement."""
        announced = {} if closing == "no-more-bets-called" else {"no_more_bets_called": 20}
        [draft] = judge(rules, without(HONEST[rules], closing), equipment=MANUAL, **announced)
        assert draft.code == "ROUND-ORDER"
        assert f"{said};" in draft.sentence
        then = said.partition(" came")[0]
        assert f"the rules want {said.partition('without ')[2]} before {then}" in draft.sentence

    def test_nothing_to_collect_or_pay_is_nothing_missing(self) -> None:
        assert codes(LICENSEE, without(HONEST[LICENSEE], "losers-collected", "winners-paid"), equipment=MANUAL) == []

    @pytest.mark.parametrize(("second", "found"), [(79.999, ["ROUND-ORDER"]), (80, []), (80.001, [])])
    def test_a_manual_shaker_stays_uncovered_until_all_is_paid(self, second: float, found: list[str]) -> None:
        """Licensee 5(f): winners are paid at 80 s."""
        assert codes(LICENSEE, equipment=MANUAL, covered_again=second) == found

    def test_an_automated_one_is_never_covered(self) -> None:
        """Licensee 5(f)."""
        assert codes(LICENSEE, equipment=AUTOMATED) == []
        [draft] = judge(LICENSEE, equipment=AUTOMATED, covered_again=90)
        assert (draft.code, draft.clause) == ("ROUND-ORDER", "5(f)")

    @pytest.mark.parametrize(
        ("rules", "missing", "clause"),
        [
            (NSW, ("result-called", "result-entered", "areas-lit"), "5.3"),
            (NSW, ("result-entered", "areas-lit"), "5.4"),
            (SKYCITY, ("result-called", "result-entered", "areas-lit"), "4.c"),
            (LICENSEE, ("result-called", "result-entered", "areas-lit"), "5(e)"),
            (LICENSEE, ("lights-cleared",), "5(g)"),
            (MBS, ("drawn",), "3.8"),
        ],
    )
    def test_a_step_that_never_happened(self, rules: str, missing: tuple[str, ...], clause: str) -> None:
        [draft] = judge(rules, without(HONEST[rules], *missing), equipment=MANUAL)
        assert (draft.code, draft.clause) == ("ROUND-ORDER", clause)
        assert f"{missing[0].replace('-', ' ')} is missing" in draft.sentence

    def test_a_button_does_not_announce_no_more_bets(self) -> None:
        """NSW 5.2: called or signalled, and pressed as well at a table with a touch screen."""
        assert codes(NSW, equipment=TOUCH, no_more_bets_pressed=30) == []
        silent = without(HONEST[NSW], "no-more-bets-called")
        assert codes(NSW, silent, equipment=TOUCH, no_more_bets_signalled=15, no_more_bets_pressed=16) == []
        [draft] = judge(NSW, silent, equipment=TOUCH, no_more_bets_pressed=16)
        assert (draft.code, draft.clause) == ("ROUND-ORDER", "5.2")


class TestShakenEnough:
    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "5.1"), (RWS, "3.6"), (SKYCITY, "4.a"), (LICENSEE, "5(d)(1)")])
    def test_three_times_or_more(self, rules: str, clause: str) -> None:
        [draft] = judge(rules, equipment=MANUAL, tumbles=2)
        assert (draft.code, draft.clause) == ("ROUND-TUMBLES", clause)
        assert "came 2 times; at least 3 are needed" in draft.sentence
        assert codes(rules, equipment=MANUAL, tumbles=3) == []
        assert codes(rules, equipment=MANUAL, tumbles=4) == []

    def test_an_automated_shaker_has_no_number_and_cards_are_not_shaken(self) -> None:
        assert codes(LICENSEE, equipment=AUTOMATED, tumbles=1) == []
        assert codes(MBS) == []

    @pytest.mark.parametrize(
        ("rules", "places", "found"),
        [
            (NSW, ((2, 0), (1, 10)), []),
            (NSW, ((2, 0), (1, 10.001)), ["ROUND-TUMBLES"]),
            (NSW, ((2, 0), (1, 25)), ["ROUND-TUMBLES"]),
            (NSW, ((3, 0), (1, 25)), []),
            (SKYCITY, ((2, 0), (1, 10)), []),
            (SKYCITY, ((2, 0), (1, 10.001)), ["ROUND-TUMBLES"]),
            (LICENSEE, ((1, 10), (2, 20)), []),
            (LICENSEE, ((2, 15), (1, 20)), []),
            (RWS, ((2, 5), (1, 20)), []),
        ],
    )
    def test_tumbles_count_where_the_document_places_them(
        self, rules: str, places: tuple[tuple[int, float], ...], found: list[str]
    ) -> None:
        """NSW 5.1 and SkyCity 4.a: before the call to place bets, at 10 s. Licensee 5(d): from no more bets, at 10 s.
        RWS 3.6 says nothing of it."""
        usual = events(without(HONEST[rules], "tumbled"))["events"]
        second = {name: 10.0 * place for place, name in enumerate(HONEST[rules].split())}
        usual = tuple(replace(each, at=at(second[each.name])) for each in usual)
        tumbled = tuple(RoundEvent(name="tumbled", at=at(when), count=count) for count, when in places)
        assert codes(rules, equipment=MANUAL, events=(*tumbled, *usual)) == found

    def test_licensee_shakes_before_no_more_bets_do_not_count(self) -> None:
        """Two at 10 s, when betting closes, and one before it. The order is wrong as well."""
        usual = events(HONEST[LICENSEE], tumbles=2)["events"]
        early = RoundEvent(name="tumbled", at=at(9.999), count=1)
        assert codes(LICENSEE, equipment=MANUAL, events=(early, *usual)) == ["ROUND-ORDER", "ROUND-TUMBLES"]

    def test_a_round_declared_void_for_it_was_handled(self) -> None:
        assert codes(NSW, tumbles=2, dice=None, **void("fewer-than-three")) == []


class TestExposed:
    @pytest.mark.parametrize(
        ("rules", "event", "clause"),
        [(NSW, "uncovered", "8.3"), (RWS, "uncovered", "5.3.3"), (MBS, "drawn", "5.1"), (SKYCITY, "uncovered", "7.c")],
    )
    def test_in_sight_before_the_close(self, rules: str, event: str, clause: str) -> None:
        """Betting closes at 20 s under NSW, at 30 s under SkyCity, at 10 s under the others."""
        close = {NSW: 20, SKYCITY: 30}.get(rules, 10)
        found = judge(rules, None, **{event: close - 0.001, "tumbled": 0} if rules == RWS else {event: close - 0.001})
        assert [(draft.code, draft.clause) for draft in found] == [("ROUND-EXPOSED", clause)]
        assert codes(rules, **{event: close, "tumbled": 0} if rules == RWS else {event: close}) == []

    def test_declared_void_for_it(self) -> None:
        assert codes(NSW, uncovered=19, dice=None, **void("exposed-early")) == []


class TestButton:
    NAMES = HONEST[NSW] + " no-more-bets-pressed"

    @pytest.mark.parametrize(("second", "found"), [(29.999, []), (30, []), (30.001, ["ROUND-NO-PRESS"])])
    def test_pressed_before_the_cover_comes_off(self, second: float, found: list[str]) -> None:
        assert codes(NSW, self.NAMES, equipment=TOUCH, no_more_bets_pressed=second) == found

    def test_not_pressed_at_all(self) -> None:
        [draft] = judge(NSW, equipment=TOUCH)
        assert (draft.code, draft.clause) == ("ROUND-NO-PRESS", "8.4")

    def test_tables_without_a_touch_screen_have_no_button(self) -> None:
        assert codes(NSW) == []
        assert codes(SKYCITY, equipment=TOUCH) == []


class TestPaidFirst:
    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "5.5"), (SKYCITY, "4.e"), (LICENSEE, "5(f)")])
    def test_losers_are_collected_first(self, rules: str, clause: str) -> None:
        collected = 10.0 * HONEST[rules].split().index("losers-collected")
        [draft] = judge(rules, equipment=AUTOMATED, winners_paid=collected - 0.001)
        assert (draft.code, draft.clause) == ("ROUND-PAID-FIRST", clause)
        assert codes(rules, equipment=AUTOMATED, winners_paid=collected) == []

    def test_mbs_says_nothing_of_it(self) -> None:
        assert codes(MBS, winners_paid=25) == []


class TestReason:
    @pytest.mark.parametrize(
        ("rules", "listed", "unlisted"),
        [
            (NSW, "broken", "interrupted"),
            (MBS, "foreign-card", "not-flat"),
            (SKYCITY, "stacked", "device-failed"),
            (LICENSEE, "device-failed", "exposed-early"),
        ],
    )
    def test_only_what_the_document_lists(self, rules: str, listed: str, unlisted: str) -> None:
        assert codes(rules, dice=None, **void(listed)) == []
        assert codes(rules, dice=None, **void(unlisted)) == ["ROUND-REASON"]

    def test_the_button_is_a_reason_only_where_there_is_one(self) -> None:
        assert codes(NSW, dice=None, equipment=TOUCH, **void("nmb-not-pressed")) == []
        assert codes(NSW, dice=None, **void("nmb-not-pressed")) == ["ROUND-REASON"]

    def test_a_failed_device_is_a_reason_only_without_a_manual_shaker(self) -> None:
        """Licensee 6(c)."""
        shaken = {shaker: TableEquipment(shaker=shaker) for shaker in ("automated", "manual")}
        assert codes(LICENSEE, dice=None, equipment=shaken["automated"], **void("device-failed")) == []
        assert codes(LICENSEE, dice=None, equipment=shaken["manual"], **void("device-failed")) == ["ROUND-REASON"]

    @pytest.mark.parametrize(
        ("rules", "grounds", "position", "expected"),
        [
            (NSW, "disruption", "casino-supervisor", []),
            (NSW, "fraud", "games-supervisor", []),
            (NSW, None, "casino-supervisor", ["ROUND-REASON"]),
            (NSW, "fraud", "dealer", ["ROUND-REASON"]),
            (NSW, "fraud", None, ["ROUND-REASON"]),
            (SKYCITY, "disruption", "dealer", []),
            (SKYCITY, None, "casino-supervisor", ["ROUND-REASON"]),
        ],
    )
    def test_an_invalidation_states_its_grounds_and_in_nsw_a_supervisor_declares_it(
        self, rules: str, grounds: str | None, position: str | None, expected: list[str]
    ) -> None:
        """NSW 9.4, SkyCity 8.a."""
        by = Staff(position=position) if position else None  # type: ignore[arg-type]
        assert codes(rules, dice=None, **void("invalidated", grounds=grounds, by=by)) == expected

    def test_rws_lets_the_shift_manager_decide_what_the_rules_do_not_cover(self) -> None:
        """RWS 5.10."""

        def declared(position: str) -> dict[str, Any]:
            return {"no_result": NoResult(reason="broken", by=Staff(position=position))}  # type: ignore[arg-type]

        assert codes(RWS, dice=None, **declared("shift-manager")) == []
        assert codes(RWS, dice=None, **declared("dealer")) == ["ROUND-REASON"]
        assert codes(SKYCITY, dice=None, **declared("shift-manager")) == ["ROUND-REASON"]


class TestTold:
    def test_called_otherwise(self) -> None:
        [draft] = judge(NSW, called=Called(faces=(1, 2, 5), total=8))
        assert (draft.code, draft.clause) == ("ROUND-CALLED", "5.3")
        assert draft.sentence == "1-2-5, total 8 was called; the result is 1-2-4, total 7."
        assert codes(NSW, called=Called(faces=(1, 2, 4), total=8)) == ["ROUND-CALLED"]

    @pytest.mark.parametrize("rules", [RWS, MBS])
    @pytest.mark.parametrize("said", [None, Called(faces=(1, 2, 5)), Called(faces=(4, 2, 1), total=8)], ids=str)
    def test_documents_that_ask_for_no_call(self, rules: str, said: Called | None) -> None:
        """RWS and MBS do not say how a result is called: a missing or wrong call breaks no clause."""
        assert codes(rules, called=said) == []
        if said is not None:
            assert codes(rules, HONEST[rules] + " result-called", called=said) == []

    @pytest.mark.parametrize(
        ("faces", "total", "sentence"),
        [
            ((1, 2, 4), 7, None),
            ((2, 1, 4), 7, "2-1-4, total 7 was called; the result is 1-2-4, total 7, called from the lowest to the "),
            ((1, 4, 2), 7, "1-4-2, total 7 was called"),
            ((4, 2, 1), 7, "4-2-1, total 7 was called"),
            ((1, 2, 4), None, "1-2-4, without a total was called; the result is 1-2-4, total 7."),
        ],
    )
    def test_nsw_calls_from_low_to_high_with_the_total(
        self, faces: Any, total: int | None, sentence: str | None
    ) -> None:
        """NSW 5.3. The other documents ask for no order and no total."""
        found = judge(NSW, called=Called(faces=faces, total=total))
        assert [draft.code for draft in found] == ([] if sentence is None else ["ROUND-CALLED"])
        assert all(draft.sentence.startswith(sentence or "") and draft.clause == "5.3" for draft in found)
        for rules in (SKYCITY, LICENSEE):
            assert codes(rules, equipment=MANUAL, called=Called(faces=faces, total=total)) == []

    @pytest.mark.parametrize("is_on_event", [False, True])
    @pytest.mark.parametrize(
        ("rules", "position", "is_named"),
        [
            (NSW, "dealer", True),
            (NSW, "casino-supervisor", True),
            (NSW, "games-supervisor", True),
            (NSW, "inspector", False),
            (SKYCITY, "dealer", True),
            (SKYCITY, "games-supervisor", True),
            (SKYCITY, "casino-supervisor", False),
            (LICENSEE, "dealer", True),
            (LICENSEE, "casino-supervisor", False),
        ],
    )
    def test_who_calls_and_enters(self, rules: str, position: Any, is_named: bool, is_on_event: bool) -> None:
        """NSW 5.3 and 5.4, SkyCity 4.c, Licensee 5(e)."""
        by = Staff(position=position)
        cases: tuple[tuple[str, str, dict[str, Any]], ...] = (
            ("ROUND-CALLED", "result-called", {"called": called((1, 2, 4), by=by)}),
            ("ROUND-ENTRY", "result-entered", {"entered": Entered(faces=(1, 2, 4), by=by)}),
        )
        for code, name, reported in cases:
            if is_on_event:
                usual = events(HONEST[rules])["events"]
                with_by = tuple(replace(each, by=by) if each.name == name else each for each in usual)
                reported = {"events": with_by, "entered": Entered(faces=(1, 2, 4))}
            found = judge(rules, equipment=MANUAL, **reported)
            assert [draft.code for draft in found] == ([] if is_named else [code])
            assert all(f"by {position_words(position)}" in draft.sentence for draft in found)

    def test_rws_entry_is_the_dealers(self) -> None:
        """RWS 1.3."""
        by = Staff(position="games-supervisor")
        [draft] = judge(RWS, entered=Entered(faces=(1, 2, 4), by=by))
        assert (draft.code, draft.clause) == ("ROUND-ENTRY", "1.3")

    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "8.7"), (RWS, "5.5"), (SKYCITY, "4.c"), (LICENSEE, "3(c)")])
    def test_entered_otherwise(self, rules: str, clause: str) -> None:
        [draft] = judge(rules, equipment=AUTOMATED, entered=Entered(faces=(1, 2, 5)))
        assert (draft.code, draft.clause) == ("ROUND-ENTRY", clause)
        assert codes(rules, equipment=AUTOMATED, entered=Entered(faces=(4, 1, 2))) == []


class TestTooEarly:
    @pytest.mark.parametrize(("rules", "is_asked"), [(RWS, True), (NSW, False), (MBS, False), (LICENSEE, False)])
    @pytest.mark.parametrize(("second", "is_early"), [(-600, True), (-0.001, True), (0, False), (0.001, False)])
    def test_a_wager_before_betting_opened(self, rules: str, is_asked: bool, second: float, is_early: bool) -> None:
        """RWS 3.2: the notice is on the terminal at 0 s. What becomes of the wager is not said."""
        placed = wager("small", 100, 200, rules=rules, placed_at=at(second))
        found = judge(rules, equipment=MANUAL, wagers=(placed,))
        assert [draft.code for draft in found] == (["WAGER-EARLY"] if is_asked and is_early else [])
        assert all((draft.clause, draft.wager, draft.is_silent) == ("3.2", placed.id, True) for draft in found)


class TestLit:
    """Licensee, 1-2-4: Small, the total of 7, three pairs and three single numbers win."""

    WINNERS = ("small", "total:7", "pair:1-2", "pair:1-4", "pair:2-4", "single:1", "single:2", "single:4")

    def test_every_winning_area_and_no_other(self) -> None:
        assert codes(LICENSEE, lit=self.WINNERS) == []
        [dark] = judge(LICENSEE, lit=self.WINNERS[1:])
        assert (dark.code, dark.clause) == ("ROUND-LIT", "5(e)")
        assert dark.sentence == "All but small lit up; small should have."
        [wrong] = judge(LICENSEE, lit=(*self.WINNERS, "big"))
        assert wrong.sentence == "Big lit up; only what won should have."

    def test_areas_that_are_not_offered_do_not_light(self) -> None:
        offered = rules_in_force(LICENSEE).offered - {"single:1"}
        lit = tuple(area for area in self.WINNERS if area != "single:1")
        assert codes(LICENSEE, lit=lit, facts={"offered": offered}) == []

    def test_lights_that_failed_altogether_are_a_fault_and_not_this(self) -> None:
        assert codes(LICENSEE, lit=()) == []

    def test_lights_that_followed_a_wrong_entry_are_the_entrys(self) -> None:
        lit = ("small", "total:8", "pair:1-2", "pair:1-5", "pair:2-5", "single:1", "single:2", "single:5")
        assert codes(LICENSEE, lit=lit, entered=Entered(faces=(1, 2, 5))) == ["ROUND-ENTRY"]

    def test_rws_lights_nothing(self) -> None:
        assert codes(RWS, lit=("big",)) == []


class TestSignInTheRound:
    def test_another_maximum_than_the_one_on_record(self) -> None:
        facts = limits(500, 50_000)
        [draft] = judge(NSW, facts=facts, limits=Limits(min=500, max=50_100))
        assert (draft.code, draft.clause) == ("LIMIT-SOURCES", "4.1")
        assert draft.sentence == (
            "The sign in the round says $5.00 to $501.00; the limits on record are $5.00 to $500.00."
        )
        assert codes(NSW, facts=facts, limits=Limits(min=500, max=50_000)) == []
        assert codes(NSW, limits=Limits(min=500, max=50_000)) == []
        assert codes(MBS, facts=facts, limits=Limits(min=500, max=1_000)) == []


def test_a_settled_round_with_too_few_tumbles_is_two_findings() -> None:
    """One finding for the tumbles, and one because it was settled although void."""
    found = codes(NSW, tumbles=2, wagers=(wager("small", 100, 200),))
    assert sorted(found) == ["ROUND-TUMBLES", "SETTLE-SHOULD-BE-VOID"]
