"""How long a million wagers take, from the database, with two workers. Not part of the suite: run it by name.

.venv/bin/pytest tests/bench/audit_speed.py -n0 -s [WAGERS=1000000]
"""

import multiprocessing
import os
import random
import time
from datetime import timedelta

import msgspec
import pytest
from django.db import connection, transaction

from compliance.audit.models import Block, Coverage, Finding, PackedRound
from compliance.audit.working import audit_log, catch_up
from rounds.engine.bets import BET_CODES
from rounds.engine.outcomes import OUTCOMES
from rounds.engine.rules import rules_for
from rounds.floor.values import Limits
from rounds.intake.kinds.lines import write_line
from rounds.intake.kinds.round import Wager
from rounds.intake.models import Batch
from rounds.ledger.appending import NewEntry, append
from tests.compliance.audit.conftest import committed_crew, committed_house, quick_passwords
from tests.compliance.audit.house import CONTROLLER, NOW, House, shifted
from tests.compliance.audit.play import NSW, at, pack_of, played
from tests.rounds.floor.crew import new_controller

__all__ = ["committed_crew", "committed_house", "quick_passwords"]

WAGERS = int(os.environ.get("WAGERS", "1000000"))
WAGERS_A_ROUND, ROUNDS_A_BATCH, WORKERS, ONE_WRONG_IN = 20, 500, 2, 50_000


def honest_wagers(dice: random.Random, outcome: int, codes: list[str]) -> list[Wager]:
    rules = rules_for(pack_of(NSW))
    wagers = []
    for seat in range(1, WAGERS_A_ROUND + 1):
        code, stake = dice.choice(codes), 500 * dice.randint(1, 8)
        pay = rules.bets[code].by_outcome[outcome]
        returned = 0 if pay is None else stake + int(stake * pay.odds)
        if dice.randrange(ONE_WRONG_IN) == 0:
            returned += 100
        wagers.append(
            Wager(id=f"w{seat}", seat=seat, bet=code, stake=stake, tender="value-chips", placed_at=at(20),
                  verdict="lose" if pay is None else "win", returned=returned)
        )  # fmt: skip
    return wagers


def lay_out(house: House) -> None:
    """Rounds of two NSW tables, forty seconds apart, appended in batches with what intake keeps of each."""
    controller = new_controller(house.crew)
    dice = random.Random(1)
    optional = {str(bet) for wager in pack_of(NSW).law.wager.values() if wager.is_optional for bet in wager.bets}
    codes = [code for code in BET_CODES if code in rules_for(pack_of(NSW)).bets and code not in optional]
    batch: list[NewEntry] = []
    sent_at = NOW
    for number in range(1, WAGERS // WAGERS_A_ROUND + 1):
        outcome = dice.randrange(len(OUTCOMES))
        body = played(NSW, OUTCOMES[outcome], *honest_wagers(dice, outcome, codes), round=f"r-{number}")
        body = shifted(body, timedelta(seconds=40 * (number // 2)))
        table = f"sb-{1 + number % 2}"
        line = write_line(kind="round", table=table, sequence=(number + 1) // 2, at=body.events[-1].at, body=body)
        sent_at = body.events[-1].at if not batch else sent_at
        batch.append(NewEntry(kind="round", body=line, table=table, controller=CONTROLLER, sequence=(number + 1) // 2))
        if len(batch) == ROUNDS_A_BATCH:
            with transaction.atomic():
                first = append("harbour", batch, NOW)[0].index
                Batch.objects.create(
                    log="harbour", first_index=first, entries=len(batch), controller=controller, key_id="k" * 16,
                    sent_at_text="", sent_at=sent_at, received_at=sent_at, signature=b"s" * 64,
                    line_digests=b"d" * 32 * len(batch),
                )  # fmt: skip
            batch = []


def warm_up(casino: object) -> None:
    """A worker that has been running knows the rules already: compiling them once is not part of the audit."""
    from compliance.audit.judging import judge_stretch

    judge_stretch(casino, 0, 100)  # type: ignore[arg-type]


def work(casino_id: int, ready: object, go: object, done: object) -> None:
    from compliance.accounts.models import Casino

    connection.close()
    casino = Casino.objects.get(pk=casino_id)
    warm_up(casino)
    ready.set()  # type: ignore[attr-defined]
    go.wait()  # type: ignore[attr-defined]
    cpu = time.process_time()
    blocks = sum(1 for _ in audit_log(casino))
    done.put((blocks, round(time.process_time() - cpu, 2)))  # type: ignore[attr-defined]
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_a_million_wagers(committed_house: House) -> None:
    house = committed_house
    limits = Limits(min=500, max=50_000)
    house.open_table("sb-1", limits=limits)
    from rounds.floor.values import TableRules
    from tests.rounds.floor.crew import new_table, state

    for fact in (TableRules(rules=NSW), limits):
        state(house.crew, house.casino.tables.filter(slug="sb-2").first() or new_table(house.crew, "sb-2"), fact)
    began = time.perf_counter()
    lay_out(house)
    print(f"\nlaid out {WAGERS:,} wagers in {time.perf_counter() - began:.1f} s")
    began, cpu = time.perf_counter(), time.process_time()
    catch_up("harbour")
    packing, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(f"followed and packed {PackedRound.objects.count():,} rounds in {packing:.1f} s, {cpu:.1f} s of CPU here")
    connection.close()
    context = multiprocessing.get_context("fork")
    go, done, ready = context.Event(), context.Queue(), [context.Event() for _ in range(WORKERS)]
    workers = [context.Process(target=work, args=(house.casino.pk, one, go, done)) for one in ready]
    for worker in workers:
        worker.start()
    for one in ready:
        one.wait()
    began = time.perf_counter()
    go.set()
    blocks = [done.get() for _ in workers]
    auditing = time.perf_counter() - began
    for worker in workers:
        worker.join()
    rate = f"{WAGERS / auditing:,.0f} wagers/s"
    print(f"audited in {auditing:.2f} s by {WORKERS} workers (blocks, CPU s: {blocks}): {rate}, load {os.getloadavg()}")
    print(f"{Finding.objects.count()} findings: {msgspec.json.encode(sorted(set(house.codes()))).decode()}")
    assert not Block.objects.waiting().exists()
    assert sum(Coverage.objects.values_list("wagers", flat=True)) == WAGERS
