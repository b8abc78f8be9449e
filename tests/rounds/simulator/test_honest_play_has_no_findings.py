"""A small day of all five rule sets: all lines are accepted, the ledger verifies, only players' acts are found."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from compliance.audit.models import Finding, PackedRound
from compliance.audit.run.worker import audit_log
from compliance.core.accounts.demo import make_demo_people
from compliance.core.accounts.models import Casino
from rounds.floor.demo import FLOORS, make_demo_floors
from rounds.intake.models import Feed, Quarantined
from rounds.intake.tasks import consume_controller_reports
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.signing.checkpoints import create_key_file
from tests.rounds.floor.demo_rules import approve_rules

ROUNDS = 40
# The first table of each casino's floor.
TABLES = {floor.casino: floor.tables[0].slug for floor in reversed(FLOORS)}
Named = tuple[str, str | None, str | None]


@pytest.fixture
def floors(transactional_db: None, tmp_path: Path, settings: Settings) -> None:
    """The demo casinos with approved rules and their tables."""
    settings.DEMO, settings.DATA_DIR = True, tmp_path / "data"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    now = timezone.now()
    make_demo_people(now=now)
    for casino, rules in {floor.casino: floor.rules for floor in FLOORS}.items():
        approve_rules(Casino.objects.get(slug=casino), rules, now)
    make_demo_floors(now)


def simulate(server: LiveServer, casino: str, truth: Path) -> str:
    said = io.StringIO()
    call_command(
        "simulate",
        casino=casino,
        tables=TABLES[casino],
        rounds=ROUNDS,
        seed=7,
        address=server.url,
        truth=truth,
        stdout=said,
    )
    return said.getvalue()


def done_by_players(truth: Path) -> set[Named]:
    planted = [json.loads(line) for line in truth.read_text().splitlines()]
    assert {one["code"] for one in planted if not one.get("player")} <= {"FEED-LATE"}
    return {(one["code"], one["round"], one["wager"]) for one in planted if one.get("player")}


def found_at(casino: Casino) -> set[Named]:
    """By code, round and wager, as in the truth."""
    rounds = {entry.index: entry.content()["body"]["round"] for entry in read_entries(casino.slug, 0, 10**6, {"round"})}
    standing = Finding.objects.current().filter(casino=casino).exclude(code__startswith="FEED-")
    return {(one.code, rounds.get(one.subject_index), one.wager or None) for one in standing}


@pytest.mark.usefixtures("floors")
def test_a_clean_day_of_every_rule_set_goes_in_whole_and_is_found_clean(
    live_server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rounds.simulator.play.table_day.MISREPORTED_ONE_IN", 10)
    for casino in Casino.objects.filter(slug__in=TABLES):
        truth = tmp_path / f"{casino.slug}.ndjson"
        said = simulate(live_server, casino.slug, truth)
        assert "and planted 0 faults" in said
        assert "refused" not in said
        assert "No room" not in said
        feed = Feed.objects.get(casino=casino)
        kinds = [entry.kind for entry in read_entries(casino.slug, 0, 10**6) if entry.controller]
        assert (feed.missing_count, feed.accepted) == (0, len(kinds))
        assert kinds.count("controller-correction") > 0
        assert kinds.count("round") - kinds.count("controller-correction") >= ROUNDS
        consume_controller_reports()
        list(audit_log(casino))
        assert PackedRound.objects.filter(log=casino.slug, taken_back_index=None).count() >= ROUNDS
        assert found_at(casino) == done_by_players(truth), casino.slug
    assert not Quarantined.objects.exists()
    verified = io.StringIO()
    call_command("verify_ledger", stdout=verified)
    assert verified.getvalue().count(": whole.") == len(TABLES) + 1
