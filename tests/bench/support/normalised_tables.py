"""The rounds of a log as normalised, indexed tables with the rules as a table to join, for peers that audit by SQL.

Derived from the ledger's own entries, so that every peer has the same input as the service.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

import msgspec
from django.db import models
from psycopg import Connection

from rounds.engine.bets.bet_codes import BET_CODES
from rounds.engine.bets.dice_outcomes import OUTCOMES
from rounds.engine.odds.payout_matrix import build_payout_matrix
from rounds.engine.pack.compiled_rules import compile_rules
from rounds.rulebook.models import RuleVersion
from tests.bench.support.bulk_rounds import WAGERS_A_ROUND, BulkTable

SCHEMA = """
CREATE TABLE peer_bet (id smallint PRIMARY KEY, code text NOT NULL UNIQUE);
CREATE TABLE peer_table (id smallint PRIMARY KEY, slug text NOT NULL UNIQUE);
-- A seat or a terminal of a table: what decides by which pay table a wager is settled.
CREATE TABLE peer_place (
    id smallint PRIMARY KEY, table_id smallint NOT NULL REFERENCES peer_table, seat smallint NOT NULL,
    pay_table text NOT NULL, UNIQUE (table_id, seat)
);
-- Which terms governed a place from when to when: a rule version and a pay table of it.
CREATE TABLE peer_governing (
    place_id smallint NOT NULL REFERENCES peer_place, from_at timestamptz NOT NULL, until_at timestamptz NOT NULL,
    terms smallint NOT NULL, PRIMARY KEY (place_id, from_at)
);
CREATE TABLE peer_truth (
    terms smallint NOT NULL, outcome smallint NOT NULL, bet_id smallint NOT NULL REFERENCES peer_bet,
    numerator integer NOT NULL, denominator integer NOT NULL, PRIMARY KEY (terms, outcome, bet_id)
);
CREATE TABLE peer_round (
    id bigint PRIMARY KEY, table_id smallint NOT NULL, outcome smallint NOT NULL, gaming_day date NOT NULL,
    name text NOT NULL, started_at timestamptz NOT NULL
);
CREATE TABLE peer_wager (
    id bigint PRIMARY KEY, round_id bigint NOT NULL, stake bigint NOT NULL, returned bigint NOT NULL,
    placed_at timestamptz NOT NULL, place_id smallint NOT NULL, bet_id smallint NOT NULL, is_win boolean NOT NULL,
    name text NOT NULL, tender text NOT NULL
);
CREATE TABLE peer_discrepancy (
    wager_id bigint NOT NULL, round_id bigint NOT NULL, required bigint NOT NULL, returned bigint NOT NULL
);
"""
# After the rows, as in any bulk load.
INDEXES = """
CREATE INDEX ON peer_round (table_id, started_at);
CREATE INDEX ON peer_wager (round_id);
ALTER TABLE peer_round ADD FOREIGN KEY (table_id) REFERENCES peer_table;
ALTER TABLE peer_wager ADD FOREIGN KEY (round_id) REFERENCES peer_round;
ALTER TABLE peer_wager ADD FOREIGN KEY (place_id) REFERENCES peer_place;
ALTER TABLE peer_wager ADD FOREIGN KEY (bet_id) REFERENCES peer_bet;
"""
READ = """
SELECT index, "table", body FROM ledger_entry
WHERE log_id = (SELECT id FROM ledger_log WHERE slug = %s) AND kind = 'round' AND index >= %s ORDER BY index LIMIT %s
"""
READ_AT_ONCE = 2_000


class _Wager(msgspec.Struct):
    id: str
    seat: int
    bet: str
    stake: int
    returned: int
    verdict: str
    tender: str
    placed_at: str


class _Event(msgspec.Struct):
    at: str


class _Body(msgspec.Struct):
    round: str
    gaming_day: str
    events: list[_Event]
    wagers: list[_Wager]
    dice: tuple[int, int, int] | None = None
    cards: tuple[int, int, int] | None = None


class _Line(msgspec.Struct):
    table: str
    body: _Body


class PeerRound(models.Model):
    table_id = models.SmallIntegerField()
    outcome = models.SmallIntegerField()
    gaming_day = models.DateField()
    name = models.TextField()
    started_at = models.DateTimeField()

    class Meta:
        app_label, db_table, managed = "bench", "peer_round", False

    def __str__(self) -> str:
        return self.name


class PeerWager(models.Model):
    round = models.ForeignKey(PeerRound, models.PROTECT)
    round_id: int
    stake = models.BigIntegerField()
    returned = models.BigIntegerField()
    placed_at = models.DateTimeField()
    place_id = models.SmallIntegerField()
    bet_id = models.SmallIntegerField()
    is_win = models.BooleanField()
    name = models.TextField()
    tender = models.TextField()

    objects: ClassVar[models.Manager["PeerWager"]] = models.Manager()

    class Meta:
        app_label, db_table, managed = "bench", "peer_wager", False

    def __str__(self) -> str:
        return f"{self.round_id}/{self.name}"


def normalise(admin: Connection, app_role: str, tables: Sequence[BulkTable], log: str = "harbour") -> None:
    """Every round of the log and the rules that apply. Parsed with msgspec and loaded with COPY, in a fifth of the time
    that PostgreSQL's JSON functions take."""
    create_lookups(admin, tables)
    number_of = {table.slug: number for number, table in enumerate(tables)}
    for entries in _read(admin, log):
        lines = [(index, number_of[table], DECODER.decode(body).body) for index, table, body in entries]
        copy_rows(admin, "peer_round", (round_row(*line) for line in lines))
        copy_rows(admin, "peer_wager", (row for line in lines for row in wager_rows(*line)))
    admin.execute(INDEXES)
    for name in ("bet", "table", "place", "governing", "truth", "round", "wager", "discrepancy"):
        admin.execute(f'VACUUM (ANALYZE, FREEZE) "peer_{name}"')
        admin.execute(f'GRANT SELECT, INSERT, DELETE ON "peer_{name}" TO "{app_role}"')


