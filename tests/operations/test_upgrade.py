"""Databases made by earlier releases (release_snapshot.py) are migrated to today's schema with their data, and work."""

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import psycopg
import pytest
import time_machine
from django.core import mail
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.utils import timezone
from psycopg import sql
from pytest_django import DjangoDbBlocker, Settings

from compliance.audit.models import Finding
from compliance.audit.run.consumer import reaudit_blocks
from compliance.audit.run.worker import audit_log
from compliance.core.accounts.models import Casino, User
from compliance.core.web.mail.outbox import send_due_emails
from compliance.core.web.models import OutgoingEmail
from compliance.inspection.reviews.consumer import consume_findings
from compliance.inspection.reviews.models import Review
from compliance.notify.alerts.models import AlertStep
from compliance.notify.saved_views.models import NewRowsMessage
from rounds.intake.protocol.envelope import encode_line
from rounds.ledger.signing.checkpoints import sign_log
from rounds.ledger.storage import every_log
from rounds.ledger.verify.check_database_guards import guard_faults
from rounds.ledger.verify.verify_log import VerificationResult, verify_log
from tests.compliance.audit.house import shifted
from tests.compliance.audit.round_builders import NSW, START, build_round, wager
from tests.compliance.core.accounts.people import PASSWORD, browser_of
from tests.conftest import make_database, superuser
from tests.drills.support.full_length import count_in_tally
from tests.drills.support.working_day import LOG
from tests.operations.extra_databases import empty_database
from tests.operations.release_snapshot import RELEASES, ROUNDS, load_release, write_key
from tests.rounds.intake.controller_client import Feeder

MADE = sorted(RELEASES.glob("*.sql.gz"))
# Django's own bookkeeping is not data.
DJANGOS = {"auth_permission", "django_content_type", "django_migrations"}
# Columns that a migration rebuilds from the entries: row ids and packed columns may differ.
MADE_AGAIN = {
    "audit_packedround": {"id", "wagers"},
    "audit_playedday": {"id"},
    "audit_playedbet": {"id"},
}
# Tables whose rows a migration moves to another one; taking the upgrade back brings them back.
MOVED = {"alerts_delivery", "reports_letter"}
COLUMNS = """
SELECT relname, array_agg(attname::text ORDER BY attnum) FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
AND attnum > 0 AND NOT attisdropped GROUP BY relname
"""
# Without the ledger's partitions, one a log.
SCHEMA = """
SELECT * FROM (
    SELECT tablename::text AS of, indexdef AS what FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT conrelid::regclass::text, concat(conname, ' ', pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT proname::text, pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT table_name, concat_ws(' ', column_name, data_type, is_nullable, column_default)
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT table_name, concat_ws(' ', grantee, privilege_type)
    FROM information_schema.role_table_grants WHERE table_schema = 'public'
) made WHERE of !~ '^ledger_entry_[0-9]+$' ORDER BY 1, 2
"""
# What the apps' own outboxes held before there was one for all: a row in each state.
OLD_TABLES = ("alerts_delivery", "reports_letter", "saved_message")
OLD_STATES = "SELECT state, attempts, next_try_at, sent_at FROM {} ORDER BY id"
OLD_EMAILS = """
UPDATE alerts_delivery SET state = 'sent', attempts = 2, sent_at = now() WHERE id = 1;
UPDATE alerts_delivery SET state = 'given-up', attempts = 20 WHERE id = 2;
INSERT INTO reports_report (casino_id, kind, chosen, asked_by_id, asked_by_name, asked_at, state, attempts, done,
    failure, title, pages_sha256, document_sha256, log, file_sha256)
SELECT casino.id, 'findings', '{}', person.id, 'Ines', now(), 'waiting', 0, 0, '', '', '', '', '', ''
FROM accounts_casino casino, accounts_user person WHERE casino.slug = 'harbour' AND person.email = 'ines@example.com';
INSERT INTO reports_letter (report_id, recipient_id, state, attempts, next_try_at, sent_at)
SELECT report.id, person.id, state.state, 3, now(), CASE state.state WHEN 'sent' THEN now() END
FROM reports_report report, accounts_user person JOIN (VALUES ('ines', 'sent'), ('ada', 'given-up')) state (name, state)
    ON person.email = state.name || '@example.com';
INSERT INTO saved_message (person_id, state, attempts, made_at, next_try_at, sent_at)
SELECT person.id, state, 1, now(), now(), CASE state WHEN 'sent' THEN now() END
FROM accounts_user person, unnest(ARRAY['waiting', 'sent', 'given-up', 'withheld']) state
WHERE person.email = 'ines@example.com';
"""
JUDGED = (
    "code", "severity", "subject_index", "wager", "check_name", "clause", "sentence", "required_cents", "found_cents",
    "evidence", "at",
)  # fmt: skip
PAGES = (
    "/",
    "/casinos/harbour/reviews/",
    "/casinos/harbour/reviews/{finding}/",
    "/casinos/harbour/rounds/{round}/",
    "/casinos/harbour/floor/",
    "/casinos/harbour/dashboard/",
    "/casinos/harbour/promotions/",
)
Columns = dict[str, list[str]]
Rows = dict[str, list[str]]


