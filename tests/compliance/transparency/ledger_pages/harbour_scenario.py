"""Harbour with its inspector and supervisors, and rounds in its log: the starting point of these tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from rounds.ledger.readers.search_index import index_new_entries
from rounds.ledger.writing.append import NewEntry, make_entry
from tests.compliance.core.accounts.people import found_casino, give_phone, hire
from tests.entry_kinds import FAULT, ROUND
from tests.fixture_snapshots import snapshotted
from tests.rounds.ledger import harbour_log

# 16 November 2026, 8:30 pm in Sydney.
OPENED_AT = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)


@dataclass(frozen=True)
class Floor:
    """Ada administers Harbour, Ines inspects, Cora is compliance officer, Sam supervisor. Otto inspects Marina."""

    harbour: Casino
    marina: Casino
    ada: User
    ines: User
    cora: User
    sam: User
    otto: User


@snapshotted
def open_floor() -> Floor:
    casino, ada = found_casino("harbour", "Harbour Casino", "Australia/Sydney", "ada")
    marina, _ = found_casino("marina", "Marina Casino", "Asia/Singapore", "mia")
    ines = hire("ines", casino, Role.INSPECTOR, by=ada)
    cora = hire("cora", casino, Role.COMPLIANCE_OFFICER, by=ada)
    sam = hire("sam", casino, Role.CASINO_SUPERVISOR, by=ada)
    otto = hire("otto", marina, Role.INSPECTOR, by=User.objects.get(email="mia@example.com"))
    for person in (ada, ines, cora, sam, otto):
        give_phone(person)
    return Floor(casino, marina, ada, ines, cora, sam, otto)


def play(rounds: int, *, first: int = 0, table: str = "SB-7", at: datetime = OPENED_AT) -> None:
    """Record rounds of one table at one time, in batches as a controller sends them."""
    for start in range(first, first + rounds, 500):
        numbers = range(start, min(start + 500, first + rounds))
        harbour_log.record_all([a_round(number, table) for number in numbers], now=at)


def a_round(number: int, table: str = "SB-7") -> NewEntry:
    body = b'{"round":"R-%d","dice":[1,2,%d]}' % (number, number % 6 + 1)
    return NewEntry(kind=ROUND, body=body, table=table, controller="shaker", sequence=number)


def fault(by: User, *, table: str = "SB-7", at: datetime = OPENED_AT) -> None:
    harbour_log.record_all([make_entry(FAULT, {"by": {"id": by.pk, "name": by.name}}, table=table)], now=at)


def follow(logs: Sequence[str] = ("harbour",)) -> None:
    for log in logs:
        while index_new_entries(log):
            pass


def after(**time: float) -> datetime:
    return OPENED_AT + timedelta(**time)