def create_lookups(admin: Connection, tables: Sequence[BulkTable]) -> None:
    """All tables; those of the rules are filled."""
    admin.execute(SCHEMA)
    admin.cursor().executemany("INSERT INTO peer_bet VALUES (%s, %s)", list(enumerate(BET_CODES)))
    for number, table in enumerate(tables):
        admin.execute("INSERT INTO peer_table VALUES (%s, %s)", [number, table.slug])
        _write_places(admin, number, table)


DECODER = msgspec.json.Decoder(_Line)
OUTCOME_OF = {faces: number for number, faces in enumerate(OUTCOMES)}
BET_OF = {code: number for number, code in enumerate(BET_CODES)}


def _read(admin: Connection, log: str) -> Iterator[list[tuple[int, str, bytes]]]:
    """In portions, so that memory does not grow with the log."""
    begun = 0
    while entries := admin.execute(READ, [log, begun, READ_AT_ONCE], binary=True).fetchall():
        yield entries
        begun = entries[-1][0] + 1


def copy_rows(admin: Connection, table: str, rows: Iterable[str]) -> None:
    with admin.cursor().copy(f"COPY {table} FROM STDIN") as copied:
        copied.write("".join(rows))


def round_row(index: int, table: int, body: _Body) -> str:
    faces = body.dice or body.cards
    assert faces is not None
    begun = min(event.at for event in body.events)
    return f"{index}\t{table}\t{OUTCOME_OF[faces]}\t{body.gaming_day}\t{body.round}\t{begun}\n"


def wager_rows(index: int, table: int, body: _Body) -> Iterator[str]:
    """A wager's id encodes its round and seat."""
    first, place = index * WAGERS_A_ROUND - 1, table * WAGERS_A_ROUND
    for one in body.wagers:
        yield (
            f"{first + one.seat}\t{index}\t{one.stake}\t{one.returned}\t{one.placed_at}\t{place + one.seat}\t"
            f"{BET_OF[one.bet]}\t{one.verdict == 'win'}\t{one.id}\t{one.tender}\n"
        )


def _write_places(admin: Connection, number: int, table: BulkTable) -> None:
    version = RuleVersion.objects.approved().get(rules=table.rules)
    terms = {pay_table: number * 10 + place for place, pay_table in enumerate(table.pay_tables)}
    for seat in range(1, WAGERS_A_ROUND + 1):
        place, pay_table = number * WAGERS_A_ROUND + seat, table.terminal_of(seat)[1]
        admin.execute("INSERT INTO peer_place VALUES (%s, %s, %s, %s)", [place, number, seat, pay_table])
        admin.execute(
            "INSERT INTO peer_governing VALUES (%s, %s, '9000-01-01Z', %s)",
            [place, version.effective_at, terms[pay_table]],
        )
    with admin.cursor().copy("COPY peer_truth FROM STDIN") as rows:
        for pay_table, bets in table.pays.items():
            matrix = build_payout_matrix(compile_rules(table.pack, pay_table))
            for bet in map(BET_CODES.index, bets):
                for outcome in range(len(OUTCOMES)):
                    odds = matrix.numerator[outcome, bet], matrix.denominator[outcome, bet]
                    rows.write_row((terms[pay_table], outcome, bet, *map(int, odds)))


def remove_normalised(admin: Connection) -> None:
    for name in ("discrepancy", "wager", "round", "truth", "governing", "place", "table", "bet"):
        admin.execute(f"DROP TABLE peer_{name}")
