"""Later decisions about rounds, recorded through the apps' own services: damaged dice (RWS 5.4), invalidated outcomes
(NSW 9.4 and 9.5, SkyCity 8.a), wagers declared void (NSW 9.3.1), and refunds."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from compliance.audit.models import BLOCK_ENTRIES, Block, Finding, VoidedRound
from compliance.audit.run.rebuild import rebuild_rounds
from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.tables.equipment.errors import NothingOwed, PartNeedsSingleWager
from compliance.tables.equipment.models import StakesReturned, VoidSet
from compliance.tables.equipment.services.floor_records import void_rounds
from compliance.tables.equipment.services.stake_returns import return_stakes, voided_wagers
from compliance.tables.player_conduct.models import ConductAct
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from rounds.floor.models import Table
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.round import Change, NoResult
from rounds.ledger.readers.consumer import read_entries_at
from rounds.ledger.verify.verify_log import verify_log
from rounds.ledger.writing.append import correct
from tests.compliance.audit.checks.round.test_streaks import BIG, SMALL, StreakTable, ended, made
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import LICENSEE, NSW, RWS, SKYCITY, at, wager
from tests.compliance.audit.run.test_superseded_findings import fill_up_to
from tests.compliance.core.accounts.people import browser_of, give_phone, hire, sign_off
from tests.compliance.core.web.confirming import post_anyway
from tests.compliance.tampering import tampered

# Total 8: "small" wins even money, "big" loses.
DICE = (2, 3, 3)
AFTERWARDS = NOW + timedelta(hours=2)


@pytest.fixture
def shirin(house: House) -> User:
    shirin = hire("shirin", house.casino, Role.SHIFT_MANAGER, by=house.crew.cast.ada)
    give_phone(shirin)
    return shirin


def standing() -> list[tuple[str, str, int | None, int | None, str]]:
    rows = Finding.objects.current().order_by("subject_index", "wager", "code")
    return list(rows.values_list("code", "wager", "required_cents", "found_cents", "clause"))


def judged(house: House) -> list[tuple[str, str, int | None, int | None, str]]:
    house.audit()
    return standing()


# --- Damaged dice ---------------------------------------------------------------------------------------------------


@pytest.fixture
def etg(house: House) -> Table:
    table = house.open_table("etg-1", rules=RWS)
    house.add_terminal(table, "t-1", "Appendix A")
    return table


def play(house: House, bet: str, returned: int, **rest: Any) -> int:
    return house.play(DICE, wager(bet, 100, returned, rules=RWS, **rest), table="etg-1")


def damaged(table: Table, rounds: list[int], by: User) -> VoidSet:
    return void_rounds(
        table=table, dice_set="set-0912", rounds=rounds, reason="A corner is chipped.", actor=by, now=AFTERWARDS
    )


def take_back(index: int) -> int:
    with transaction.atomic():
        return correct("harbour", index, {"reason": "A slip.", "by": {"id": 1, "name": "Sid"}}, AFTERWARDS).index


def test_a_set_for_damaged_dice_judges_just_its_rounds_again_and_says_so(
    house: House, etg: Table, shirin: User
) -> None:
    overpaid, lost, untouched = play(house, "small", 300), play(house, "big", 0, id="w"), play(house, "big", 0)
    fill_up_to(house, BLOCK_ENTRIES)
    elsewhere = play(house, "small", 300)
    house.audit()
    assert house.codes() == ["SETTLE-OVERPAID"] * 2
    by = damaged(etg, [overpaid, lost], shirin).entry_index
    house.audit()
    found = Finding.objects.current().order_by("subject_index")
    assert [(one.code, one.subject_index) for one in found] == [
        ("SETTLE-VOID-KEPT", lost),
        ("SETTLE-OVERPAID", elsewhere),
    ]
    assert (found[0].required_cents, found[0].found_cents, found[0].clause) == (100, 0, "5.4")
    assert by in found[0].evidence
    assert found[0].explanation[0] == f"The round was determined to be void later, by entry {by}."
    assert Finding.objects.get(subject_index=overpaid).superseded_reason == (
        f"Entry {by} determines that rounds are void."
    )
    assert list(Block.objects.order_by("number").values_list("generation", flat=True)) == [2, 1]
    assert untouched not in found.values_list("subject_index", flat=True)


def test_what_was_handed_back_ends_the_finding_and_says_by_what(house: House, etg: Table, shirin: User) -> None:
    first, second = play(house, "big", 0, id="w-1"), play(house, "big", 0, id="w-2")
    because = damaged(etg, [first, second], shirin).entry_index
    house.audit()
    kept = [("SETTLE-VOID-KEPT", wager, 100, 0, "5.4") for wager in ("w-1", "w-2")]
    assert standing() == kept
    back = return_stakes(
        casino=house.casino, because=because, wagers=[f"{first}:w-1"], how="In credits.", actor=shirin, now=AFTERWARDS
    )
    assert judged(house) == kept[1:]
    gone = Finding.objects.get(subject_index=first)
    assert gone.superseded_reason == f"Entry {back.entry_index} records stakes that were handed back."
    with pytest.raises(NothingOwed):
        return_stakes(
            casino=house.casino, because=because, wagers=[f"{first}:w-1"], how="Again.", actor=shirin, now=AFTERWARDS
        )
    take_back(back.entry_index)
    assert judged(house) == kept
    take_back(because)
    assert judged(house) == []


def test_part_of_a_stake_leaves_the_rest_owed_until_that_is_handed_back_too(
    house: House, etg: Table, shirin: User
) -> None:
    lost, other = play(house, "big", 0, id="w-1"), play(house, "big", 0, id="w-2")
    because = damaged(etg, [lost, other], shirin).entry_index

    def hand_back(part_cents: int | None, *wagers: str) -> None:
        return_stakes(
            casino=house.casino,
            because=because,
            wagers=wagers or [f"{lost}:w-1"],
            how="In credits.",
            part_cents=part_cents,
            actor=shirin,
            now=AFTERWARDS,
        )

    for part, wagers in ((0, ()), (101, ()), (30, (f"{lost}:w-1", f"{other}:w-2"))):
        with pytest.raises(PartNeedsSingleWager):
            hand_back(part, *wagers)
    hand_back(30)
    untouched = ("SETTLE-VOID-KEPT", "w-2", 100, 0, "5.4")
    assert judged(house) == [("SETTLE-VOID-KEPT", "w-1", 100, 30, "5.4"), untouched]
    with pytest.raises(PartNeedsSingleWager):
        hand_back(71)
    hand_back(69)
    assert judged(house) == [("SETTLE-VOID-KEPT", "w-1", 100, 99, "5.4"), untouched]
    hand_back(None)
    assert judged(house) == [untouched]
    assert [row.total_cents for row in StakesReturned.objects.order_by("pk")] == [30, 69, 1]


def test_of_a_wager_that_was_raised_all_that_lay_there_is_owed(house: House, etg: Table, shirin: User) -> None:
    lost = play(house, "big", 0, id="w", changes=(Change(what="raised", at=at(15), stake=250),))
    because = damaged(etg, [lost], shirin).entry_index
    assert judged(house) == [("SETTLE-VOID-KEPT", "w", 250, 0, "5.4")]
    [entry] = read_entries_at("harbour", [because])
    assert [each.due_cents for each in voided_wagers(house.casino, entry)] == [250]


def test_made_again_from_the_log_the_projection_is_the_same(house: House, etg: Table, shirin: User) -> None:
    lost = play(house, "big", 0, id="w")
    because = damaged(etg, [lost], shirin).entry_index
    return_stakes(
        casino=house.casino, because=because, wagers=[f"{lost}:w"], how="In credits.", actor=shirin, now=AFTERWARDS
    )
    house.audit()
    columns = ("entry_index", "set_index", "reason", "refunds", "voided", "forfeited", "at", "decided_as")
    kept = list(VoidedRound.objects.values_list(*columns))
    assert [row[2:4] for row in kept] == [("damaged-dice", {}), ("", {"w": 100})]
    assert rebuild_rounds("harbour") == 1
    assert list(VoidedRound.objects.values_list(*columns)) == kept


def test_a_reason_that_the_rules_do_not_let_reach_back_is_flagged(house: House, shirin: User) -> None:
    """NSW has no rule that voids settled rounds for damaged dice: the losing wager stays lost, and the decision is
    reported."""
    table = house.open_table()
    lost = house.play(DICE, wager("big", 100, 0))
    damaged(table, [lost], shirin)
    assert [each[0] for each in judged(house)] == ["ROUND-REASON"]


# --- Invalidated outcomes -------------------------------------------------------------------------------------------


def determine(table: Table, by: User, *, at: datetime = AFTERWARDS, **said: Any) -> ConductAct:
    return record_conduct(table=table, report=ConductReport(at=at, **said), actor=by, now=AFTERWARDS)


@pytest.mark.parametrize(("rules", "clause"), [(NSW, "9.5"), (SKYCITY, "8.a")])
def test_an_outcome_invalidated_afterwards_gives_every_stake_back(house: House, rules: str, clause: str) -> None:
    """Won and paid before: the winnings are not recovered. Lost before: the stake is owed."""
    table = house.open_table(rules=rules)
    index = house.play(DICE, wager("small", 1_000, 2_000, id="won"), wager("big", 1_000, 0, id="lost"))
    assert judged(house) == []
    act = determine(table, house.crew.sid, kind="invalidation", grounds="disruption", rounds=[str(index)])
    assert judged(house) == [("SETTLE-VOID-KEPT", "lost", 1_000, 0, clause)]
    finding = Finding.objects.get()
    assert act.entry_index in finding.evidence
    back = return_stakes(
        casino=house.casino,
        because=act.entry_index,
        wagers=[f"{index}:lost"],
        how="In chips.",
        actor=house.crew.sid,
        now=AFTERWARDS,
    )
    assert judged(house) == []
    finding.refresh_from_db()
    assert finding.superseded_reason == f"Entry {back.entry_index} records stakes that were handed back."


def test_paid_although_the_outcome_had_been_invalidated_before(house: House) -> None:
    table = house.open_table()
    index = house.play(DICE, wager("small", 1_000, 2_000, id="won"), wager("big", 1_000, 1_000, id="back"))
    determine(table, house.crew.sid, kind="invalidation", grounds="disruption", rounds=[str(index)], at=at(35))
    assert judged(house) == [("SETTLE-SHOULD-BE-VOID", "won", 1_000, 2_000, "9.4")]


def test_a_fraudsters_wager_is_forfeited_when_somebody_directs_it_and_not_otherwise(house: House) -> None:
    """NSW 9.5: the two wagers were kept; only that of the fraudster may be."""
    table = house.open_table()
    both = [wager("small", 1_000, 0, id=name, verdict="forfeited") for name in ("theirs", "mine")]
    by = Staff(position="casino-supervisor")
    index = house.play(None, *both, no_result=NoResult(reason="invalidated", grounds="fraud", by=by))
    assert judged(house) == []
    determine(
        table, house.crew.sid, kind="invalidation", grounds="fraud", rounds=[str(index)], forfeited=["theirs"], seat=4
    )
    assert judged(house) == [("SETTLE-VOID-KEPT", "mine", 1_000, 0, "9.5")]


def test_handed_back_although_it_had_been_forfeited(house: House) -> None:
    table = house.open_table()
    index = house.play(DICE, wager("small", 1_000, 1_000, id="theirs"), wager("big", 1_000, 1_000, id="mine"))
    determine(
        table,
        house.crew.sid,
        kind="invalidation",
        grounds="fraud",
        rounds=[str(index)],
        forfeited=["theirs"],
        seat=4,
        at=at(35),
    )
    assert judged(house) == [("SETTLE-SHOULD-BE-VOID", "theirs", 0, 1_000, "9.4")]
    assert "It was directed that the wager be forfeited." in Finding.objects.get().explanation


def test_where_the_rules_know_no_invalidation_it_is_flagged_unless_the_right_person_decided(
    house: House, etg: Table, shirin: User
) -> None:
    """The Licensee's document has none. RWS has none either, but 5.10 leaves the rest to the shift manager."""
    licensee = house.open_table("us-1", rules=LICENSEE)
    index = house.play(DICE, wager("small", 1_000, 2_000), table="us-1")
    determine(licensee, house.crew.sid, kind="invalidation", grounds="disruption", rounds=[str(index)])
    decided = play(house, "big", 0)
    determine(etg, shirin, kind="invalidation", grounds="disruption", rounds=[str(decided)])
    assert [each[0] for each in judged(house)] == ["ROUND-REASON"]
    assert Finding.objects.get().subject_index == index


