"""Refusals, void wagers, invalid outcomes, forfeits, exclusions, partnerships and idle players, each by its clause."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.db.utils import IntegrityError

from compliance.core.accounts.models import User
from compliance.privacy.personal_data.audited_read import read_personal_details
from compliance.privacy.personal_data.models import AccessPurpose, PersonalRecord
from compliance.tables.player_conduct.act_types import ACT_TYPES
from compliance.tables.player_conduct.errors import (
    GroundsNotKnown,
    HasWagered,
    NoForfeit,
    NoPersonNamed,
    RankNotPermitted,
    TimeInFuture,
    UnknownRound,
    UnknownWager,
)
from compliance.tables.player_conduct.models import ConductAct
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from rounds.floor.models import Table
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.search import size_of
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.audit.round_builders import wager
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.core.web.confirming import post_anyway, shown_prediction
from tests.compliance.tables.equipment.builders import EVENING, LICENSEE, NSW, SKYCITY, Floor

CONDUCT = "/casinos/harbour/conduct/"
LATER = EVENING + timedelta(days=200)


def act(table: Table, by: User, *, now: Any = LATER, **said: Any) -> ConductAct:
    words: dict[str, Any] = {"at": EVENING, "seat": 4} | said
    return record_conduct(table=table, report=ConductReport(**words), actor=by, now=now)


def played(floor: Floor, *seats: int, rounds: int = 1) -> list[int]:
    """Reports rounds in which these seats wagered; wagers are numbered w-1, w-2 and so on."""
    wagers = [wager("small", 1_000, 0, id=f"w-{place}", seat=seat) for place, seat in enumerate(seats, 1)]
    return [floor.house.play((4, 5, 6), *wagers) for _ in range(rounds)]


def test_a_refused_wager_names_the_clause_and_nobody(floor: Floor) -> None:
    table = floor.table(NSW)
    person = {"name": "Pat Example", "note": "Pat argued with the dealer."}
    refused = act(table, floor.crew.gina, kind="wager-refusal", grounds="other", person=person)
    [entry] = read_entries("harbour", refused.entry_index, refused.entry_index + 1)
    said = entry.content()
    assert (entry.kind, said["clause"], said["grounds"], said["seat"]) == ("wager-refusal", "9.11", "other", 4)
    assert (said["by"]["name"], said["as"]) == ("Gina", "games-supervisor")
    assert b"Pat" not in entry.body
    record = PersonalRecord.objects.get()
    assert said["person"] == record.as_commitment()
    shown = read_personal_details(
        floor.crew.cast.ines, floor.crew.harbour, record.pk, purpose=AccessPurpose.INSPECT, now=LATER
    )
    assert "Pat Example" in str(shown)


def test_an_outcome_is_invalidated_for_fraud_and_the_fraudsters_wager_forfeited(floor: Floor) -> None:
    table = floor.table(NSW)
    [index] = played(floor, 4, 5)
    known = {"kind": "invalidation", "rounds": [str(index)]}
    done = act(table, floor.crew.sid, grounds="fraud", forfeited=["w-1"], **known)
    assert (done.clause, done.rounds, done.forfeited) == ("9.4", [index], [f"{index}:w-1"])
    with pytest.raises(NoForfeit):
        act(table, floor.crew.sid, grounds="disruption", forfeited=["w-1"], **known)
    with pytest.raises(UnknownWager, match="w-9"):
        act(table, floor.crew.sid, grounds="fraud", forfeited=["w-9"], **known)
    with pytest.raises(UnknownRound, match="99999"):
        act(table, floor.crew.sid, kind="invalidation", grounds="fraud", rounds=["99999"])
    with pytest.raises(GroundsNotKnown):
        act(table, floor.crew.sid, kind="invalidation", grounds="device", rounds=[str(index)])
    by_its_number = act(table, floor.crew.sid, kind="invalidation", grounds="disruption", rounds=["r-1"], seat=None)
    assert by_its_number.rounds == [index]


def test_a_devices_user_loses_wagers_and_is_excluded_by_the_clause_of_each(floor: Floor) -> None:
    table = floor.table(NSW)
    [index] = played(floor, 4)
    sid = floor.crew.sid
    void = act(table, sid, kind="wagers-voided", grounds="device", rounds=[str(index)], wagers=["w-1"])
    game = act(table, sid, kind="exclusion", grounds="device", scope="game")
    casino = act(table, sid, kind="exclusion", grounds="device", scope="casino")
    assert [each.clause for each in (void, game, casino)] == ["9.3.1", "9.3.2", "9.3.3"]
    assert void.wagers == [f"{index}:w-1"]


@pytest.mark.parametrize(
    ("rules", "kind", "grounds", "clause"),
    [
        (SKYCITY, "wager-touched", "again", "8.b"),
        (NSW, "wager-touched", "again", ""),
        (LICENSEE, "wager-touched", "again", ""),
        (SKYCITY, "exclusion", "other", ""),
        (SKYCITY, "partnership", "together", "8.c"),
        (SKYCITY, "invalidation", "disruption", "8.a"),
        (LICENSEE, "exclusion", "other", ""),
    ],
)
def test_each_document_has_its_own_clause_or_is_silent(
    rules: str, kind: str, grounds: str, clause: str, floor: Floor
) -> None:
    table = floor.table(rules)
    assert act(table, floor.crew.sid, kind=kind, grounds=grounds, scope="game").clause == clause


def test_three_idle_rounds_with_a_result_and_not_two(floor: Floor) -> None:
    table = floor.table(NSW)
    ask: dict[str, Any] = {"kind": "idle-player", "grounds": "idle", "at": LATER}
    played(floor, 4)
    idle = played(floor, 5, rounds=2)
    with pytest.raises(HasWagered, match=r"last 3 rounds .* \(9.9\)"):
        act(table, floor.crew.sid, **ask)
    idle += played(floor, 5)
    asked = act(table, floor.crew.sid, **ask)
    assert (asked.rounds, asked.clause) == (idle, "9.9")
    with pytest.raises(HasWagered):
        act(table, floor.crew.sid, **ask | {"seat": 5})
    with pytest.raises(HasWagered):
        act(table, floor.crew.sid, **ask | {"at": EVENING}, now=LATER)  # before any of these rounds


@pytest.mark.parametrize("kind", sorted(ACT_TYPES))
def test_a_record_says_whom_it_is_about(kind: str, floor: Floor) -> None:
    """Only an invalidated outcome without forfeit concerns rounds alone. The database enforces it too."""
    table = floor.table(NSW)
    [index] = played(floor, 4)
    said: dict[str, Any] = {
        "kind": kind,
        "grounds": ACT_TYPES[kind].grounds[-1][0],
        "scope": "game",
        "rounds": [str(index)],
    }
    said |= {"forfeited": ["w-1"]} if kind == "invalidation" else {}
    before = size_of("harbour")
    with pytest.raises(NoPersonNamed):
        act(table, floor.crew.sid, seat=None, **said)
    typed = {
        "grounds": said["grounds"],
        "scope": "game",
        "rounds": f"{index}",
        "forfeited": "w-1",
        "at": "2026-07-12T20:00",
    }
    page = browser_of(floor.crew.sid).post(f"{CONDUCT}tables/sb-1/{kind}/", typed).content.decode()
    assert "Say who: a seat, or the player&#x27;s mark of the day." in page
    assert (size_of("harbour"), ConductAct.objects.count()) == (before, 0)
    row = ConductAct(
        casino=table.casino,
        table=table,
        kind=kind,
        at=EVENING,
        grounds="fraud",
        scope="game",
        forfeited=["9:w-1"],
        by=floor.crew.sid,
        by_name="Sid",
        acted_as="casino-supervisor",
        recorded_at=LATER,
        log="harbour",
        entry_index=9,
    )
    with pytest.raises(IntegrityError, match="conduct_is_about_somebody"), transaction.atomic():
        row.save(force_insert=True)


def test_void_wagers_that_nobody_named_are_all_of_that_person(floor: Floor) -> None:
    table = floor.table(NSW)
    [index] = played(floor, 4, 5, 4)
    void = {"kind": "wagers-voided", "grounds": "device", "rounds": [str(index)]}
    assert act(table, floor.crew.sid, **void).wagers == [f"{index}:w-1", f"{index}:w-3"]
    with pytest.raises(UnknownWager, match="made no wager in these rounds"):
        act(table, floor.crew.sid, **void | {"seat": 9})


def test_only_whom_the_rules_name_and_nothing_half_done(floor: Floor) -> None:
    table = floor.table(NSW)
    before = size_of("harbour")
    refusal = {"kind": "wager-refusal", "grounds": "limits", "person": {"name": "Pat"}}
    for person in (floor.crew.cora, floor.crew.cast.ines, floor.crew.cast.otto):
        with pytest.raises(RankNotPermitted, match=r"casino supervisor \(9.11\)"):
            act(table, person, **refusal)
    with pytest.raises(TimeInFuture):
        act(table, floor.crew.sid, now=EVENING - timedelta(seconds=1), **refusal)
    assert (size_of("harbour"), ConductAct.objects.count(), PersonalRecord.objects.count()) == (before, 0, 0)


def test_the_pages_keep_what_was_typed_and_show_no_name(floor: Floor) -> None:
    floor.table(NSW)
    [index] = played(floor, 4)
    sid = browser_of(floor.crew.sid)
    assert "Invalidate an outcome (9.4)" in sid.get(f"{CONDUCT}tables/sb-1/").content.decode()
    address = f"{CONDUCT}tables/sb-1/invalidation/"
    typed = {
        "grounds": "fraud",
        "rounds": "nonsense",
        "note": "A magnet was found.",
        "at": "2026-07-12T20:00",
    }
    refused = sid.post(address, typed).content.decode()
    assert "nonsense is no round of this table." in refused
    assert "A magnet was found." in refused
    done = post_anyway(sid, address, {**typed, "rounds": f"{index}"}).content.decode()
    assert "Fraud that affects the outcome" in done
    assert "magnet" not in done
    listed = sid.get(f"{CONDUCT}?kind=invalidation").content.decode()
    assert "Invalidate an outcome" in listed
    assert "magnet" not in listed
    assert sid.post(f"{CONDUCT}tables/sb-1/exclusion/", {}).content.decode().count("Choose one.") >= 2
    assert sid.get(f"{CONDUCT}tables/sb-1/nonsense/").status_code == 404


def test_a_time_more_than_a_day_ago_is_asked_about_before_it_is_recorded(floor: Floor) -> None:
    floor.table(NSW)
    sid, address = browser_of(floor.crew.sid), f"{CONDUCT}tables/sb-1/exclusion/"
    typed = {"grounds": "device", "scope": "game", "player": "p-07", "note": "A counter.", "at": "2020-07-12T20:00"}
    page = sid.post(address, typed)
    [doubt] = shown_prediction(page).doubts
    assert doubt.startswith("12 Jul 2020, 8:00 pm AEST was 2,")
    assert "A counter." in page.content.decode()
    assert not ConductAct.objects.exists()
    post_anyway(sid, address, typed)
    assert ConductAct.objects.get().at.year == 2020


def test_an_exclusion_is_withdrawn_with_a_reason_and_stays_on_record(floor: Floor) -> None:
    table = floor.table(NSW)
    excluded = act(table, floor.crew.sid, kind="exclusion", grounds="device", scope="game")
    sid, page = browser_of(floor.crew.sid), f"{CONDUCT}{excluded.entry_index}/"
    withdraw = f"/casinos/harbour/entries/{excluded.entry_index}/withdraw/"
    assert f'href="{withdraw}"' in sid.get(page).content.decode()
    done = sid.post(withdraw, {"reason": "The wrong year."}, follow=True).content.decode()
    assert "The wrong year." in done
    assert f'href="{withdraw}"' not in sid.get(page).content.decode()
    assert f'href="{CONDUCT}tables/sb-1/"' in sid.get(page).content.decode()
    assert "Withdrawn" in sid.get(CONDUCT).content.decode()
    ines = browser_of(floor.crew.cast.ines).get(page).content.decode()
    assert "The wrong year." in ines
    assert f'href="{CONDUCT}tables/sb-1/"' not in ines


def test_the_log_verifies_with_the_person_and_without(committed_floor: Floor) -> None:
    floor = committed_floor
    table = floor.table(NSW)
    act(table, floor.crew.sid, kind="wager-refusal", grounds="late", person={"name": "Pat Example"})
    result = verify_log("harbour")
    assert result.is_intact, result.first_issue
