"""A planned breach is refused with its clause; what already happened is recorded."""

import pytest

from rounds.floor.fact_values import (
    DecksValue,
    EquipmentValue,
    FactValue,
    LimitsValue,
    PayTableValue,
    PostedOddsValue,
    StreakAmountValue,
    TableRulesValue,
    WagersOfferedValue,
)
from rounds.floor.facts.rule_breaches import Breach, planned_breaches
from rounds.floor.models import Fact
from tests.rounds.floor.crew import HOUR, OPENING, Crew, new_table, record_table_fact, refusal_of, table_under

SCREEN_C = EquipmentValue(layout="C", screen="lcd", touch_screen=True, shaker="none")


def breach_sentence(crew: Crew, value: FactValue, table: object) -> str:
    """The refusal's sentence; asserts that nothing was recorded."""
    before = Fact.objects.count()
    refusal = refusal_of(lambda: record_table_fact(crew, table, value))  # type: ignore[arg-type]
    assert refusal.code == "planned-breach"
    assert Fact.objects.count() == before
    return refusal.detail


class TestPostedOdds:
    # Minimums as printed in clauses 4(b) and 4(c) of the Licensee's document.
    def test_at_the_minimum_or_above_is_fine(self, crew: Crew) -> None:
        table = table_under(crew, "licensee-sic-bo")
        record_table_fact(
            crew, table, PostedOddsValue(odds={"total:4": "50 to 1", "total:5": "18 to 1", "triple:any": "24 to 1"})
        )
        record_table_fact(crew, table, PostedOddsValue(odds={"total:4": "60 to 1"}))
        posted = Fact.objects.filter(table=table, name="posted-odds").order_by("pk")
        assert [fact.value["odds"]["total:4"] for fact in posted] == ["50 to 1", "60 to 1"]

    @pytest.mark.parametrize(
        ("bet", "posted", "minimum"),
        [
            ("total:4", "45 to 1", "50 to 1"),
            ("total:4", "49.99 to 1", "50 to 1"),
            ("double:3", "7 to 1", "8 to 1"),
            ("single:2", ("1 to 10", "1 to 1", "3 to 1"), "2 to 1"),
        ],
    )
    def test_below_the_minimum_is_stopped_with_the_clause(
        self, crew: Crew, bet: str, posted: str | tuple[str, ...], minimum: str
    ) -> None:
        table = table_under(crew, "licensee-sic-bo")
        sentence = breach_sentence(crew, PostedOddsValue(odds={bet: posted}), table)
        assert f"below the minimum of {minimum} in clause 4(" in sentence
        assert sentence.startswith(f"{bet} is posted at")

    def test_the_word_for_is_stopped_wherever_odds_are_worded(self, crew: Crew) -> None:
        table = table_under(crew, "licensee-sic-bo")
        assert "(clause 4(a))" in breach_sentence(crew, PostedOddsValue(odds={"total:4": "60 for 1"}), table)
        brochure = PostedOddsValue(odds={"total:4": "60 to 1"}, wording="Total 4 pays sixty for one")
        assert "(clause 4(a))" in breach_sentence(crew, brochure, table)
        record_table_fact(
            crew, table, PostedOddsValue(odds={"total:4": "60 to 1"}, wording="For example: 60 to 1 on a total of 4")
        )

    def test_a_single_number_is_posted_at_three_levels(self, crew: Crew) -> None:
        table = table_under(crew, "licensee-sic-bo")
        assert "at 3 levels, not at 1" in breach_sentence(crew, PostedOddsValue(odds={"single:2": "1 to 1"}), table)

    def test_what_was_posted_yesterday_is_recorded_even_so(self, crew: Crew) -> None:
        table = table_under(crew, "licensee-sic-bo")
        low = PostedOddsValue(odds={"total:4": "45 to 1"})
        record_table_fact(crew, table, low, OPENING + HOUR, now=OPENING + 2 * HOUR, note="Seen on the recording.")
        assert Fact.objects.filter(name="posted-odds").count() == 1

    def test_where_odds_are_fixed_none_are_posted(self, crew: Crew) -> None:
        table = table_under(crew, "nsw-sic-bo")
        assert "odds are fixed" in breach_sentence(crew, PostedOddsValue(odds={"total:4": "70 to 1"}), table)