def test_a_streak_does_not_count_results_that_were_invalidated(house: House) -> None:
    """NSW 7.2: paid 10 to 1 for five in a row; without two of them there were three, which pay nothing (6.4.1)."""
    table = StreakTable(house)
    table.play(SMALL, made())
    counted = [table.play(SMALL) for _ in range(5)]
    end = table.play(BIG, ended(11_000))
    assert table.found() == []
    rounds = [str(index) for index in counted[:2]]
    determine(table.table, house.crew.sid, kind="invalidation", grounds="disruption", rounds=rounds)
    assert table.found() == [("STREAK-MISCOUNT", 0, 11_000)]
    assert Finding.objects.current().get().subject_index == end


# --- Wagers declared void -------------------------------------------------------------------------------------------


def test_a_wager_declared_void_goes_back_and_others_of_the_round_stay_as_they_are(house: House) -> None:
    """NSW 9.3.1."""
    table = house.open_table()
    device, other = wager("big", 1_000, 0, id="device", seat=4), wager("big", 1_000, 0, id="other", seat=5)
    index = house.play(DICE, device, other)
    assert judged(house) == []
    act = determine(
        table, house.crew.sid, kind="wagers-voided", grounds="device", rounds=[str(index)], wagers=["device"], seat=4
    )
    assert judged(house) == [("SETTLE-VOID-KEPT", "device", 1_000, 0, "9.3.1")]
    finding = Finding.objects.get()
    assert act.entry_index in finding.evidence
    assert finding.explanation == [f"Entry {act.entry_index} declares the wager void [9.3.1]."]
    return_stakes(
        casino=house.casino,
        because=act.entry_index,
        wagers=[f"{index}:device"],
        how="In chips.",
        actor=house.crew.sid,
        now=AFTERWARDS,
    )
    assert judged(house) == []


