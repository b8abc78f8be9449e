"""rebuild_derived_rows gives the same rows as the daily examination."""

from io import StringIO

from django.core.management import call_command

from compliance.analysis.fairness.examination.daily_examination import examine_day
from compliance.analysis.fairness.models import DailyReturn, LastTest
from tests.compliance.analysis.fairness.dice_play import AFTER, DAY, play_many, results
from tests.compliance.audit.round_builders import wager
from tests.compliance.tables.equipment.builders import Floor


def derived() -> list[list[tuple[object, ...]]]:
    return [
        list(LastTest.objects.order_by("subject_kind", "subject").values_list("subject", "rounds", "test", "p_value")),
        list(DailyReturn.objects.order_by("table").values_list("table", "rounds", "variance", "bets", "growth")),
    ]


def test_it_comes_out_as_it_was(floor: Floor) -> None:
    floor.table()
    play_many(floor, results(), wagers=[[wager("big", 1000, 2000)]] * 200)
    floor.consume(AFTER)
    floor.house.audit()
    examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    before = derived()
    assert all(before)
    DailyReturn.objects.all().delete()
    LastTest.objects.update(rounds=7, p_value="1")
    out = StringIO()
    call_command("rebuild_fairness", stdout=out)
    assert "harbour: 1 examined days." in out.getvalue()
    assert derived() == before