@dataclass(frozen=True)
class Upgraded:
    """The state before the upgrade: tables and rows, the last migration of each app, and the migrations still to
    run."""

    database: str
    columns: Columns
    rows: Rows
    ends: dict[str, str]
    waited: list[tuple[str, str]]


@pytest.fixture(scope="module", params=MADE, ids=lambda path: path.name.removesuffix(".sql.gz"))
def brought_up(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Upgraded]:
    """Upgraded once; each test gets a copy."""
    name = f"{connection.settings_dict['NAME']}_upgraded"
    with superuser("postgres") as admin:
        with django_db_blocker.unblock(), empty_database() as owner:
            load_release(request.param, tmp_path_factory.mktemp("release"), owner)
            columns = columns_of_tables()
            before = Upgraded(name, columns, rows(columns), ends_of_migrations(), waiting())
            call_command("migrate", verbosity=0, interactive=False)
            connection.close()
            make_database(admin, name, owner.name)
        yield before
        admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def upgraded(brought_up: Upgraded, transactional_db: None, settings: Settings, tmp_path: Path) -> Iterator[Upgraded]:
    """A copy of the upgraded database, a few minutes after the last entry in it."""
    settings.LEDGER_KEY_FILE, settings.MEDIA_ROOT = tmp_path / "keys" / "ledger.key", tmp_path / "uploads"
    write_key(settings.LEDGER_KEY_FILE)
    with empty_database(brought_up.database), time_machine.travel(last_at() + timedelta(minutes=5), tick=True):
        yield brought_up


def columns_of_tables() -> Columns:
    """Of every table, also those that the app role may not read."""
    with superuser(connection.settings_dict["NAME"]) as admin:
        found: Columns = dict(admin.execute(COLUMNS).fetchall())
    return {
        table: [name for name in names if name not in MADE_AGAIN.get(table, ())]
        for table, names in sorted(found.items())
        if table not in DJANGOS
    }


def rows(columns: Columns) -> Rows:
    """Every row as text, also of tables that were renamed."""
    with superuser(connection.settings_dict["NAME"]) as admin:
        return {table: [row for (row,) in admin.execute(_rows_of(table, names))] for table, names in columns.items()}


def _rows_of(table: str, names: list[str]) -> sql.Composed:
    listed = sql.SQL(", ").join(sql.Identifier(name) for name in names)
    return sql.SQL("SELECT ROW({})::text FROM {} ORDER BY 1").format(listed, sql.Identifier(table))


# Projections that a migration rebuilds from the ledger; `verified` compares them with it.
REBUILT = {"audit_packedround"}


def kept(by_table: dict[str, list[str]]) -> dict[str, list[str]]:
    return {table: found for table, found in by_table.items() if table not in MOVED | REBUILT}


def ends_of_migrations() -> dict[str, str]:
    return dict(sorted(MigrationExecutor(connection).loader.applied_migrations))


