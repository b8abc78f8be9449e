"""The crash drill in short: every process is killed once while working, and the reference client continues. Uses the
drill's own parts on a copy of the test's database in a separate server. Left to the drill: beat, and whatever takes a
minute or a disk of its own.
"""

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import kombu
import msgspec
import pytest
from celery import current_app
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.conf import settings
from django.db import connection
from django.utils import timezone

from compliance.audit.run.worker import audit_log
from compliance.config.backups.postgres_programs import connection_arguments, find_program, run_program
from compliance.config.environment import database_address
from compliance.config.run.embedded_servers import APP_ROLE, DATABASE
from compliance.config.schedule import PERIODIC_TASKS
from compliance.core.accounts.roles import Role
from compliance.notify.alerts.services import raise_alert
from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.simulator.client.spool import encode_line
from tests.compliance.audit.round_builders import NSW, build_round, wager
from tests.compliance.core.web.mail.mail_server import mail_server
from tests.drills.crash import Disturbance, start_clients
from tests.drills.support.controller_plans import Plan
from tests.drills.support.controllers import FAULTS_OF_OURS, TROUBLES, acknowledged_lines
from tests.drills.support.full_length import seed
from tests.drills.support.outcome_checks import (
    Row,
    ServiceOutcome,
    check_database,
    compare_outcomes,
    findings_in,
    is_settled,
)
from tests.drills.support.supervised_service import Service
from tests.drills.test_failing_statements import crew
from tests.drills.test_outcome_checks import manage
from tests.rounds.floor.crew import SECRET, Crew, speaking_controller, table_under
from tests.rounds.intake.controller_client import Feeder

__all__ = ["crew"]

LINES = 42
KINDS = (
    "web killed",
    "Celery worker killed",
    "Valkey killed",
    "Valkey flushed",
    "PostgreSQL killed",
    "clients killed",
)
# In the past, so nothing is spread over time.
LONG_AGO = 1.0
PATIENCE_SECONDS = 600
OFTEN_SECONDS = 10.0


