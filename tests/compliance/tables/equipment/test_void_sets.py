"""Damaged dice: a shift manager determines the affected rounds; the page shows the effect on each wager."""

import pytest

from compliance.core.accounts.models import User
from compliance.tables.equipment.errors import NoSuchRounds, NotFloorStaff
from compliance.tables.equipment.models import VoidSet
from compliance.tables.equipment.services.floor_records import void_rounds
from compliance.tables.equipment.services.stake_returns import return_stakes, voided_wagers
from rounds.floor.models import Table
from rounds.intake.protocol.round import Change
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.search import size_of
from tests.compliance.audit.house import NOW
from tests.compliance.audit.round_builders import at, wager
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.core.web.confirming import post_anyway
from tests.compliance.tables.equipment.builders import LICENSEE, NSW, RWS, SKYCITY, Floor

DAMAGED = "/casinos/harbour/equipment/damaged-dice/"


def determine(table: Table, rounds: list[int], by: User) -> VoidSet:
    return void_rounds(
        table=table, dice_set="set-0912", rounds=rounds, reason="A corner is chipped.", actor=by, now=NOW
    )


def three_rounds(floor: Floor, rules: str = NSW) -> list[int]:
    """Lost, won and lost, $10 each on small; the third with other dice."""
    return [
        floor.house.play(dice, wager("small", 1_000, returned, id=f"w-{place}", rules=rules), dice_set=dice_set)
        for place, (dice, returned, dice_set) in enumerate(
            (((4, 5, 6), 0, "set-0912"), ((1, 2, 3), 2_000, "set-0912"), ((4, 5, 6), 0, "set-7")), 1
        )
    ]


def test_the_determination_is_a_new_entry_and_the_rounds_stay(floor: Floor) -> None:
    table = floor.table(RWS)
    first, second, _ = three_rounds(floor, RWS)
    before = read_entries("harbour", first, second + 1)
    made = determine(table, [second, first], floor.shirin)
    [entry] = read_entries("harbour", made.entry_index, made.entry_index + 1)
    assert (entry.kind, entry.table) == ("void-set", "sb-1")
    assert entry.content() == {
        "table": "sb-1",
        "rounds": [first, second],
        "reason": "A corner is chipped.",
        "dice_set": "set-0912",
        "clause": "5.4",
        "by": {"id": floor.shirin.pk, "name": "Shirin"},
        "at": "2026-11-16T12:00:00.000000Z",
    }
    assert read_entries("harbour", first, second + 1) == before


def test_only_a_shift_manager_and_only_rounds_of_the_table_once(floor: Floor) -> None:
    table = floor.table()
    first, second, _ = three_rounds(floor)
    size = size_of("harbour")
    for person in (floor.crew.sid, floor.crew.gina, floor.crew.cast.ines, floor.crew.cast.otto):
        with pytest.raises(NotFloorStaff):
            determine(table, [first], person)
    for rounds in ([], [size + 5], [0, first]):
        with pytest.raises(NoSuchRounds):
            determine(table, rounds, floor.shirin)
    assert (size_of("harbour"), VoidSet.objects.count()) == (size, 0)
    determine(table, [first], floor.shirin)
    with pytest.raises(NoSuchRounds, match="voided before"):
        determine(table, [first, second], floor.shirin)


def test_the_pages_tick_the_rounds_of_these_dice_and_add_up_what_is_owed(floor: Floor) -> None:
    floor.table(RWS)
    first, second, third = three_rounds(floor, RWS)
    shirin = browser_of(floor.shirin)
    query = "?table=sb-1&dice_set=set-0912&since=2026-11-16T00:00&until=2026-11-17T23:59"
    shown = shirin.get(f"{DAMAGED}new/{query}").content.decode()
    assert all(f'value="{index}"' in shown for index in (first, second, third))
    assert shown.count("checked") == 2
    nothing = shirin.post(f"{DAMAGED}new/{query}", {"reason": "Chipped.", **sign_off(floor.shirin)}).content.decode()
    effect = "that makes the rounds you choose void, and every stake is owed back"
    assert f"{effect} (clause 5.9)." in shown
    assert "Choose at least one round." in nothing
    assert "Chipped." in nothing
    form = {"rounds": [first, second], "reason": "Chipped.", **sign_off(floor.shirin)}
    done = post_anyway(shirin, f"{DAMAGED}new/{query}", form, again=lambda: sign_off(floor.shirin)).content.decode()
    assert "2 rounds of Table SB-1 void" in done
    assert "$10.00</data> in stakes is to be handed back." in done
    assert "$10.00</data> was paid beyond the stakes" in done
    assert "Chipped." in browser_of(floor.crew.cast.ines).get(DAMAGED).content.decode()