def waiting() -> list[tuple[str, str]]:
    executor = MigrationExecutor(connection)
    return [(one.app_label, one.name) for one, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def last_at() -> datetime:
    with superuser(connection.settings_dict["NAME"]) as admin:
        [(last,)] = admin.execute("SELECT max(recorded_at) FROM ledger_entry").fetchall()
    assert isinstance(last, datetime)
    return last


def verified() -> list[VerificationResult]:
    """Verifies every log: all entries and all projections."""
    verdicts = [verify_log(log) for log in every_log()]
    assert [one.first_issue for one in verdicts if not one.is_intact] == []
    return verdicts


def standing() -> list[tuple[object, ...]]:
    return list(Finding.objects.current().order_by("log", "subject_index", "wager", "code").values_list(*JUDGED))


def test_the_first_release_is_from_before_its_tables_changed() -> None:
    text = gzip.decompress((RELEASES / "0.1.sql.gz").read_bytes())
    assert b"\taudit\t0008_played\t" in text
    assert b"\t0009_wagers_as_they_lay\t" not in text
    assert b"\t0003_signed_times\t" not in text
    assert b"\t0004_answers_due\t" not in text


def test_every_row_of_an_earlier_release_is_there_and_verifies(upgraded: Upgraded) -> None:
    assert waiting() == []
    assert guard_faults() == []
    assert rows(kept(upgraded.columns)) == kept(upgraded.rows)
    assert len(upgraded.rows["audit_packedround"]) == ROUNDS
    count_in_tally("entries of an earlier release verified after the upgrade", sum(one.size for one in verified()))


def test_an_upgraded_database_is_made_as_a_new_one_is(brought_up: Upgraded, transactional_db: None) -> None:
    """Whatever was rewritten in the first migrations meanwhile."""
    made = schema(connection.settings_dict["NAME"])
    assert len(made) > 1_000
    assert schema(brought_up.database) ^ made == set()


def schema(database: str) -> set[tuple[str, str]]:
    """Normalised, because PostgreSQL prints casts and brackets differently after loading a dump."""
    with superuser(database) as admin:
        found = admin.execute(SCHEMA).fetchall()
    return {(of, re.sub(r"::(character varying|text)(\[\])?|[()\s]|public\.", "", what)) for of, what in found}


def test_emails_that_waited_in_an_earlier_release_are_sent(upgraded: Upgraded, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    emails = OutgoingEmail.objects.filter(purpose="alert")
    assert [*emails.values_list("state", "attempts")] == [("waiting", 0)] * len(upgraded.rows["alerts_delivery"])
    sent = send_due_emails(timezone.now)
    assert sent == len(mail.outbox) == AlertStep.objects.filter(step="sent").count() == 3
    assert sorted(email.to for email in emails) == sorted(to for message in mail.outbox for to in message.to)
    verified()


def test_emails_in_every_state_are_moved_to_the_outbox_and_back(upgraded: Upgraded) -> None:
    """Taken back to the tables of each app, changed there, and upgraded again."""
    ends = {"alerts": "0002", "reports": "0007", "saved": "0003"}
    for app, end in ends.items():
        call_command("migrate", app, end, verbosity=0, interactive=False)
    with superuser(connection.settings_dict["NAME"]) as admin:
        admin.execute(OLD_EMAILS)
        before = {table: admin.execute(OLD_STATES.format(table)).fetchall() for table in OLD_TABLES}
    call_command("migrate", verbosity=0, interactive=False)
    found = OutgoingEmail.objects.order_by("purpose", "pk").values_list("state", "attempts", "next_try_at", "sent_at")
    for purpose, table in zip(("alert", "report", "saved-view"), OLD_TABLES, strict=True):
        assert [*found.filter(purpose=purpose)] == before[table]
        assert len(before[table]) > 1
    assert NewRowsMessage.objects.get(email__state="withheld").person.email == "ines@example.com"
    with pytest.raises(DatabaseError, match="does not become"), transaction.atomic():
        OutgoingEmail.objects.filter(state="sent").update(state="waiting", sent_at=None)
    for app, end in ends.items():
        call_command("migrate", app, end, verbosity=0, interactive=False)
    with superuser(connection.settings_dict["NAME"]) as admin:
        assert {table: admin.execute(OLD_STATES.format(table)).fetchall() for table in OLD_TABLES} == before
        with pytest.raises(psycopg.Error, match="stays as it is"):
            admin.execute("UPDATE alerts_delivery SET level = 1 WHERE state = 'sent'")
        with pytest.raises(psycopg.Error, match="does not become"):
            admin.execute("UPDATE saved_message SET state = 'sent', sent_at = now() WHERE state = 'withheld'")
    call_command("migrate", verbosity=0, interactive=False)
    assert waiting() == []


def test_findings_of_an_earlier_release_stand_when_they_are_audited_again(upgraded: Upgraded) -> None:
    found = standing()
    assert {finding[0] for finding in found} >= {"SETTLE-OVERPAID"}
    with transaction.atomic():
        reaudit_blocks(LOG, [0], "Another release.")
    [covered] = audit_log(Casino.objects.get(slug=LOG))
    assert covered.rounds == ROUNDS
    now = standing()
    assert [finding for finding in found if finding not in now] == []
    # Calls without a total, overlapping rounds and draws at another time than filed were not checked then.
    new = {finding[0] for finding in now if finding not in found}
    assert new == {"ROUND-CALLED", "FEED-ROUND-OVERLAP", "PROMO-DRAW-NOT-AS-FILED"}
    verified()


def test_the_people_of_an_earlier_release_go_on_with_their_work(upgraded: Upgraded) -> None:
    casino, found = Casino.objects.get(slug=LOG), standing()
    assert list(audit_log(casino)) == []
    assert Feeder().send(overpaid_round(ROUNDS + 1)).status_code == 200
    assert [covered.rounds for covered in audit_log(casino)] == [1]
    [new] = [finding for finding in standing() if finding not in found]
    assert new[0] == "SETTLE-OVERPAID"
    consume_findings([LOG])
    sign_log(LOG, timezone.now())
    verified()
    ines = User.objects.get(email="ines@example.com")
    assert ines.check_password(PASSWORD)
    browser = browser_of(ines)
    for review in Review.objects.filter(casino=casino, code="SETTLE-OVERPAID").select_related("finding"):
        assert answers(browser, review) == dict.fromkeys(PAGES, 200)


def answers(browser: Client, review: Review) -> dict[str, int]:
    numbers = {"finding": review.finding.entry_index, "round": review.finding.subject_index}
    return {page: browser.get(page.format(**numbers)).status_code for page in PAGES}


def overpaid_round(number: int) -> bytes:
    """The controller's next line: a round two minutes ago in which a wager was paid a dollar too much."""
    now, laid = timezone.now(), wager("small", 2_500, 5_100, id="w-7")
    body = shifted(build_round(NSW, (4, 2, 4), laid, round=f"r-{number}"), now - timedelta(minutes=2) - START)
    return encode_line(kind="round", table="sb-1", sequence=number, at=now, body=body)


def test_an_upgrade_can_be_taken_back_and_made_again(upgraded: Upgraded) -> None:
    """In the apps that there were: the tables of later ones are no trouble to the old code."""
    waited = [(app, name) for app, name in upgraded.waited if app in upgraded.ends]
    for app in {app: None for app, _ in reversed(waited)}:
        call_command("migrate", app, upgraded.ends[app], verbosity=0, interactive=False)
    assert [(app, name) for app, name in waiting() if app in upgraded.ends] == waited
    assert columns_of_tables().items() >= upgraded.columns.items()
    before = {table: columns for table, columns in upgraded.columns.items() if table not in REBUILT}
    assert rows(before) == {table: found for table, found in upgraded.rows.items() if table not in REBUILT}
    call_command("migrate", verbosity=0, interactive=False)
    assert rows(kept(upgraded.columns)) == kept(upgraded.rows)
    verified()