def test_all_wagers_of_the_seat_where_none_is_named(house: House) -> None:
    table = house.open_table()
    wagers = [wager("big", 1_000, 0, id=f"w-{seat}", player=None, seat=seat) for seat in (4, 5)]
    index = house.play(DICE, *wagers)
    determine(table, house.crew.sid, kind="wagers-voided", grounds="device", rounds=[str(index)], seat=4)
    assert [each[:2] for each in judged(house)] == [("SETTLE-VOID-KEPT", "w-4")]


def test_where_the_rules_do_not_say_that_wagers_may_be_voided_the_verdict_is_silent(house: House) -> None:
    """SkyCity 8.k forbids devices and says nothing of what follows: the stake of a loser was handed back."""
    table = house.open_table(rules=SKYCITY)
    index = house.play(DICE, wager("big", 1_000, 1_000, id="device", seat=4))
    determine(
        table, house.crew.sid, kind="wagers-voided", grounds="device", rounds=[str(index)], wagers=["device"], seat=4
    )
    assert [each[:2] for each in judged(house)] == [("SETTLE-LOSER-PAID", "device")]
    assert Finding.objects.get().is_silent


# --- The page -------------------------------------------------------------------------------------------------------


def test_the_shift_manager_signs_for_what_was_handed_back(house: House, etg: Table, shirin: User) -> None:
    first, second = play(house, "big", 0, id="w-1"), play(house, "big", 0, id="w-2")
    because = damaged(etg, [first, second], shirin).entry_index
    page = f"/casinos/harbour/equipment/returned/{because}/"
    hers = browser_of(shirin)
    assert page in hers.get(f"/casinos/harbour/equipment/damaged-dice/{because}/").content.decode()
    shown = hers.get(page).content.decode()
    assert "$2.00</data> is still owed." in shown
    assert 'wager w-1 on Big: <data class="figure" value="1.00">$1.00</data> owed' in shown
    nothing = hers.post(page, {"how": "In credits.", **sign_off(shirin)}).content.decode()
    assert "Tick at least one wager." in nothing
    assert "In credits." in nothing
    both = {"wagers": [f"{first}:w-1", f"{second}:w-2"], "how": "In credits."}
    refused = hers.post(page, {**both, "part": "0.30", **sign_off(shirin)}).content.decode()
    assert "Tick one wager and enter at most what is owed for it" in refused
    assert 'value="0.30"' in refused
    one = {"wagers": [f"{first}:w-1"], "part": "0.30", "how": "In credits.", **sign_off(shirin)}
    partly = post_anyway(hers, page, one, again=lambda: sign_off(shirin)).content.decode()
    assert "Part of one stake recorded as handed back" in partly
    assert "$1.70</data> is still owed." in partly
    form = {**both, **sign_off(shirin)}
    done = hers.post(page, form, follow=True).content.decode()
    assert "2 stakes recorded as handed back" in done
    assert "<p>Nothing is owed.</p>" in done
    assert judged(house) == []
    assert browser_of(house.crew.cast.ines).get(page).status_code == 404


