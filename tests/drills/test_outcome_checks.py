"""Each check of the crash drill detects the loss it is for, and names it: a small fixture, one loss at a time.

The losses are planted by SQL, because no fault of a drill has ever caused one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from io import StringIO
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import msgspec
import pytest
import time_machine
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from compliance.audit.run.worker import audit_log
from compliance.core.accounts.roles import Role
from compliance.core.web.mail.outbox import send_due_emails
from compliance.notify.alerts.services import raise_alert
from rounds.ledger.signing.checkpoints import sign_log
from rounds.ledger.storage import get_log
from tests.compliance.audit.round_builders import NSW, build_round, wager
from tests.compliance.core.web.mail.mail_server import Mailbox, mail_server
from tests.drills.support.controller_plans import Plan
from tests.drills.support.controllers import ACKNOWLEDGED, save_receipts, spool_of
from tests.drills.support.outcome_checks import ServiceOutcome, check_database, compare_outcomes
from tests.drills.support.superuser_edits import as_superuser, guards_disabled, rolled_back
from tests.drills.test_failing_statements import crew
from tests.rounds.floor.crew import Crew, speaking_controller, table_under
from tests.rounds.intake.controller_client import Feeder

__all__ = ["crew"]

NOW = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)
LATER = datetime(2026, 11, 16, 9, 31, tzinfo=UTC)
# Small pays 1 to 1: two of the four were paid too little.
PAID = (5_000, 4_900, 5_000, 4_800)
# The controller's lines, in sequence order.
LINE = "controller = 'box-1' AND sequence ="


@dataclass
class World:
    """Four rounds at one table, received, audited, alerted and verified."""

    folder: Path
    plan: Plan
    letters: Mailbox
    service: str

    def after(self, table: str = "", statement: str = "") -> ServiceOutcome:
        """What the drill sees after this statement changed one row; then it is rolled back."""
        with rolled_back():
            with guards_disabled(*filter(None, [table]), service=self.service) as rogue:
                if statement:
                    rogue.execute(statement)
                    assert rogue.rowcount == 1
            return check_database(connection.connection, self.folder, [self.plan], self.letters, manage)

    def failures(self, table: str, statement: str) -> list[str]:
        return self.after(table, statement).failures

    def differences(self, table: str, statement: str) -> list[str]:
        """Between this fixture and one with that change."""
        return compare_outcomes(self.after(table, statement), self.quiet)

    @cached_property
    def quiet(self) -> ServiceOutcome:
        return self.after()


def manage(command: str) -> "CompletedProcess[str]":
    """Runs the command in this session, which alone sees the planted change."""
    said = StringIO()
    try:
        call_command(command, stdout=said, stderr=said)
    except SystemExit as end:
        return CompletedProcess([command], int(str(end.code)), said.getvalue(), "")
    return CompletedProcess([command], 0, said.getvalue(), "")


@pytest.fixture
def world(crew: Crew, tmp_path: Path, settings: Settings) -> Iterator[World]:
    speaking_controller(crew, table_under(crew, NSW))
    plan = Plan("harbour", "sb-1", "box-1", "", "", len(PAID))
    spool_of(tmp_path, plan).mkdir()
    with time_machine.travel(NOW, tick=False), mail_server() as letters:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", letters.port, 20
        feeder = Feeder()
        lines = [feeder.line("round", at=NOW, **round_paid(number, paid)) for number, paid in enumerate(PAID, 1)]
        receipts = feeder.send(*lines).json()["receipts"]
        save_receipts(spool_of(tmp_path, plan), receipts)
        list(audit_log(crew.harbour))
        raise_alert(
            casino=crew.harbour,
            duty="equipment-fault",
            to=Role.INSPECTOR,
            clause="8.8",
            table="sb-1",
            now=NOW,
            statement="The winning areas were not lit.",
            about=("harbour", receipts[1]["index"]),
        )
        assert send_due_emails(lambda: LATER) == 1
        sign_log("harbour", NOW)
        service = str(connection.settings_dict["USER"])
        with as_superuser():
            connection.ensure_connection()
            yield World(tmp_path, plan, letters, service)


def round_paid(number: int, paid: int) -> Any:
    return msgspec.to_builtins(build_round(NSW, (4, 2, 4), wager("small", 2_500, paid), round=f"r-{number}"))


def test_nothing_is_said_of_a_service_that_kept_its_word(world: World) -> None:
    kept = world.quiet
    assert kept.failures == []
    assert kept.figures == {
        "lines planned": 4,
        "acknowledged": 4,
        "in the ledger": 4,
        "lost": 0,
        "duplicates": 0,
        "entries covered": kept.figures["entries covered"],
        "alerts about what was said": 1,
        "letters sent": 1,
        "letters that came twice": 0,
        "verify_ledger": "whole",
    }
    assert [row[1] for row in kept.findings].count("SETTLE-UNDERPAID") == 2
    assert compare_outcomes(kept, world.after()) == []


def test_an_acknowledged_line_that_is_gone_or_lies_elsewhere(world: World) -> None:
    entries = partition()
    lost = "1 acknowledged lines are not where the receipt says, such as ('harbour', 'sb-1', 3)."
    gone, fewer, broken = world.failures(entries, f"DELETE FROM {entries} WHERE {LINE} 3")
    assert (gone, fewer) == (lost, "4 lines were said, 4 acknowledged, 3 recorded.")
    assert broken.startswith("verify_ledger ends with 1")
    for moved in ("index = index + 1000", "leaf_sha256 = sha256(leaf_sha256)"):
        assert lost in world.failures(entries, f"UPDATE {entries} SET {moved} WHERE {LINE} 3")


def test_a_line_that_was_said_and_never_acknowledged(world: World) -> None:
    noted = spool_of(world.folder, world.plan) / ACKNOWLEDGED
    noted.write_bytes(noted.read_bytes().rstrip(b"\n").rpartition(b"\n")[0])
    assert world.after().failures == ["4 lines were said, 3 acknowledged, 4 recorded."]


@pytest.mark.parametrize("difference", ["'box-2', sequence", "controller, sequence + 100"])
def test_a_line_that_is_there_twice(world: World, difference: str) -> None:
    """Under the number it has, or with the same words under another."""
    entries = partition()
    doubled, more, *_, broken = world.failures(
        entries,
        f"""
        INSERT INTO {entries} (log_id, index, kind, "table", controller, sequence, recorded_at, body, leaf_sha256)
        SELECT log_id, index + 1000, kind, "table", {difference}, recorded_at, body, leaf_sha256 FROM {entries}
        WHERE {LINE} 2
    """,
    )
    assert doubled == "1 lines are in the ledger more than once."
    assert more == "4 lines were said, 4 acknowledged, 5 recorded."
    assert broken.startswith("verify_ledger ends with 1")


def test_a_record_that_was_rewritten(world: World) -> None:
    """In its place and under its number: only the ledger's own verification can tell."""
    entries = partition()
    rewritten = f"UPDATE {entries} SET body = overlay(body placing '4' from length(body) - 1) WHERE {LINE} 1"
    [failure] = world.failures(entries, rewritten)
    assert failure.startswith("verify_ledger ends with 1: ")


