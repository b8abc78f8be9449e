"""A database superuser attacks the log; each detector that threats.py names detects it."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection

from rounds.ledger.signing.checkpoints import ForkedLog
from rounds.ledger.verify.check_database_guards import DatabaseGuardsMissing, check_guards
from rounds.ledger.verify.threat_table import THREATS, Detector, Threat
from tests.drills.support.full_length import count_in_tally
from tests.rounds.ledger import harbour_log, superuser_attacks

# The first issue that verify_ledger reports.
FIRST = {
    "body-edited": "Entry 300 (kind test-round, table SB-7, recorded 2026-11-16 14:30:00 UTC): changed since; it no "
    "longer gives the hash that was recorded with it.",
    "time-changed": "Entry 300 (kind test-round, table SB-7, recorded 2026-11-16 14:30:00 UTC): changed since;",
    "hash-edited": "Entry 300: not what was recorded at this place; the stored tree differs.",
    "row-deleted": "Entry 300: missing.",
    "two-swapped": "Entry 300: not what was recorded at this place; the stored tree differs.",
    "row-reinserted": "Entry 300: not what was recorded at this place; the stored tree differs.",
    "row-added": "Entry 601: not recorded by the service; the log's head counts 601 entries.",
    "tail-cut": "Entries 590 to 600: missing",
    "tail-cut-and-head-set-back": "Entries 590 to 600: missing, though covered by the checkpoint of 601 entries signed "
    "2026-11-16 09:30:00 UTC.",
    "tile-edited": "Entry 300: not what was recorded at this place; the stored tree differs.",
    "reversal-deleted": "Entry 600 (kind correction, recorded 2026-11-16 19:30:00 UTC): what it took back is no longer "
    "in the list of entries taken back.",
    "guards-off": "Changes are not prevented: the guard ledger_no_truncate of ledger_entry_",
    "guards-emptied": "Changes are not prevented: the guard ledger_no_truncate of ledger_log no longer refuses",
    "tree-rewritten": "Entries 0 to 99: at least one was changed, moved, added or removed later, for they no longer "
    "lead to what was signed in the checkpoint of 100 entries signed 2026-11-16 09:30:00 UTC.",
    "tree-rewritten-and-checkpoints-deleted": "Entries 0 to 600: at least one was changed, moved, added or removed "
    "later, for they no longer lead to what was signed in the last checkpoint kept outside the database.",
    "tree-rewritten-and-signed": "Entries 0 to 299: at least one was changed, moved, added or removed later, for they "
    "no longer lead to what was signed in the checkpoint in harbour-300.checkpoint.",
    "checkpoint-forged": "Replaced: the checkpoint of 601 entries signed 2026-11-16 09:30:00 UTC is not one that the "
    "log's key signed.",
    "checkpoint-replaced": "Replaced: the checkpoint of 300 entries signed 2026-11-16 09:30:00 UTC is, by its signed "
    "text, of another tree.",
}


class Answer(NamedTuple):
    status: int
    words: str


def verify(*options: str) -> Answer:
    out = io.StringIO()
    try:
        call_command("verify_ledger", *options, stdout=out)
    except SystemExit as ended:
        return Answer(int(ended.code or 0), out.getvalue())
    return Answer(0, out.getvalue())


@pytest.fixture
def taken_home(transactional_db: None, key_file: Path, tmp_path: Path) -> Path:
    return superuser_attacks.recorded_harbour(tmp_path)


@pytest.fixture(autouse=True)
def put_right(transactional_db: None) -> Iterator[None]:
    """Undoes what an attack changed outside the log's own rows."""
    with harbour_log.admin() as admin:
        [refuse] = admin.execute("SELECT pg_get_functiondef('ledger_refuse'::regproc)").fetchone() or [""]
    yield
    with harbour_log.admin() as admin:
        admin.execute(refuse)
        admin.execute(f"REVOKE UPDATE (body) ON ledger_entry FROM {connection.settings_dict['USER']}")


def test_every_deed_of_the_table_is_done_here() -> None:
    assert set(superuser_attacks.DEEDS) == {attack.slug for attack in THREATS}


def test_an_untouched_log_is_whole(taken_home: Path) -> None:
    check_guards()
    assert verify("--log", "harbour", "--seen", str(taken_home)) == (
        0,
        "harbour: whole. Verified entries 0 to 600 "
        "(entries 601, tiles 2, checkpoints 6, corrections 1, projections 1).\n",
    )


@pytest.mark.parametrize("attack", THREATS, ids=lambda attack: attack.slug)
def test_what_was_done_is_found(attack: Threat, taken_home: Path) -> None:
    if attack.found_by == (Detector.DATABASE,):
        with pytest.raises(psycopg.errors.RestrictViolation):
            superuser_attacks.DEEDS[attack.slug]()
        assert verify().status == 0
        count_in_tally("attacks on the ledger that the database refuses")
        return
    superuser_attacks.DEEDS[attack.slug]()
    count_in_tally("attacks on the ledger")
    for detector in attack.found_by:
        is_found_by(detector, attack.slug, taken_home)
    count_in_tally("attacks on the ledger: found by each detector named")
    if Detector.VERIFYING not in attack.found_by and Detector.GUARDS not in attack.found_by:
        assert verify().status == 0, "The table could promise more than it does."


def is_found_by(detector: Detector, slug: str, taken_home: Path) -> None:
    match detector:
        case Detector.GUARDS:
            with pytest.raises(DatabaseGuardsMissing):
                check_guards()
        case Detector.SIGNING:
            with pytest.raises(ForkedLog):
                harbour_log.sign()
        case Detector.VERIFYING | Detector.KEPT:
            options = ("--log", "harbour", "--seen", str(taken_home)) if detector is Detector.KEPT else ()
            answer = verify(*options)
            assert answer.status == 1
            assert answer.words.split("First: ")[-1].startswith(FIRST[slug]), answer.words
        case _:
            pytest.fail(f"Nothing is done about {detector}.")


def test_the_right_edge_is_narrowed_down_though_no_tile_covers_it_yet(taken_home: Path) -> None:
    """Entries 512 to 600 are in no full tile: the last checkpoint and the head narrow the range down."""
    with harbour_log.unguarded() as admin:
        superuser_attacks.edit_with_hash(admin, 590, superuser_attacks.LYING)
    answer = verify()
    assert answer.status == 1
    assert "First: Entries 576 to 591: not those that the log's head was computed from." in answer.words
    assert "Also: Entries 512 to 600: at least one was changed" in answer.words
