"""The migration that rebuilds the audit's columns and totals, on a database with the previous format."""

from struct import Struct

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from compliance.audit.models import DailyBetTotals, PackedRound
from compliance.config.database_roles import as_owner
from rounds.engine.bets.bet_codes import BET_INDEX
from rounds.intake.protocol.round import Change
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import at, wager

BEFORE, AFTER = ("audit", "0008_played"), ("audit", "0010_bets_in_lists")
# Bet, verdict, tender, whether the columns encode everything, holder, terminal, chips, stake, returned, placed.
FORMER = Struct("<BBBBIIIqqq")


def migrate_to(target: tuple[str, str]) -> None:
    call_command("migrate", *target, verbosity=0)


def migrate_to_newest() -> None:
    """Through AFTER and beyond it, because later tests use the same database."""
    call_command("migrate", verbosity=0)


def is_applied(target: tuple[str, str]) -> bool:
    return target in MigrationExecutor(connection).loader.applied_migrations


def as_formerly_packed(row: PackedRound) -> None:
    """In the previous format a wager was encoded as first placed, and a changed one was marked as incomplete."""
    _, verdict, tender, _, *names, _, returned, _ = FORMER.unpack(bytes(row.wagers))
    placed = int(at(20).timestamp()) * 1_000_000
    former = FORMER.pack(BET_INDEX["big"], verdict, tender, 0, *names, 1_000, returned, placed)
    PackedRound.objects.filter(pk=row.pk).update(wagers=former)
    # Today's view was a table then.
    with as_owner("default"):
        assert DailyBetTotals.objects.filter(bet="small").update(bet="big", staked_cents=1_000) == 1


@pytest.fixture
def filled(committed_house: House) -> House:
    """A wager of $10 on big that was moved to small and raised to $25, and won."""
    house = committed_house
    house.open_table()
    changes = (Change(what="moved", at=at(22), bet="small"), Change(what="raised", at=at(25), stake=2_500))
    house.play((4, 2, 4), wager("big", 1_000, 5_000, verdict="win", placed_at=at(20), changes=changes))
    house.audit()
    return house


def test_columns_and_sums_of_the_form_before_are_made_again(filled: House) -> None:
    kept, played = PackedRound.objects.get(), DailyBetTotals.objects.get()
    assert (played.bet, played.staked_cents, played.returned_cents) == ("small", 2_500, 5_000)
    migrate_to(BEFORE)
    try:
        assert not is_applied(AFTER)
        as_formerly_packed(kept)
    finally:
        migrate_to_newest()

    assert is_applied(AFTER)
    assert bytes(PackedRound.objects.get().wagers) == bytes(kept.wagers)
    assert DailyBetTotals.objects.values("bet", "staked_cents", "returned_cents").get() == {
        "bet": "small",
        "staked_cents": 2_500,
        "returned_cents": 5_000,
    }
    assert PackedRound.objects.get().ended_at == kept.ended_at
    assert not any("columns" in one.sentence or "sums" in one.sentence for one in verify_log("harbour").issues)
    assert filled.audit() == []


def test_a_database_without_rounds_has_nothing_to_make_again(committed_house: House) -> None:
    migrate_to(BEFORE)
    migrate_to_newest()
    assert is_applied(AFTER)
    assert not PackedRound.objects.exists()