def test_coverage_with_a_gap_an_overlap_or_an_end_too_soon(world: World) -> None:
    end = int(world.after().figures["entries covered"])
    coverage = "audit_coverage"
    assert "Coverage of harbour does not tile at 0: the next range begins at 1." in world.failures(
        coverage, "UPDATE audit_coverage SET first = 1"
    )
    assert f"Coverage of harbour does not tile at {end}: the next range begins at 1." in world.failures(
        coverage, copied("audit_coverage", first="1", entry_index="entry_index + 1000")
    )
    short = world.failures(coverage, "UPDATE audit_coverage SET last = last - 1")
    assert f"Coverage of harbour ends at {end - 1}, its work at {end}." in short
    missing = world.failures(coverage, "DELETE FROM audit_coverage")
    assert f"Coverage of harbour ends at 0, its work at {end}." in missing


def test_blocks_with_a_gap_between_them_or_before_the_last_line(world: World) -> None:
    failures = world.failures(
        "audit_block", "UPDATE audit_block SET number = 1, known_to = known_to + 2048, audited_to = audited_to + 2048"
    )
    assert "The blocks of harbour have a gap before 2048." in failures
    [failure] = world.failures("audit_block", "DELETE FROM audit_block")
    assert failure.startswith("harbour is covered up to 0, and its last line is entry ")