@pytest.fixture
def plan(crew: Crew, tmp_path: Path) -> Plan:
    """Every seventh round is paid a dollar too little, and one thing needs an alert to the inspector."""
    speaking_controller(crew, table_under(crew, NSW))
    raise_alert(
        casino=crew.harbour,
        duty="equipment-fault",
        to=Role.INSPECTOR,
        clause="8.8",
        now=timezone.now(),
        statement="The winning areas of SB-1 were not lit.",
    )
    key_file, plans = tmp_path / "box-1.pem", tmp_path / "service" / "plans"
    key_file.write_bytes(SECRET.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    plan = Plan("harbour", "sb-1", "box-1", str(key_file), str(verifier_key_for("harbour")), LINES)
    plans.mkdir(parents=True)
    (plans / "plans.json").write_text(json.dumps([plan]))
    plan.path(plans).write_bytes(b"".join(line_of(number) + b"\n" for number in range(1, LINES + 1)))
    return plan


def line_of(number: int) -> bytes:
    small = wager("small", 2_500, 5_000 if number % 7 else 4_900)
    return encode_line(
        "round",
        "sb-1",
        number,
        timezone.now(),
        msgspec.to_builtins(build_round(NSW, (4, 2, 4), small, round=f"r-{number}")),
    )


def copy_world(service: Service) -> None:
    """Only this test's database: copying the whole test server, with dozens of them, would take far longer, also at
    each recovery after a kill."""
    tests = database_address(os.environ["TEST_SUPERUSER_URL"], "TEST_SUPERUSER_URL")
    own = database_address(service.postgres.superuser_url(DATABASE), "the service's own")
    dump, name = service.folder / "world.dump", str(connection.settings_dict["NAME"])
    run_program(
        [find_program("pg_dump"), *connection_arguments(tests), "--format=custom", f"--file={dump}", name], tests
    )
    restoring = [find_program("pg_restore"), *connection_arguments(own), "--single-transaction"]
    run_program([*restoring, f"--dbname={DATABASE}", str(dump)], own)


@contextmanager
def service_of_its_own(folder: Path, **environment: str) -> Iterator[Service]:
    environment |= {"LEDGER_KEY_FILE": str(settings.LEDGER_KEY_FILE), "WEB_WORKERS": "1", "WORKER_PROCESSES": "1"}
    service = Service(folder, **environment)
    try:
        service.start_servers()
        copy_world(service)
        service.start_processes("web", "worker")
        yield service
    finally:
        service.stop()


def test_whatever_is_killed_nothing_is_lost_or_doubled(crew: Crew, plan: Plan, tmp_path: Path) -> None:
    folder = tmp_path / "service"
    with mail_server() as letters, service_of_its_own(folder, EMAIL_URL=f"smtp://127.0.0.1:{letters.port}") as service:
        start_clients(service, LONG_AGO)
        disturbance = Disturbance(service, random.Random(seed()), pause_seconds=0)
        for turn, kind in enumerate(disturbance.dice.sample(KINDS, len(KINDS)), 1):
            heard = turn * LINES // (len(KINDS) + 1)
            is_heard = partial(is_acknowledged, plan, folder / "plans", heard)
            service.wait_for(kind, is_heard, PATIENCE_SECONDS, every=0.02)
            disturbance.inject_fault(kind)
        is_all_heard = partial(is_acknowledged, plan, folder / "plans", LINES)
        service.wait_for("the clients' last line", is_all_heard, PATIENCE_SECONDS)
        service.wait_for("the audit and the alerts", lambda: is_at_rest(service), PATIENCE_SECONDS, every=1)
        with beside(service), service.connect() as database:
            kept = check_database(database, folder / "plans", [plan], letters, manage)
    assert kept.failures == []
    assert disturbance.done == Counter(KINDS)
    assert kept.figures["letters sent"]
    assert kept.findings == undisturbed(crew, plan, folder / "plans")


def is_acknowledged(plan: Plan, plans: Path, lines: int) -> bool:
    for noted in (plans / TROUBLES, plans / FAULTS_OF_OURS):
        assert not noted.exists(), noted.read_text()
    return len(acknowledged_lines(plans, [plan])) >= lines


@contextmanager
def beside(service: Service) -> Iterator[None]:
    """Connects this process to the service's database for a while: another process takes seconds to start."""
    known, ours = connection.settings_dict, dict(connection.settings_dict)
    connection.close()
    known.update(NAME=DATABASE, PORT=service.postgres.port, PASSWORD=service.postgres.password(APP_ROLE))
    try:
        yield
    finally:
        connection.close()
        known.update(ours)


def is_at_rest(service: Service) -> bool:
    """There is no beat here: runs the frequent periodic tasks until nothing is left to do."""
    with kombu.Connection(service.valkey.url()) as valkey:
        for bell in PERIODIC_TASKS:
            if bell.seconds <= OFTEN_SECONDS:
                current_app.send_task(bell.task, connection=valkey, expires=OFTEN_SECONDS)
    return is_settled(service)


def undisturbed(crew: Crew, plan: Plan, plans: Path) -> Counter[Row]:
    """Findings from the same lines in the tests' own database."""
    assert Feeder().send(*plan.path(plans).read_bytes().splitlines()).status_code == 200
    list(audit_log(crew.harbour))
    found = findings_in(connection.connection)
    assert sum(row[1] == "SETTLE-UNDERPAID" for row in found.elements()) == LINES // 7
    return found


def test_the_drill_sees_a_finding_that_only_one_of_the_runs_has() -> None:
    quiet = ServiceOutcome({}, findings=_rows("a", "b"), cases=_rows(), alerts=_rows("fault"))
    assert (
        compare_outcomes(ServiceOutcome({}, findings=_rows("a", "b"), cases=_rows(), alerts=_rows("fault")), quiet)
        == []
    )
    wrong = compare_outcomes(ServiceOutcome({}, findings=_rows("b", "c"), cases=_rows("x"), alerts=_rows()), quiet)
    assert [sentence.split(",")[0] for sentence in wrong] == [
        "1 findings are missing",
        "1 findings are found only under disturbance",
        "1 cases are found only under disturbance",
        "1 alerts are missing",
    ]


def _rows(*names: str) -> Counter[Row]:
    return Counter(("harbour", name) for name in names)
