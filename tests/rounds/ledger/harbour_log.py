"""The log of Harbour Casino in the test database: rounds of one table, recorded and signed by the real services."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import psycopg
from django.db import connection, transaction

from rounds.ledger.signing.checkpoints import sign_log
from rounds.ledger.storage import get_log
from rounds.ledger.writing.append import NewEntry, Receipt, append, make_entry, open_log
from tests.conftest import superuser
from tests.entry_kinds import NOTE, ROUND

OPENED_AT = datetime(2026, 11, 16, 9, 30, 0, 123456, tzinfo=UTC)
LOG = "harbour"


def note(number: int) -> NewEntry:
    return make_entry(NOTE, {"number": number}, table="SB-7")


def a_round(sequence: int, body: bytes = b"") -> NewEntry:
    said = body or b'{"round": "R%d", "dice": [1,2,%d]}' % (sequence, sequence % 6 + 1)
    return NewEntry(kind=ROUND, body=said, table="SB-7", controller="shaker-7", sequence=sequence)


def opened(log: str = LOG) -> str:
    open_log(log, OPENED_AT)
    return log


def record_all(entries: Sequence[NewEntry], log: str = LOG, now: datetime = OPENED_AT) -> list[Receipt]:
    with transaction.atomic():
        return append(log, entries, now)


def play(rounds: int, log: str = LOG, first: int = 0) -> list[Receipt]:
    """Append rounds a minute apart, in batches as a controller sends them."""
    receipts: list[Receipt] = []
    for start in range(first, first + rounds, 50):
        end = min(start + 50, first + rounds)
        now = OPENED_AT + timedelta(minutes=start)
        receipts += record_all([a_round(number) for number in range(start, end)], log, now)
    return receipts


def sign(log: str = LOG, now: datetime = OPENED_AT) -> bytes:
    return sign_log(log, now)


def partition(log: str = LOG) -> str:
    return f"ledger_entry_{get_log(log).pk}"


def admin() -> psycopg.Connection:
    return superuser(connection.settings_dict["NAME"])


@contextmanager
def unguarded() -> Iterator[psycopg.Connection]:
    """A superuser connection with all guards disabled; they are enabled again afterwards."""
    with admin() as rogue, rogue.transaction():
        guards = rogue.execute(
            "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE tgname LIKE 'ledger%' AND NOT tgisinternal"
        ).fetchall()
        for table, guard in guards:
            rogue.execute(f"ALTER TABLE {table} DISABLE TRIGGER {guard}")
        yield rogue
        for table, guard in guards:
            rogue.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {guard}")