class TestSuperStreak:
    def test_needs_a_screen_and_layout_c_or_d(self, crew: Crew) -> None:
        table = table_under(crew, "nsw-sic-bo")
        offer = WagersOfferedValue(wagers=("odd", "streak"))
        assert "clause 6.1" in breach_sentence(crew, offer, table)
        for layout, screen in (("C", "none"), ("A", "lcd"), ("B", "plasma")):
            equipment = EquipmentValue(layout=layout, screen=screen, touch_screen=True, shaker="none")  # type: ignore[arg-type]
            record_table_fact(crew, table, equipment)
            assert "clause 6.1" in breach_sentence(crew, offer, table)
        for layout, screen in (("C", "lcd"), ("D", "plasma")):
            equipment = EquipmentValue(layout=layout, screen=screen, touch_screen=True, shaker="none")  # type: ignore[arg-type]
            record_table_fact(crew, table, equipment)
            record_table_fact(crew, table, offer)

    def test_its_equipment_cannot_be_taken_away_while_it_is_offered(self, crew: Crew) -> None:
        table = table_under(crew, "nsw-sic-bo")
        record_table_fact(crew, table, SCREEN_C)
        record_table_fact(crew, table, WagersOfferedValue(wagers=("streak",)))
        bare = EquipmentValue(layout="A", screen="none", touch_screen=False, shaker="none")
        assert "Super Streak needs a layout of kind C or D" in breach_sentence(crew, bare, table)
        record_table_fact(crew, table, WagersOfferedValue(wagers=()))
        record_table_fact(crew, table, bare)

    def test_other_rules_have_no_such_wager(self, crew: Crew) -> None:
        table = table_under(crew, "skycity-big-and-small")
        assert "no optional wager streak" in breach_sentence(crew, WagersOfferedValue(wagers=("streak",)), table)
        record_table_fact(crew, table, StreakAmountValue(cents=500))


@pytest.mark.parametrize(("decks", "is_fine"), [(1, False), (2, True), (6, True), (7, False)])
def test_a_shoe_holds_two_to_six_decks(crew: Crew, decks: int, is_fine: bool) -> None:
    table = table_under(crew, "mbs-3-card-sic-bo")
    if is_fine:
        record_table_fact(crew, table, DecksValue(decks=decks))
    else:
        assert f"2 to 6 decks (clause 2.2), not {decks}" in breach_sentence(crew, DecksValue(decks=decks), table)


class TestLimits:
    def found(self, crew: Crew, value: LimitsValue, rules: str = "nsw-sic-bo") -> list[Breach]:
        table = table_under(crew, rules)
        record_table_fact(crew, table, LimitsValue(min=1_000, max=100_000))
        return planned_breaches(value, crew.harbour, table, OPENING)

    def test_a_minimum_may_equal_the_maximum_but_not_pass_it(self, crew: Crew) -> None:
        assert self.found(crew, LimitsValue(min=1_000, max=1_000)) == []

    def test_a_minimum_above_the_maximum_is_stopped(self, crew: Crew) -> None:
        assert [breach.field for breach in self.found(crew, LimitsValue(min=1_000, max=999))] == ["min"]

    @pytest.mark.parametrize("minimum", [999, 1_001])
    def test_a_changed_minimum_is_left_to_the_audit(self, crew: Crew, minimum: int) -> None:
        """Whether a sign announced it depends on other records."""
        assert self.found(crew, LimitsValue(min=minimum, max=100_000)) == []


def test_rules_without_an_approved_version_are_not_put_on_a_table(crew: Crew) -> None:
    assert "No approved version of nsw-sic-bo" in breach_sentence(
        crew, TableRulesValue(rules="nsw-sic-bo"), new_table(crew)
    )


def test_a_pay_table_that_the_document_lacks_is_stopped(crew: Crew) -> None:
    table = table_under(crew, "rws-sic-bo-etg")
    record_table_fact(crew, table, PayTableValue(pay_table="2"))
    assert "only 1, 2, 3" in breach_sentence(crew, PayTableValue(pay_table="4"), table)
