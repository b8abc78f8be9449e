"""Daily totals: figures typed in by hand, from rounds with known results and odds."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from django.core.management import call_command
from django.db import connection

from compliance.audit.models import Block, DailyBetTotals, DailyTotals, WagerCategory
from compliance.audit.run.worker import consume_new_entries
from compliance.audit.selectors import daily_rounds, daily_wagers
from compliance.audit.totals.verify import verify_rows
from rounds.floor.fact_values import LimitsValue
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.round import Change
from rounds.intake.protocol.table import Correction
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import at, void, wager

DAY = date(2026, 11, 16)


def play_three(house: House) -> None:
    """Small wins at 1 to 1 and total 10 at 6 to 1; then both lose; then a round without a result."""
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_000), wager("total:10", 1_000, 7_000))
    house.play((6, 5, 4), wager("small", 2_500, 0), wager("small", 500, 0, player="p-02", id="w-2"))
    house.play(None, wager("small", 2_500, 2_500, verdict="void"), **void("fewer-than-three"))


def test_rounds_wagers_and_money_by_bet(house: House) -> None:
    play_three(house)
    house.audit()
    [table] = daily_rounds(house.casino, DAY, DAY)
    assert (table.table, table.rounds, table.without_result) == ("sb-1", 3, 1)
    # Small gives 2 back in 105 of 216 results; total 10 gives 7 back in 27 of 216.
    small, total, unsettled = (
        DailyBetTotals.objects.get(bet=bet, sort=sort)
        for bet, sort in (
            ("small", WagerCategory.COMPARED),
            ("total:10", WagerCategory.COMPARED),
            ("small", WagerCategory.UNSETTLED),
        )
    )
    assert (small.wagers, small.staked_cents, small.returned_cents) == (3, 5_500, 5_000)
    assert Fraction(small.returns) == Fraction(210, 216)
    assert (total.wagers, total.staked_cents, total.returned_cents) == (1, 1_000, 7_000)
    assert Fraction(total.returns) == Fraction(189, 216)
    assert (unsettled.wagers, unsettled.staked_cents, unsettled.returns) == (1, 2_500, "")


def test_wagers_of_one_round_vary_together(house: House) -> None:
    """Two wagers of 30 dollars together on small give back 60 dollars with chance 105/216, or nothing.

    6000² · 105/216 · 111/216 = 8,993,055.6 square cents. Taken one by one they would have varied less.
    """
    house.open_table()
    house.play((6, 5, 4), wager("small", 2_500, 0), wager("small", 500, 0, player="p-02", id="w-2"))
    house.audit()
    assert DailyTotals.objects.get().variance == Decimal(8_993_056)


def test_promotional_tokens_are_summed_apart(house: House) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_000, tender="promotional-token"))
    house.audit()
    [token] = daily_wagers(house.casino, [DAY])
    assert (token.sort, token.returns, token.staked_cents) == (WagerCategory.APART, None, 2_500)


def test_a_round_that_is_taken_back_is_counted_no_more(house: House) -> None:
    play_three(house)
    house.audit()
    house.report("correction", Correction(corrects=1, reason="Typed wrongly.", by=Staff(position="dealer")))
    house.audit()
    [day] = daily_rounds(house.casino, DAY, DAY)
    assert (day.gaming_day, day.rounds, day.without_result) == (DAY, 2, 1)
    assert set(DailyBetTotals.objects.values_list("bet", flat=True)) == {"small"}


def test_a_round_of_very_many_wagers_has_the_variance_of_all_of_them(house: House) -> None:
    """All depend on one result: the variance is that of one wager with the total stake, so its square counts."""
    house.open_table(limits=LimitsValue(min=100, max=100_000_000))
    house.play((4, 2, 4), wager("small", 256_000, 512_000))
    house.audit()
    [of_one] = DailyTotals.objects.values_list("variance", flat=True)
    house.play((4, 2, 4), *(wager("small", 1_000, 2_000, id=f"w-{number}") for number in range(256)))
    house.audit()
    assert of_one > 0
    assert list(DailyTotals.objects.order_by("first").values_list("variance", flat=True)) == [of_one, of_one]


def test_the_sums_can_be_made_again(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    play_three(house)
    house.audit()
    kept = all_played(house)
    DailyTotals.objects.all().delete()
    call_command("sum_play")
    assert "harbour: 3 rounds." in capsys.readouterr().out
    assert kept == all_played(house)


def all_played(house: House) -> list[object]:
    rounds = [replace(one, written=(0, 0, 0)) for one in daily_rounds(house.casino, DAY, DAY)]
    return [rounds, daily_wagers(house.casino, [DAY])]


def of_total_10(column: str, value: str) -> str:
    return (
        f"UPDATE audit_playedday SET {column}[array_position(bets, 'total:10')] = {value} WHERE 'total:10' = ANY (bets)"
    )


@pytest.mark.parametrize(
    ("tampering", "says"),
    [
        ("UPDATE audit_playedday SET rounds = rounds + 1", "count other rounds at sb-1 on 2026-11-16"),
        ("UPDATE audit_playedday SET without_result = 0", "count other rounds at sb-1 on 2026-11-16"),
        ("DELETE FROM audit_playedday", "count other rounds at sb-1 on 2026-11-16"),
        (of_total_10("staked_cents", "1"), "other wagers on total:10 at sb-1"),
        (of_total_10("returned_cents", "1"), "other wagers on total:10 at sb-1"),
        (of_total_10("bets", "'big'"), "other wagers on big at sb-1"),
    ],
)
def test_verifying_the_log_finds_sums_that_the_rounds_do_not_give(house: House, tampering: str, says: str) -> None:
    play_three(house)
    house.audit()
    house.play((4, 2, 4), wager("small", 1_000, 2_000))
    house.audit()
    size = Block.objects.get().audited_to
    assert list(verify_rows("harbour", 0, size, ())) == []
    with connection.cursor() as cursor:
        cursor.execute(tampering)
    found = list(verify_rows("harbour", 0, size, ()))
    assert {index for index, _ in found} == {0}
    assert any(says in sentence for _, sentence in found)


def test_sums_of_a_block_that_waits_to_be_audited_again_are_not_compared(house: House) -> None:
    play_three(house)
    house.audit()
    size = Block.objects.get().audited_to
    DailyTotals.objects.all().delete()
    assert list(verify_rows("harbour", 0, size, ()))
    house.report("correction", Correction(corrects=1, reason="Typed wrongly.", by=Staff(position="dealer")))
    consume_new_entries("harbour")
    assert list(verify_rows("harbour", 0, size, ())) == []


def test_a_wager_is_summed_as_it_lay_in_the_end(house: House) -> None:
    """$10 on big, moved to small and raised to $25: small gave back $50 for $25, and big nothing at all."""
    house.open_table()
    changes = (Change(what="moved", at=at(22), bet="small"), Change(what="raised", at=at(25), stake=2_500))
    house.play((4, 2, 4), wager("big", 1_000, 5_000, changes=changes))
    house.audit()
    [row] = DailyBetTotals.objects.values_list("bet", "sort", "staked_cents", "returned_cents")
    assert row == ("small", WagerCategory.COMPARED, 2_500, 5_000)
