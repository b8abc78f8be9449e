"""The pre-check: what an act would be reported for, before it is recorded; predicting leaves nothing behind."""

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from celery.signals import before_task_publish
from django.conf import settings
from django.core import mail
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from pytest_django import Settings
from redis import Redis

from compliance.audit.models import ConfirmedWarning, Finding
from compliance.audit.prediction.predict import evaluate_change, predict_findings
from compliance.core.web.database.plan import planning
from compliance.core.web.models import OutgoingEmail
from compliance.core.web.ui.precheck import CONFIRMED_FIELD, REASON_FIELD
from rounds.floor.fact_values import LimitsValue
from rounds.floor.models import Table
from rounds.floor.services.facts import record_fact
from rounds.ledger import entry_at, size_of
from rounds.rulebook.versions.propose import propose_version
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import wager
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.core.web.confirming import REASON, shown_prediction
from tests.rounds.floor.crew import OPENING
from tests.rounds.rulebook.rule_makers import NSW, SOURCE, shipped_pack_bytes

LIMITS = LimitsValue(min=500, max=50_000)


@pytest.fixture
def table(house: House) -> Table:
    return house.open_table(limits=LIMITS)


def state_limits(house: House, table: Table, most: int) -> Callable[[], Any]:
    """States a lower maximum from the time the table opened: rounds since then are audited again."""
    value = LimitsValue(min=500, max=most)
    return lambda: record_fact(
        casino=house.casino, table=table, terminal=None, value=value, effective_at=OPENING, note="Late.",
        actor=house.crew.sid, now=NOW,
    )  # fmt: skip


def predicted_codes(perform: Callable[[], Any]) -> list[str]:
    return sorted(draft.code for planned in predict_findings(perform) for draft in planned.drafts)


def test_what_an_act_changes_in_stored_rounds_is_predicted_and_then_found(house: House, table: Table) -> None:
    house.play((1, 2, 4), wager("small", 20_000, 40_000))
    house.audit()
    assert predicted_codes(state_limits(house, table, 20_000)) == []
    perform = state_limits(house, table, 19_900)
    predicted = predicted_codes(perform)
    assert "LIMIT-OVER-MAX" in predicted
    perform()
    house.audit()
    assert sorted(Finding.objects.current().values_list("code", flat=True)) == predicted


def test_findings_that_exist_already_are_not_predicted_again(house: House, table: Table) -> None:
    house.play((1, 2, 4), wager("small", 1_000, 0))
    house.audit()
    assert Finding.objects.current().count() == 1
    assert predicted_codes(state_limits(house, table, 40_000)) == []


def test_rounds_that_the_audit_has_not_read_yet_count(house: House, table: Table) -> None:
    house.play((1, 2, 4), wager("small", 20_000, 40_000))
    assert predicted_codes(state_limits(house, table, 40_000)) == []


def test_the_plan_has_the_bytes_that_are_recorded(house: House, table: Table) -> None:
    perform = state_limits(house, table, 40_000)
    with planning() as plan:
        perform()
    first = size_of("harbour")
    perform()
    recorded = [entry_at("harbour", index) for index in range(first, size_of("harbour"))]
    assert [(each.index, each.kind, each.body) for each in plan.entries] == [
        (each.index, each.kind, each.body) for each in recorded if each
    ]


def test_predicting_leaves_nothing_behind(committed_house: House, traces: Callable[[], Any]) -> None:
    house = committed_house
    table = house.open_table(limits=LIMITS)
    index = house.play((1, 2, 4), wager("small", 20_000, 40_000))
    house.audit()
    before = traces()
    with planning() as plan, connection.cursor() as cursor:
        state_limits(house, table, 19_900)()
        assert plan.entries
        assert evaluate_change(house.casino, plan.entries, [index])
        cursor.execute("SELECT pg_current_xact_id_if_assigned()")
        assert cursor.fetchone() == (None,)
        cursor.execute(LOCKS_SQL)
        assert cursor.fetchall() == []
    assert "LIMIT-OVER-MAX" in predicted_codes(state_limits(house, table, 19_900))
    assert traces() == before


# Of Valkey's sixteen, one for each of the first workers of pytest-xdist; tests use the first.
REDIS_DATABASE = 8 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 8
# Reading takes AccessShareLock. A row lock, also one of the log's head, takes RowShareLock on the table, a write
# RowExclusiveLock.
LOCKS_SQL = """
SELECT locktype, mode, relation::regclass FROM pg_locks
WHERE pid = pg_backend_pid() AND (locktype = 'advisory' OR mode NOT IN ('AccessShareLock', 'ExclusiveLock'))
"""


