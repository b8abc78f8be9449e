"""The demo's floors: complete facts, a trusted controller for each table, private keys in files with mode 0600."""

from datetime import timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from django.utils import timezone
from pytest_django import Settings

from compliance.core.accounts.demo import NotADemoError, demo_email, make_demo_people
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from rounds.floor.demo import key_file, make_demo_floors
from rounds.floor.fact_catalogue import fact_kinds_about
from rounds.floor.models import ControllerKey, Fact, Table
from rounds.floor.public_keys import key_id_of
from rounds.floor.selectors import facts_at, identify_controller, pack_for
from rounds.ledger.maintenance.halt import halt_restored_log
from rounds.ledger.signing.checkpoints import create_key_file, known_keys_for
from rounds.rulebook.models import MediaType
from rounds.rulebook.versions.approve import approve_version
from rounds.rulebook.versions.propose import SourceUpload, propose_version
from rounds.rulepacks import PACK_FOLDER

NOW = timezone.now()


@pytest.fixture
def boardwalk(db: None, settings: Settings, tmp_path: Path) -> Casino:
    """The demo's people, and one casino with its rules approved long ago."""
    settings.DEMO, settings.DATA_DIR = True, tmp_path
    make_demo_people(now=NOW)
    casino, rules = Casino.objects.get(slug="boardwalk"), "licensee-sic-bo"
    proposer, approver = (
        User.objects.get(email=demo_email(role)) for role in (Role.COMPLIANCE_OFFICER, Role.INSPECTOR)
    )
    version = propose_version(
        casino=casino,
        pack_content=(PACK_FOLDER / f"{rules}.toml").read_bytes(),
        pack_file=f"{rules}.toml",
        source=SourceUpload(b"As printed.", "rules.txt", MediaType.TEXT),
        readings={},
        actor=proposer,
        now=NOW - timedelta(days=92),
    )
    approve_version(
        version=version,
        effective_at=NOW - timedelta(days=90),
        time_zone="UTC",
        evidence="Gazetted.",
        edge_reason="Printed so.",
        actor=approver,
        now=NOW - timedelta(days=91),
    )
    return casino


def test_a_casino_with_rules_gets_its_floor_once(boardwalk: Casino) -> None:
    make_demo_floors(NOW)
    tables, facts, keys = Table.objects.count(), Fact.objects.count(), ControllerKey.objects.count()
    assert (tables, keys) == (2, 2)
    make_demo_floors(NOW)
    assert (tables, facts, keys) == (Table.objects.count(), Fact.objects.count(), ControllerKey.objects.count())
    for table in Table.objects.all():
        pack = pack_for(table, NOW - timedelta(days=59))
        assert pack is not None
        assert {kind.name for kind in fact_kinds_about("table", pack)} == set(facts_at(table, NOW).rows)


def test_each_table_has_a_controller_whose_private_key_lies_in_a_closed_file(boardwalk: Casino) -> None:
    make_demo_floors(NOW)
    path = key_file("boardwalk", "box-sic-1")
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    secret = load_pem_private_key(path.read_bytes(), None)
    assert isinstance(secret, Ed25519PrivateKey)
    held = identify_controller(key_id_of(secret.public_key().public_bytes_raw()), NOW)
    assert held is not None
    assert held.tables == {"sic-1"}
    assert secret.private_bytes_raw() not in {bytes(key.public_key) for key in ControllerKey.objects.all()}


def test_a_lost_key_is_replaced_by_a_new_one(boardwalk: Casino) -> None:
    make_demo_floors(NOW)
    key_file("boardwalk", "box-sic-1").unlink()
    make_demo_floors(NOW)
    assert ControllerKey.objects.filter(controller__slug="box-sic-1").count() == 2
    assert key_file("boardwalk", "box-sic-1").exists()


def test_a_log_that_is_read_only_after_a_restore_does_not_keep_the_demo_from_starting(
    boardwalk: Casino, settings: Settings, tmp_path: Path
) -> None:
    """Restored into a new folder, where the keys of its controllers are not."""
    make_demo_floors(NOW)
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    halt_restored_log(log="boardwalk", note=None, keys=known_keys_for("boardwalk"), now=NOW)
    key_file("boardwalk", "box-sic-1").unlink()
    make_demo_floors(NOW)
    assert not key_file("boardwalk", "box-sic-1").exists(), "a key that nobody trusts would only be refused"


def test_outside_the_demo_nothing_is_made(boardwalk: Casino, settings: Settings) -> None:
    settings.DEMO = False
    with pytest.raises(NotADemoError):
        make_demo_floors(NOW)
