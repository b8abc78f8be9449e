"""The pre-check of acts at a table, with a long log: the 95th percentile, beside the most allowed."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

from django.utils import timezone

from compliance.audit.models import PackedRound
from compliance.audit.prediction.predict import predict_findings
from compliance.tables.closures.services import announce_closure
from compliance.tables.equipment.services.floor_records import record_manual_line
from compliance.tables.limit_notices.services import schedule_notice
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from rounds.floor.fact_values import LimitsValue
from rounds.floor.models import Table
from rounds.intake.protocol.chips import VoucherExchanged
from rounds.intake.protocol.fields import Staff
from tests.bench.pages import TABLES, grow_log
from tests.bench.support.controllers import controllers_at
from tests.bench.support.measurement import Case, at_most, figure_of
from tests.bench.support.web_server import percentile
from tests.bench.support.workload_size import Size
from tests.rounds.floor.crew import Crew, gather

MOST_MILLISECONDS = 300


def cases(size: Size) -> Iterator[Case]:
    crew = gather()
    controllers = controllers_at(crew, TABLES, wagers=16, wrong_every=100)
    grow_log(size.rounds // 10, controllers)
    clocks = {"p95": time.perf_counter, "p95 of CPU time": time.thread_time}
    for name, perform in acts(crew).items():
        for what, clock in clocks.items():
            yield Case(
                f"pre-check, {name}: {what}",
                "ms",
                ours=partial(worst, perform, size.visits, clock),
                peers={"the most allowed": lambda: MOST_MILLISECONDS},
                aims={"the most allowed": at_most(1)},
                figure=figure_of,
            )


def acts(crew: Crew) -> dict[str, Callable[[], Any]]:
    table = Table.objects.filter(casino=crew.harbour).select_related("casino").order_by("slug")[0]
    now, sid = timezone.now(), crew.sid
    last = PackedRound.objects.filter(log="harbour", table=table.slug).order_by("-entry_index")[0].entry_index
    voucher = VoucherExchanged(
        voucher="V-1", value=5_000, tokens=4_900, seat=4, conditions_met=True, by=Staff(position="casino-supervisor")
    )
    invalidation = ConductReport(kind="invalidation", grounds="disruption", at=now, rounds=[str(last)])
    return {
        "a closing": lambda: announce_closure(
            table=table, closes_at=now + timedelta(minutes=22), reason="Night.", players_present=True,
            streak_in_progress=False, actor=sid, now=now,
        ),
        "a limit notice": lambda: schedule_notice(
            table=table, limits=LimitsValue(min=2_500, max=50_000), effective_at=now + timedelta(minutes=22),
            actor=sid, now=now,
        ),
        "a voucher": lambda: record_manual_line(
            table=table, kind="voucher-exchanged", body=voucher, at=now, actor=sid, now=now
        ),
        "an invalidated round": lambda: record_conduct(table=table, report=invalidation, actor=sid, now=now),
    }  # fmt: skip


def worst(perform: Callable[[], Any], times: int, clock: Callable[[], float]) -> float:
    """The 95th percentile in milliseconds, by a clock in seconds. CPU time is that of this process, without the
    database's: on a busy machine it says what the wall clock cannot."""
    taken = []
    for _ in range(times):
        begun = clock()
        predict_findings(perform)
        taken.append((clock() - begun) * 1_000)
    return percentile(taken, 95)