def test_a_finding_too_few_or_too_many(world: World) -> None:
    superseded = "superseded_at = now(), superseded_index = 1, superseded_reason = 'Corrected.'"
    one = "id = (SELECT min(id) FROM audit_finding WHERE code = 'SETTLE-UNDERPAID')"
    for gone in (
        f"DELETE FROM audit_finding WHERE {one}",
        f"UPDATE audit_finding SET {superseded} WHERE {one}",
    ):
        [missing] = world.differences("audit_finding", gone)
        assert missing.startswith("1 findings are missing, such as ('harbour', 'SETTLE-UNDERPAID', ")
    more = copied("audit_finding", check_name="'another'", entry_index="entry_index + 1000") + f" WHERE {one}"
    [found] = world.differences("audit_finding", more)
    assert found.startswith("1 findings are found only under disturbance, such as ('harbour', 'SETTLE-UNDERPAID', ")
    other = f"UPDATE audit_finding SET required_cents = required_cents + 1 WHERE {one}"
    assert [said.split(",")[0] for said in world.differences("audit_finding", other)] == [
        "1 findings are missing",
        "1 findings are found only under disturbance",
    ]


def test_a_reading_dependent_wager_too_many(world: World) -> None:
    [found] = world.differences(
        "audit_readingcase",
        """
        INSERT INTO audit_readingcase
            (finding_id, log, subject_index, wager, "table", at, choice, required_cents, found_cents)
        SELECT id, log, subject_index, wager, "table", at, 'other', 1, 2 FROM audit_finding
        WHERE code = 'SETTLE-UNDERPAID' ORDER BY id LIMIT 1
    """,
    )
    assert found.startswith(
        "1 cases are found only under disturbance, such as ('harbour', 'SETTLE-UNDERPAID', 'sb-1', 2, "
    )


def test_an_alert_that_was_never_raised_sent_or_delivered(world: World) -> None:
    assert "1 alerts are missing, such as ('harbour', 'equipment-fault', 'sb-1', " in str(
        world.differences("alerts_alert", "DELETE FROM alerts_alert")
    )
    for state in ("waiting", "given-up"):
        unsent = f"UPDATE web_outgoingemail SET state = '{state}', sent_at = NULL"
        [failure] = world.failures("web_outgoingemail", unsent)
        assert failure.startswith("1 alerts reached nobody, such as ('harbour', ")
    world.letters.messages.clear()
    [failure] = world.after().failures
    assert failure.startswith("1 letters recorded as sent never arrived, such as alert.")


def partition() -> str:
    """The partition with Harbour's entries."""
    return f"ledger_entry_{get_log('harbour').id}"


def copied(table: str, **changes: str) -> str:
    """A statement that duplicates rows, with these columns changed and a new id."""
    with connection.cursor() as cursor:
        columns = [column.name for column in connection.introspection.get_table_description(cursor, table)]
    columns.remove("id")
    named, values = (
        ", ".join(f'"{one}"' for one in columns),
        ", ".join(changes.get(one, f'"{one}"') for one in columns),
    )
    return f"INSERT INTO {table} ({named}) SELECT {values} FROM {table}"
