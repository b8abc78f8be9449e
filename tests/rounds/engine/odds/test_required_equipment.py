"""Equipment required to offer a wager. NSW 6.1: Super Streak needs a screen and layout C or D."""

import pytest

from rounds.engine.odds.required_equipment import RecordedEquipment, find_equipment_problems
from tests.rounds.engine.cases import NSW, SKYCITY, pack_of

STREAKS = ["small", "streak:small", "streak:odd"]


@pytest.mark.parametrize(
    ("equipment", "lacking"),
    [
        (RecordedEquipment("C", "plasma"), []),
        (RecordedEquipment("D", "lcd"), []),
        (RecordedEquipment("A", "lcd"), ["layout"]),
        (RecordedEquipment("C", None), ["screen"]),
        (RecordedEquipment("C", "projector"), ["screen"]),
        (RecordedEquipment(), ["layout", "screen"]),
    ],
)
def test_super_streak_needs_layout_and_screen(equipment: RecordedEquipment, lacking: list[str]) -> None:
    problems = find_equipment_problems(pack_of(NSW), STREAKS, equipment)
    assert [each.needs for each in problems] == lacking
    assert all(each.clause == "6.1" and each.bets == ("streak:small", "streak:odd") for each in problems)


def test_the_sentence_says_what_is_asked_for_and_what_is_there() -> None:
    wrong, missing = find_equipment_problems(pack_of(NSW), STREAKS, RecordedEquipment("B", None))
    assert wrong.sentence == "Super Streak needs a layout of kind C or D, and this table has B (clause 6.1)."
    assert missing.sentence == (
        "Super Streak needs a screen of kind plasma or lcd, and none is recorded for this table (clause 6.1)."
    )


def test_other_wagers_and_other_documents_ask_for_nothing() -> None:
    assert find_equipment_problems(pack_of(NSW), ["small", "total:4"], RecordedEquipment()) == []
    assert find_equipment_problems(pack_of(SKYCITY), STREAKS, RecordedEquipment()) == []