@pytest.mark.parametrize("rules", [NSW, SKYCITY, LICENSEE])
def test_where_the_rules_do_not_void_settled_rounds_no_page_says_that_stakes_are_owed(floor: Floor, rules: str) -> None:
    """NSW 8.5 and Licensee 6(c) void the round in which something breaks; SkyCity does not mention it."""
    table = floor.table(rules)
    first, second, _ = three_rounds(floor, rules)
    shirin = browser_of(floor.shirin)
    query = "?table=sb-1&dice_set=set-0912&since=2026-11-16T00:00&until=2026-11-17T23:59"
    not_void = "The rules in force do not void a settled round for damaged dice"
    shown = shirin.get(f"{DAMAGED}new/{query}").content.decode()
    assert not_void in shown
    assert "every stake is owed back" not in shown
    form = {"rounds": [first, second], "reason": "Chipped.", **sign_off(floor.shirin)}
    done = post_anyway(shirin, f"{DAMAGED}new/{query}", form, again=lambda: sign_off(floor.shirin)).content.decode()
    assert "2 rounds of Table SB-1, not void under the rules" in done
    assert "to be handed back" not in done
    made = VoidSet.objects.get(table=table)
    assert made.clause == ""
    for address in (f"/casinos/harbour/rounds/{first}/", f"/casinos/harbour/disputes/new/{first}/"):
        page = shirin.get(address).content.decode()
        assert not_void in page, address
        assert "<strong>Void.</strong>" not in page


def test_a_stake_that_was_not_owed_can_be_recorded_as_handed_back(floor: Floor) -> None:
    table = floor.table()
    first, *_ = three_rounds(floor)
    made = determine(table, [first], floor.shirin)
    page = browser_of(floor.shirin).get(f"/casinos/harbour/equipment/returned/{made.entry_index}/")
    shown = page.content.decode()
    assert "Nothing is owed: the rules in force do not make these rounds or wagers void." in shown
    assert "$10.00</data> staked, not owed" in shown
    returned = return_stakes(
        casino=table.casino,
        because=made.entry_index,
        wagers=[f"{first}:w-1"],
        how="In value chips.",
        actor=floor.shirin,
        now=NOW,
    )
    assert [each["cents"] for each in returned.returned] == [1_000]


def test_the_page_of_a_new_dispute_says_that_the_round_is_void_and_what_is_owed(floor: Floor) -> None:
    table = floor.table(RWS)
    first, *_ = three_rounds(floor, RWS)
    shirin, address = browser_of(floor.shirin), f"/casinos/harbour/disputes/new/{first}/"
    assert "void" not in shirin.get(address).content.decode().replace('class="void', "")
    determine(table, [first], floor.shirin)
    page = shirin.get(address).content.decode()
    assert "<strong>Void.</strong> This round was declared void because its dice were damaged" in page
    assert "and every stake is owed back (clause 5.9). $10.00 in stakes is still to be handed back." in page


@pytest.mark.parametrize(("seconds", "owed"), [(29.999, 400), (30, 400), (30.001, 1_000)])
def test_a_stake_lowered_after_the_close_is_owed_as_it_stood(floor: Floor, seconds: float, owed: int) -> None:
    """Betting closes at 30 s: RWS 3.5."""
    table = floor.table(RWS)
    lowered = Change(what="lowered", at=at(seconds), stake=400)
    index = floor.house.play((4, 5, 6), wager("small", 1_000, 0, changes=(lowered,), rules=RWS))
    made = determine(table, [index], floor.shirin)
    [entry] = read_entries("harbour", made.entry_index, made.entry_index + 1)
    assert [each.due_cents for each in voided_wagers(floor.crew.harbour, entry)] == [owed]
