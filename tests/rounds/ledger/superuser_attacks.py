"""The attacks of threats.py, performed as a database superuser on Harbour's log.

The log has 601 entries: rounds 0 to 599 and the correction of entry 17; it was signed at 100, 300, 512 and 601.
"""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from django.conf import settings
from django.db import connection, transaction

from rounds.ledger.signing.checkpoint_file import checkpoint_file_path, save_checkpoint_file
from rounds.ledger.signing.checkpoints import signing_key_for
from rounds.ledger.storage import get_log
from rounds.ledger.writing.append import correct
from rounds.transparency_log.formats.leaf import make_header, make_leaf
from rounds.transparency_log.formats.signed_note import SignerKey, sign_checkpoint
from rounds.transparency_log.tree.merkle import Frontier
from tests.fixture_snapshots import snapshotted
from tests.rounds.ledger import harbour_log
from tests.rounds.transparency_log.memory_log import MemoryTree

SIZE = 601
CORRECTED_AT = harbour_log.OPENED_AT + timedelta(minutes=600)
LYING = b'{"round": "R300", "dice": [6,6,6]}'

Rogue = psycopg.Connection
DEEDS: dict[str, Callable[[], None]] = {}
Deed = Callable[[], None]


class Kept(NamedTuple):
    """Files of a recorded and signed log: its key, its last checkpoint, and the checkpoint of 300 entries."""

    key: bytes
    newest: bytes
    taken_home: bytes


def record_harbour(inspectors_folder: Path) -> Path:
    """Record and sign the log; save the checkpoint of 300 entries for the inspector."""
    return _take_home(_play_and_sign().taken_home, inspectors_folder)


def recorded_harbour(inspectors_folder: Path) -> Path:
    """The same for a database without a log: recorded once, then restored with its key."""
    files = _open_play_and_sign()
    Path(settings.LEDGER_KEY_FILE).write_bytes(files.key)
    save_checkpoint_file(harbour_log.LOG, files.newest)
    return _take_home(files.taken_home, inspectors_folder)


@snapshotted
def _open_play_and_sign() -> Kept:
    harbour_log.opened()
    return _play_and_sign()


def _play_and_sign() -> Kept:
    notes, first = {}, 0
    for rounds in (100, 200, 212, 88):
        harbour_log.play(rounds, first=first)
        first += rounds
        if first == 600:
            with transaction.atomic():
                correct(harbour_log.LOG, 17, {"reason": "Entered twice.", "by": "supervisor"}, CORRECTED_AT)
        notes[first] = harbour_log.sign()
    return Kept(Path(settings.LEDGER_KEY_FILE).read_bytes(), notes[600], notes[300])


def _take_home(note: bytes, folder: Path) -> Path:
    taken_home = folder / "harbour-300.checkpoint"
    taken_home.write_bytes(note)
    return taken_home


def deed(slug: str) -> Callable[[Deed], Deed]:
    def keep(function: Deed) -> Deed:
        DEEDS[slug] = function
        return function

    return keep


def entries(where: str = "true") -> str:
    return f"{harbour_log.partition()} WHERE {where}"


def honest_hash(rogue: Rogue, index: int, body: bytes, **facts: Any) -> bytes:
    """The hash the entry would have with this body and these facts: the attacker knows how it is computed."""
    row = rogue.execute(
        f'SELECT kind, recorded_at, "table", controller, sequence FROM {entries(f"index = {index}")}'
    ).fetchone()
    assert row is not None
    names = ("kind", "recorded_at", "table", "controller", "sequence")
    header = make_header(log=harbour_log.LOG, **dict(zip(names, row, strict=True)) | facts)
    return make_leaf(header, body).leaf_hash


def edit_with_hash(rogue: Rogue, index: int, body: bytes) -> None:
    leaf = honest_hash(rogue, index, body)
    rogue.execute(
        f"UPDATE {harbour_log.partition()} SET body = %s, leaf_sha256 = %s WHERE index = %s", [body, leaf, index]
    )


def leaf_hashes(rogue: Rogue) -> list[bytes]:
    return [leaf for (leaf,) in rogue.execute(f"SELECT leaf_sha256 FROM {entries()} ORDER BY index").fetchall()]


def set_head(rogue: Rogue, frontier: Frontier) -> None:
    log = get_log(harbour_log.LOG).pk
    rogue.execute(
        "UPDATE ledger_head SET size = %s, frontier = %s WHERE log_id = %s", [frontier.size, frontier.to_bytes(), log]
    )


def rewrite_tree(rogue: Rogue) -> Frontier:
    edit_with_hash(rogue, 50, b'{"round": "R50", "dice": [6,6,6]}')
    tree = MemoryTree()
    tree.append(leaf_hashes(rogue))
    for tile in tree.tiles.values():
        rogue.execute(
            "UPDATE ledger_tile SET hashes = %s, root = %s WHERE level = %s AND index = %s",
            [tile.hashes, tile.root, tile.level, tile.index],
        )
    set_head(rogue, tree.frontier)
    return tree.frontier


@deed("body-edited")
def edit_a_body() -> None:
    with harbour_log.unguarded() as rogue:
        rogue.execute(f"UPDATE {harbour_log.partition()} SET body = set_byte(body, 30, 54) WHERE index = 300")


@deed("time-changed")
def change_a_time() -> None:
    with harbour_log.unguarded() as rogue:
        later = "recorded_at + interval '1 microsecond'"
        rogue.execute(f"UPDATE {harbour_log.partition()} SET recorded_at = {later} WHERE index = 300")


