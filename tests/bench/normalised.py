"""The rounds of a log as somebody would keep them who audits by SQL: normalised, indexed, the rules as a table to join.

Derived from the ledger's own entries, so that every peer is given what the service was given.
"""

from collections.abc import Sequence
from typing import ClassVar

from django.db import models
from psycopg import Connection

from rounds.engine.bets import BET_CODES
from rounds.engine.matrix import matrix_of
from rounds.engine.outcomes import OUTCOMES
from rounds.engine.rules import rules_for
from rounds.rulebook.models import RuleVersion
from tests.bench.playing import WAGERS_A_ROUND, TableAtPlay

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
# Only after the rows are there, as one loads in bulk.
INDEXES = """
CREATE INDEX ON peer_round (table_id, started_at);
CREATE INDEX ON peer_wager (round_id);
ALTER TABLE peer_round ADD FOREIGN KEY (table_id) REFERENCES peer_table;
ALTER TABLE peer_wager ADD FOREIGN KEY (round_id) REFERENCES peer_round;
ALTER TABLE peer_wager ADD FOREIGN KEY (place_id) REFERENCES peer_place;
ALTER TABLE peer_wager ADD FOREIGN KEY (bet_id) REFERENCES peer_bet;
"""
ROUNDS = """
INSERT INTO peer_round
SELECT index, peer_table.id, outcome.id, (body->>'gaming_day')::date, body->>'round', begun.at
FROM (
    SELECT index, "table", convert_from(body, 'UTF8')::jsonb->'body' AS body FROM ledger_entry WHERE kind = 'round'
) entry
JOIN peer_table ON peer_table.slug = entry."table"
JOIN unnest(%s::text[]) WITH ORDINALITY AS known(faces, place) ON faces::jsonb = coalesce(body->'dice', body->'cards')
CROSS JOIN LATERAL (SELECT (place - 1)::smallint AS id) outcome
CROSS JOIN LATERAL (
    SELECT min((event->>'at')::timestamptz) AS at FROM jsonb_array_elements(body->'events') event
) begun
ORDER BY index
"""
# A wager's number leads back to its round and its seat.
WAGERS = f"""
INSERT INTO peer_wager
SELECT index * {WAGERS_A_ROUND} + seat - 1, index, stake, returned, placed_at, peer_place.id, peer_bet.id,
    verdict = 'win', wager.id, tender
FROM ledger_entry JOIN peer_round ON peer_round.id = index
CROSS JOIN LATERAL jsonb_to_recordset(convert_from(body, 'UTF8')::jsonb->'body'->'wagers') AS wager(
    id text, seat smallint, bet text, stake bigint, returned bigint, verdict text, tender text, placed_at timestamptz
)
JOIN peer_place USING (table_id, seat) JOIN peer_bet ON peer_bet.code = bet
WHERE kind = 'round' ORDER BY index, seat
"""


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


def normalise(admin: Connection, app_role: str, tables: Sequence[TableAtPlay]) -> None:
    """Every round of the database, and what governs them."""
    admin.execute(SCHEMA)
    admin.cursor().executemany("INSERT INTO peer_bet VALUES (%s, %s)", list(enumerate(BET_CODES)))
    for number, table in enumerate(tables):
        admin.execute("INSERT INTO peer_table VALUES (%s, %s)", [number, table.slug])
        _write_places(admin, number, table)
    admin.execute(ROUNDS, [[str(list(faces)) for faces in OUTCOMES]])
    admin.execute("ANALYZE peer_bet, peer_place, peer_round")
    admin.execute(WAGERS)
    admin.execute(INDEXES)
    for name in ("bet", "table", "place", "governing", "truth", "round", "wager", "discrepancy"):
        admin.execute(f'VACUUM (ANALYZE, FREEZE) "peer_{name}"')
        admin.execute(f'GRANT SELECT, INSERT, DELETE ON "peer_{name}" TO "{app_role}"')


def _write_places(admin: Connection, number: int, table: TableAtPlay) -> None:
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
            matrix = matrix_of(rules_for(table.pack, pay_table))
            for bet in map(BET_CODES.index, bets):
                for outcome in range(len(OUTCOMES)):
                    odds = matrix.numerator[outcome, bet], matrix.denominator[outcome, bet]
                    rows.write_row((terms[pay_table], outcome, bet, *map(int, odds)))


def remove_normalised(admin: Connection) -> None:
    for name in ("discrepancy", "wager", "round", "truth", "governing", "place", "table", "bet"):
        admin.execute(f"DROP TABLE peer_{name}")
