"""Injectors: people excluded from the game who play on, and wagers settled against what a supervisor decided."""

from __future__ import annotations

from datetime import datetime

from compliance.core.accounts.roles import Role
from compliance.tables.player_conduct.entry_kinds import EXCLUSION
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from rounds.engine import BETS, Pack
from rounds.intake.entry_kinds import WAGERS_VOIDED
from rounds.simulator.people_faults.record_injector import CasinoRecords, register_record_injector

SUPERVISORS = (Role.CASINO_SUPERVISOR, Role.SHIFT_MANAGER)


def _may_exclude(pack: Pack) -> bool:
    return pack.duties.device_ban is not None and "exclude-from-game" in pack.duties.device_ban.may


@register_record_injector("WAGER-EXCLUDED", fits=_may_exclude)
def let_excluded_player_wager(house: CasinoRecords) -> None:
    """One player is excluded from the game early in the day and another from the casino, and both play on; a third is
    excluded after the last round."""
    subject = house.next_undisputed_round()
    assert subject.read is not None
    first, second, *_, last = sorted({one.wager.player for one in subject.read.wagers if one.wager.player})
    early = ((first, "game"), (second, "casino"))
    for player, scope in early:
        entry = _exclude_player(house, player, scope, subject.read.at)
        says = f"A player was excluded from the {scope} and wagered again."
        house.record_fault(entry, says, at=subject.read.at, table=house.table.slug, case="breach", finding=True)
    entry = _exclude_player(house, last, "game", house.now)
    says = "A player was excluded after the last wager."
    house.record_fault(entry, says, at=house.now, table=house.table.slug, case="clear", finding=False)


def _exclude_player(house: CasinoRecords, player: str, scope: str, at: datetime) -> int:
    report = ConductReport(kind=EXCLUSION, grounds="device", at=at, player=player, scope=scope)
    by = house.person_in_role(*SUPERVISORS)
    return record_conduct(table=house.table, report=report, actor=by, now=house.now).entry_index


def _lets_wagers_be_voided(pack: Pack) -> bool:
    ban = pack.duties.device_ban
    return ban is not None and "void-wagers" in ban.may


@register_record_injector("SETTLE-SHOULD-BE-VOID", fits=_lets_wagers_be_voided)
def void_paid_wager(house: CasinoRecords) -> None:
    """A supervisor declares a wager void because its player used a device; it is paid as won nevertheless."""
    while True:
        subject = house.next_undisputed_round()
        assert subject.read is not None
        won = [each.wager for each in subject.read.wagers if each.wager.verdict == "win"]
        wager = next((one for one in won if not BETS[one.bet].is_streak), None)
        if wager is not None:
            break
    report = ConductReport(
        kind=WAGERS_VOIDED,
        grounds="device",
        at=wager.placed_at,
        seat=wager.seat,
        player=wager.player or "",
        rounds=[str(subject.entry.index)],
        wagers=[wager.id],
    )
    record_conduct(
        table=house.table, report=report, actor=house.person_in_role(Role.CASINO_SUPERVISOR), now=subject.read.at
    )
    house.record_fault(
        subject.entry.index,
        "A wager was declared void, and paid as won.",
        at=subject.read.at,
        table=house.table.slug,
        wager=wager.id,
    )