@pytest.fixture
def traces(settings: Settings, tmp_path: Path) -> Iterator[Callable[[], Any]]:
    """What exists beside the database's rows: files with size and time, values in Redis, e-mails and sent tasks. In
    folders and a Redis database that no other worker uses."""
    tasks: list[str] = []
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path / "data", tmp_path / "media"
    settings.REDIS_URL = f"{settings.REDIS_URL.rpartition('/')[0]}/{REDIS_DATABASE}"

    def note_task(sender: str = "", **message: Any) -> None:
        tasks.append(sender)

    def found() -> tuple[Any, ...]:
        redis = Redis.from_url(settings.REDIS_URL)
        folders = {Path(settings.DATA_DIR), Path(settings.MEDIA_ROOT)}
        paths = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
        files = sorted((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in paths)
        values = sorted((key, redis.dump(key)) for key in redis.scan_iter())
        return size_of("harbour"), files, values, len(mail.outbox), OutgoingEmail.objects.count(), list(tasks)

    before_task_publish.connect(note_task)
    yield found
    before_task_publish.disconnect(note_task)


def write_file() -> None:
    (Path(settings.MEDIA_ROOT) / "left-behind").parent.mkdir(parents=True, exist_ok=True)
    (Path(settings.MEDIA_ROOT) / "left-behind").write_text("Here.")


DEEDS: dict[str, Callable[[], Any]] = {
    "a file": write_file,
    "a Redis key": lambda: Redis.from_url(settings.REDIS_URL).set("left-behind", "1"),
    "an e-mail": lambda: mail.send_mail("Subject", "Text", None, ["ines@example.org"]),
    "an e-mail in the outbox": lambda: queue_email(),
    "a task": lambda: current_app.send_task("compliance.audit.tasks.audit"),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_each_trace_would_be_seen(committed_house: House, traces: Callable[[], Any], deed: str) -> None:
    before = traces()
    DEEDS[deed]()
    try:
        assert traces() != before
    finally:
        Redis.from_url(settings.REDIS_URL).delete("left-behind")


def queue_email() -> None:
    now = timezone.now()
    OutgoingEmail.objects.create(purpose="x", to="ines@example.org", reference={}, created_at=now, next_try_at=now)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT 1 FROM ledger_log WHERE slug = 'harbour' FOR UPDATE",
        "SELECT pg_advisory_xact_lock(1)",
        "UPDATE ledger_log SET slug = slug",
        "SELECT pg_current_xact_id()",
    ],
)
def test_a_lock_or_a_transaction_id_would_be_seen(house: House, statement: str) -> None:
    """PostgreSQL refuses it in a READ ONLY transaction, or the statements of the test above find it."""
    with planning(), connection.cursor() as cursor:
        try:
            with transaction.atomic():
                cursor.execute(statement)
                cursor.execute(LOCKS_SQL)
                locks = cursor.fetchall()
                cursor.execute("SELECT pg_current_xact_id_if_assigned()")
                [assigned] = cursor.fetchone() or [None]
        except DatabaseError as error:
            assert "read-only transaction" in str(error)  # noqa: PT017 - either outcome is right
        else:
            assert locks or assigned is not None


def test_an_approval_from_the_past_says_how_many_rounds_are_judged_again(house: House, table: Table) -> None:
    for _ in range(2):
        house.play((1, 2, 4), wager("small", 1_000, 2_000))
    house.audit()
    version = propose_version(
        casino=house.casino, pack_content=shipped_pack_bytes(NSW), pack_file="nsw-sic-bo.toml", source=SOURCE,
        readings={}, actor=house.crew.cora, now=NOW,
    )  # fmt: skip
    ines = house.crew.cast.ines
    typed = {"evidence": "Gazette.", "edge_reason": "As printed."}
    address = f"{version.get_absolute_url()}approve/"
    again = "2 rounds and records of Harbour Casino are audited again."
    for day, is_counted in (("2026-11-01", True), ("2026-11-17", False)):
        page = browser_of(ines).post(address, typed | {"effective_at": f"{day}T10:00", **sign_off(ines)})
        assert len(shown_prediction(page).doubts) == 1
        assert (again in page.content.decode()) is is_counted