@deed("hash-edited")
def edit_a_body_and_its_hash() -> None:
    with harbour_log.unguarded() as rogue:
        edit_with_hash(rogue, 300, LYING)


@deed("row-deleted")
def delete_an_entry() -> None:
    with harbour_log.unguarded() as rogue:
        rogue.execute(f"DELETE FROM {entries('index = 300')}")


@deed("two-swapped")
def swap_two() -> None:
    with harbour_log.unguarded() as rogue:
        for before, after in ((300, 9000), (400, 300), (9000, 400)):
            rogue.execute(f"UPDATE {harbour_log.partition()} SET index = {after} WHERE index = {before}")


@deed("row-reinserted")
def put_another_in_its_place() -> None:
    with harbour_log.unguarded() as rogue:
        leaf = honest_hash(rogue, 300, LYING)
        rogue.execute(f"CREATE TEMP TABLE taken AS SELECT * FROM {entries('index = 300')}")
        rogue.execute(f"DELETE FROM {entries('index = 300')}")
        rogue.execute("UPDATE taken SET body = %s, leaf_sha256 = %s", [LYING, leaf])
        rogue.execute(f"INSERT INTO {harbour_log.partition()} SELECT * FROM taken")


@deed("row-added")
def add_past_the_service() -> None:
    with harbour_log.unguarded() as rogue:
        rogue.execute(f"CREATE TEMP TABLE added AS SELECT * FROM {entries('index = 300')}")
        leaf = honest_hash(rogue, 300, LYING, sequence=9000)
        rogue.execute(f"UPDATE added SET index = {SIZE}, sequence = 9000, body = %s, leaf_sha256 = %s", [LYING, leaf])
        rogue.execute(f"INSERT INTO {harbour_log.partition()} SELECT * FROM added")


@deed("tail-cut")
def cut_the_tail() -> None:
    with harbour_log.unguarded() as rogue:
        rogue.execute(f"DELETE FROM {entries('index >= 590')}")


@deed("tail-cut-and-head-set-back")
def cut_the_tail_and_set_the_head_back() -> None:
    with harbour_log.unguarded() as rogue:
        rogue.execute(f"DELETE FROM {entries('index >= 590')}")
        rogue.execute("DELETE FROM ledger_reversal")
        frontier = Frontier()
        frontier.extend(leaf_hashes(rogue))
        set_head(rogue, frontier)


@deed("tile-edited")
def edit_the_stored_tree() -> None:
    with harbour_log.unguarded() as rogue:
        place = (300 - 256) * 32
        rogue.execute(
            f"UPDATE ledger_tile SET hashes = set_byte(hashes, {place}, 255 - get_byte(hashes, {place})) "
            "WHERE level = 0 AND index = 1"
        )


@deed("reversal-deleted")
def delete_a_reversal() -> None:
    with harbour_log.unguarded() as rogue:
        rogue.execute("DELETE FROM ledger_reversal")


@deed("guards-off")
def switch_guards_off() -> None:
    with harbour_log.admin() as rogue:
        rogue.execute(f"ALTER TABLE {harbour_log.partition()} DISABLE TRIGGER USER")


@deed("guards-emptied")
def empty_the_guards() -> None:
    with harbour_log.admin() as rogue:
        rogue.execute(
            "CREATE OR REPLACE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'"
        )


@deed("replica-role")
def use_the_replica_role() -> None:
    with harbour_log.admin() as rogue:
        rogue.execute("SET session_replication_role = replica")
        rogue.execute(f"DELETE FROM {entries('index = 300')}")


@deed("privileges-granted")
def grant_privileges() -> None:
    with harbour_log.admin() as rogue:
        rogue.execute(f"GRANT UPDATE (body) ON ledger_entry TO {connection.settings_dict['USER']}")


@deed("tree-rewritten")
def rewrite_the_tree() -> None:
    with harbour_log.unguarded() as rogue:
        rewrite_tree(rogue)


@deed("tree-rewritten-and-checkpoints-deleted")
def rewrite_the_tree_and_delete_checkpoints() -> None:
    with harbour_log.unguarded() as rogue:
        rewrite_tree(rogue)
        rogue.execute("DELETE FROM ledger_checkpoint")


@deed("tree-rewritten-and-signed")
def rewrite_the_tree_and_sign_it() -> None:
    with harbour_log.unguarded() as rogue:
        head = rewrite_tree(rogue).head()
        note = sign_checkpoint(head, signing_key_for(harbour_log.LOG))
        rogue.execute("DELETE FROM ledger_checkpoint WHERE size < %s", [SIZE])
        rogue.execute("UPDATE ledger_checkpoint SET root = %s, note = %s", [head.root, note])
    checkpoint_file_path(harbour_log.LOG).write_bytes(note)


@deed("checkpoint-forged")
def forge_a_checkpoint() -> None:
    with harbour_log.unguarded() as rogue:
        tree = MemoryTree()
        tree.append(leaf_hashes(rogue))
        other = SignerKey.from_seed(signing_key_for(harbour_log.LOG).name, bytes(32))
        note = sign_checkpoint(tree.frontier.head(), other)
        rogue.execute("UPDATE ledger_checkpoint SET note = %s WHERE size = %s", [note, SIZE])


@deed("checkpoint-replaced")
def replace_a_checkpoint() -> None:
    with harbour_log.unguarded() as rogue:
        rogue.execute(
            "UPDATE ledger_checkpoint SET note = (SELECT note FROM ledger_checkpoint WHERE size = 100) WHERE size = 300"
        )