# --- The projection against the log ---------------------------------------------------------------------------------


def test_what_is_altered_in_the_projection_is_found_and_where(committed_house: House) -> None:
    house = committed_house
    table = house.open_table()
    index = house.play(DICE, wager("small", 1_000, 2_000, id="won"), wager("big", 1_000, 0, id="lost"))
    act = determine(table, house.crew.sid, kind="invalidation", grounds="disruption", rounds=[str(index)])
    return_stakes(
        casino=house.casino,
        because=act.entry_index,
        wagers=[f"{index}:lost"],
        how="In chips.",
        actor=house.crew.sid,
        now=AFTERWARDS,
    )
    house.audit()
    # These rounds were appended without their signed batch, which verification reports.
    before = verify_log("harbour").issues
    for statement, found in (
        ("UPDATE audit_voidedround SET refunds = '{}' WHERE reason = ''", (1, "something else")),
        ("UPDATE audit_voidedround SET forfeited = '[\"lost\"]' WHERE reason <> ''", (0, "something else")),
        ("DELETE FROM audit_voidedround WHERE reason <> ''", (0, "no longer knows")),
        (f"UPDATE audit_voidedround SET entry_index = {index - 1} WHERE reason <> ''", (0, "no longer knows")),
    ):
        with tampered("audit_voidedround", statement):
            misfit = next(each for each in verify_log("harbour").issues if each not in before)
        assert misfit.index == act.entry_index + found[0], statement
        assert found[1] in misfit.sentence, statement
    assert verify_log("harbour").issues == before
