"""How long the dashboard takes over a million rounds, and summing a block of the audit. Not part of the suite.

.venv/bin/pytest tests/bench/dashboard_speed.py -n0 -s
"""

import time

from django.db import connection

from compliance.audit.columns import read_columns
from compliance.audit.following import follow_log
from compliance.audit.summing import sum_play
from rounds.intake.kinds.lines import write_line
from rounds.ledger.appending import NewEntry, append
from tests.compliance.accounts.cast import browser_of
from tests.compliance.audit.house import CONTROLLER, NOW
from tests.compliance.audit.play import NSW, played, wager
from tests.compliance.reviews.conftest import crew, house, office, quick_passwords
from tests.compliance.reviews.office import Office

__all__ = ["crew", "house", "office", "quick_passwords"]

PLACE = "/casinos/harbour/dashboard/"
# 500 audited ranges of 2,000 rounds: a hundred days, ten tables, fifty bets at fifteen different odds.
DAYS = """
INSERT INTO audit_playedday (log, first, gaming_day, "table", rounds, without_result, variance)
SELECT 'harbour', 1000000 + block * 2048, date '2026-01-01' + block / 5, 't-' || place, 200, 1, 1000000
FROM generate_series(0, 499) block, generate_series(1, 10) place
"""
BETS = """
INSERT INTO audit_playedbet
    (log, first, gaming_day, "table", bet, sort, returns, wagers, staked_cents, returned_cents)
SELECT 'harbour', 1000000 + block * 2048, date '2026-01-01' + block / 5, 't-' || place, 'bet-' || bet, 'compared',
    (200 + bet % 15) || '/216', 80, 400000, 390000
FROM generate_series(0, 499) block, generate_series(1, 10) place, generate_series(1, 50) bet
"""


def test_the_dashboard_of_a_million_rounds(office: Office) -> None:
    with connection.cursor() as cursor:
        for sql in (DAYS, BETS, "ANALYZE audit_playedday, audit_playedbet"):
            cursor.execute(sql)
    browser = browser_of(office.ines)
    for period in ({"first": "2026-01-01", "last": "2026-04-10"}, {"first": "2026-01-01", "last": "2026-01-07"}):
        for address in (PLACE, f"{PLACE}returns.svg"):
            browser.get(address, period)
            began, cpu = time.perf_counter(), time.process_time()
            assert browser.get(address, period).status_code == 200
            print(
                f"\n{address} {period}: {time.perf_counter() - began:.2f} s, {time.process_time() - cpu:.2f} s of CPU"
            )


def test_summing_a_block(office: Office) -> None:
    office.house.open_table()
    entries = []
    for number in range(1, 2_001):
        bets = [("small", 5_000), ("total:10", 17_500)] * 10
        wagers = [
            wager(bet, 2_500, back, id=f"w-{number}-{place}", player=f"p-{place}")
            for place, (bet, back) in enumerate(bets)
        ]
        body = played(NSW, (4, 2, 4), *wagers, round=f"r-{number}")
        line = write_line(kind="round", table="sb-1", sequence=number, at=NOW, body=body)
        entries.append(NewEntry(kind="round", body=line, table="sb-1", controller=CONTROLLER, sequence=number))
    append("harbour", entries, NOW)
    follow_log("harbour")
    columns = read_columns(office.casino, 0, entries[-1].sequence or 0)
    cpu = time.process_time()
    summed = sum_play("harbour", columns)
    print(f"\n{len(columns.wagers):,} wagers summed in {time.process_time() - cpu:.3f} s of CPU")
    # Twenty wagers of $25 a round.
    assert [day.rounds for day in summed.days] == [len(columns.indexes)]
    assert sum(bet.staked_cents for bet in summed.bets) == len(columns.indexes) * 20 * 2_500