VOUCHER = "/casinos/harbour/equipment/tables/sb-1/record/voucher-exchanged/"
SHORT = {"voucher": "V-17", "value": "50", "tokens": "49.99", "conditions_met": "yes", "seat": "4"}


@pytest.fixture
def typed(table: Table) -> dict[str, str]:
    now = timezone.now().astimezone(table.casino.zone)
    return {**SHORT, "at": f"{now - timedelta(minutes=1):%Y-%m-%dT%H:%M:%S}"}


def test_nothing_is_recorded_before_the_warning_is_confirmed_with_a_reason(house: House, typed: dict[str, str]) -> None:
    browser, size = browser_of(house.crew.sid), size_of("harbour")
    warned = browser.post(VOUCHER, typed)
    prediction = shown_prediction(warned)
    assert [each.code for each in prediction.findings] == ["VOUCHER-VALUE"]
    assert "The audit would report this" in warned.content.decode()
    assert prediction.findings[0].sentence in unescape(warned.content.decode())
    without_reason = browser.post(VOUCHER, typed | {CONFIRMED_FIELD: prediction.digest})
    assert "A reason is needed" in without_reason.content.decode()
    assert size_of("harbour") == size
    done = browser.post(VOUCHER, typed | {CONFIRMED_FIELD: prediction.digest, REASON_FIELD: REASON}, follow=True)
    shown = unescape(done.content.decode())
    assert 'class="banner banner-success"' not in shown
    assert f"The audit will report: {prediction.findings[0].shown} (VOUCHER-VALUE)" in shown
    confirmed = ConfirmedWarning.objects.get()
    assert (confirmed.reason, confirmed.by, confirmed.entries) == (REASON, house.crew.sid, [size])
    assert confirmed.findings[0]["code"] == "VOUCHER-VALUE"
    assert size_of("harbour") == size + 2
    house.audit()
    finding = Finding.objects.current().get(code="VOUCHER-VALUE")
    assert finding.subject_index == size
    page = browser_of(house.crew.cast.ines).get(finding.get_absolute_url()).content.decode()
    assert f"gave this reason: {REASON}" in page


def test_a_reason_that_is_too_long_is_refused_whole(house: House, typed: dict[str, str]) -> None:
    """The limit is that of the entry, 300 characters; neither the form nor the browser cuts it."""
    browser, size = browser_of(house.crew.sid), size_of("harbour")
    warned = browser.post(VOUCHER, typed)
    confirmed = typed | {CONFIRMED_FIELD: shown_prediction(warned).digest}
    assert "maxlength" not in warned.content.decode().partition("<main")[2]
    long = browser.post(VOUCHER, confirmed | {REASON_FIELD: "r" * 301}).content.decode()
    assert "The reason has 301 characters; at most 300 are recorded." in long
    assert "r" * 301 in long
    assert size_of("harbour") == size
    browser.post(VOUCHER, confirmed | {REASON_FIELD: "r" * 300})
    assert ConfirmedWarning.objects.get().reason == "r" * 300


def test_the_button_of_the_warning_says_what_it_does(house: House, typed: dict[str, str]) -> None:
    browser = browser_of(house.crew.sid)
    first, warned = browser.get(VOUCHER).content.decode(), browser.post(VOUCHER, typed).content.decode()
    assert ('type="submit">Record anyway</button>' in first, 'type="submit">Record anyway</button>' in warned) == (
        False,
        True,
    )
    assert 'type="submit">Record</button>' not in warned


def test_other_findings_than_those_shown_are_shown_again(house: House, typed: dict[str, str]) -> None:
    browser, size = browser_of(house.crew.sid), size_of("harbour")
    confirmed = {CONFIRMED_FIELD: shown_prediction(browser.post(VOUCHER, typed)).digest, REASON_FIELD: REASON}
    changed = browser.post(VOUCHER, typed | confirmed | {"tokens": "48"})
    assert shown_prediction(changed).digest != confirmed[CONFIRMED_FIELD]
    assert size_of("harbour") == size


def test_an_ordinary_act_needs_no_further_step(house: House, typed: dict[str, str]) -> None:
    browser, size = browser_of(house.crew.sid), size_of("harbour")
    done = browser.post(VOUCHER, typed | {"tokens": "50"}, follow=True)
    assert 'class="banner banner-success"' in done.content.decode()
    assert size_of("harbour") == size + 1
    assert not ConfirmedWarning.objects.exists()
