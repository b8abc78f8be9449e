"""Tampered bundles are refused, and the first entry that does not match is named.

The manifest is not signed, so each test also updates it to match the changed files.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rounds.transparency_log.formats.signed_note import SignerKey, encode_base64, sign_checkpoint, sign_note
from rounds.transparency_log.offline.signed_note import split_checkpoint_notes
from rounds.transparency_log.offline.tree import leaf_hash
from tests.rounds.transparency_log.bundle_tampering import (
    Line,
    change_entries,
    change_lines,
    change_manifest,
    inspect,
    reseal,
)
from tests.rounds.transparency_log.memory_log import SIGNER, MemoryLog

NAMED_42 = "Entry 42 (kind round, table SB-7, recorded at 2025-03-01T10:42:00.000000Z) does not fit"


@pytest.fixture(scope="module")
def log() -> MemoryLog:
    log = MemoryLog()
    for rounds in (30, 20, 50):
        log.play(rounds)
        log.sign()
    return log


@pytest.fixture(scope="module")
def whole_range(log: MemoryLog, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("range") / "evidence"
    log.write_range(folder, 40, 60, packs=[("nsw-sic-bo@1.toml", b"pack")])
    assert inspect(folder).status == 0
    return folder


@pytest.fixture(scope="module")
def whole_selection(log: MemoryLog, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("selection") / "evidence"
    log.write_selection(folder, [12, 42, 99])
    assert inspect(folder).status == 0
    return folder


@pytest.fixture
def folder(whole_range: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole_range, tmp_path / "evidence")


@pytest.fixture
def selection(whole_selection: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole_selection, tmp_path / "selection")


def refused(folder: Path, *options: str) -> str:
    status, words = inspect(folder, *options)
    assert status == 1
    assert "Result: this evidence must not be relied on." in words
    return words


def line_of(lines: list[Line], index: int) -> Line:
    return next(line for line in lines if line["index"] == index)


def edit(index: int, **members: str) -> Callable[[list[Line]], list[Line]]:
    """Change members of one entry and update its hash."""

    def change(lines: list[Line]) -> list[Line]:
        line = line_of(lines, index)
        line.update(members)
        line["leaf_hash"] = leaf_hash(line["header"].encode() + b"\n" + line["body"].encode()).hex()
        return lines

    return change


def test_a_changed_body_is_named(folder: Path) -> None:
    change_entries(folder, edit(42, body='{"round":"R42","dice":[6,6,6]}'))
    assert NAMED_42 + ": its content does not give its recorded hash." in refused(folder)


def test_one_changed_byte_of_a_body_is_named_even_if_nothing_else_was_touched(folder: Path) -> None:
    entries = folder / "entries.ndjson"
    entries.write_bytes(entries.read_bytes().replace(b"R42", b"R43"))
    assert NAMED_42 in refused(folder)


def test_a_changed_time_is_named(folder: Path) -> None:
    header = '{"kind":"round","log":"harbour","recorded_at":"2025-03-01T09:00:00.000000Z","table":"SB-7"}'
    change_entries(folder, edit(42, header=header))
    assert "Entry 42 (kind round, table SB-7, recorded at 2025-03-01T09:00:00.000000Z) does not fit" in refused(folder)


def test_a_changed_entry_of_a_selection_is_named(selection: Path) -> None:
    change_entries(selection, edit(42, body="{}"))
    assert NAMED_42 + ": its proof does not lead to the signed root." in refused(selection)


def test_only_the_hash_beside_an_entry_was_changed(folder: Path, selection: Path) -> None:
    for one in (folder, selection):
        change_lines(one, "entries.ndjson", lambda lines: [{**line, "leaf_hash": "00" * 32} for line in lines])
        reseal(one)
        assert "the hash written beside it is not its own" in refused(one)


def test_a_deleted_entry_is_missed(folder: Path) -> None:
    change_entries(folder, lambda lines: [line for line in lines if line["index"] != 42])
    assert "Line 3 of entries.ndjson holds entry 43; entry 42 is due." in refused(folder)


def test_a_deleted_entry_is_missed_even_if_the_others_move_up(folder: Path) -> None:
    def close_gap(lines: list[Line]) -> list[Line]:
        kept = [line for line in lines if line["index"] != 42]
        return [{**line, "index": 40 + place} for place, line in enumerate(kept)]

    change_entries(folder, close_gap)
    assert "Entry 42 (kind round, table SB-7, recorded at 2025-03-01T10:43:00.000000Z) does not fit" in refused(folder)


def test_the_last_entries_cut_off_are_missed(folder: Path) -> None:
    change_entries(folder, lambda lines: lines[:-2])
    assert "entries.ndjson ends too early: entry 58 is missing." in refused(folder)
    change_manifest(folder, count=18)
    assert "entries.ndjson ends too early: entry 58 is missing." in refused(folder)


def test_swapped_entries_are_named(folder: Path) -> None:
    def swap(lines: list[Line]) -> list[Line]:
        lines[2]["index"], lines[3]["index"] = 43, 42
        return [*lines[:2], lines[3], lines[2], *lines[4:]]

    change_entries(folder, swap)
    assert "Entry 42 (kind round, table SB-7, recorded at 2025-03-01T10:43:00.000000Z) does not fit" in refused(folder)


def test_an_entry_moved_within_a_selection_is_named(selection: Path) -> None:
    change_entries(
        selection, lambda lines: [{**line, "index": line["index"] + (line["index"] == 42)} for line in lines]
    )
    assert "Entry 43" in refused(selection)


def test_a_repeated_entry_is_refused(folder: Path, selection: Path) -> None:
    for one in (folder, selection):
        change_entries(one, lambda lines: [lines[0], *lines])
        assert "Line 2 of entries.ndjson holds entry" in refused(one)


@pytest.mark.parametrize(
    ("index", "narrowed"), [(42, "Entries 40 to 49"), (49, "Entries 40 to 49"), (50, "Entries 50 to 59")]
)
def test_an_entry_changed_with_its_recorded_hash_is_narrowed_down_by_the_checkpoints(
    index: int, narrowed: str, folder: Path
) -> None:
    """The folder's checkpoints are of 30, 50 and 100 entries: what was changed lies between two of them."""
    change_lines(folder, "entries.ndjson", edit(index, body="{}"))
    entry = line_of([json.loads(line) for line in (folder / "entries.ndjson").read_bytes().splitlines()], index)
    hashes = bytearray((folder / "leaf-hashes.bin").read_bytes())
    hashes[(index - 40) * 32 : (index - 39) * 32] = bytes.fromhex(entry["leaf_hash"])
    (folder / "leaf-hashes.bin").write_bytes(hashes)
    reseal(folder)
    assert f"{narrowed} do not lead to the root the log signed" in refused(folder)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_changed_range_proof_is_refused(side: str, folder: Path) -> None:
    proof = json.loads((folder / "manifest.json").read_text())["range_proof"]
    proof[side][0] = encode_base64(bytes(32))
    change_manifest(folder, range_proof=proof)
    assert "do not lead to the root the log signed" in refused(folder)


def test_a_newline_moved_from_body_to_header_is_refused(folder: Path) -> None:
    """The leaf's bytes, and so its hash, would be the same."""

    def shift(lines: list[Line]) -> list[Line]:
        line = line_of(lines, 42)
        header, body = line["header"], line["body"]
        line.update(header=f"{header}\n{body[:5]}", body=body[5:])
        return lines

    change_entries(folder, shift)
    assert "Entry 42 does not fit: its line has not the parts that an entry has." in refused(folder)


@pytest.mark.parametrize("extra", [{"note": "x"}, {"body_base64": "e30="}, {"inclusion": []}])
def test_an_entry_with_anything_beside_its_parts_is_refused(extra: Line, folder: Path) -> None:
    change_entries(folder, lambda lines: [lines[0], {**lines[1], **extra}, *lines[2:]])
    assert "Entry 41 does not fit: its line has not the parts that an entry has." in refused(folder)


def change_checkpoints(folder: Path, change: Callable[[list[str]], list[str]]) -> None:
    path = folder / "checkpoints.txt"
    path.write_text("\n".join(change(list(split_checkpoint_notes(path.read_text())))))
    reseal(folder)


def test_a_checkpoint_signed_by_another_key_is_refused(folder: Path, log: MemoryLog) -> None:
    stranger = SignerKey.from_seed(SIGNER.name, bytes(32))
    forged = sign_checkpoint(log.tree.frontier.head(), stranger).decode()
    change_checkpoints(folder, lambda notes: [*notes[:-1], forged])
    assert "Checkpoint 3 does not fit" in refused(folder)


def test_a_checkpoint_with_another_root_is_refused(folder: Path) -> None:
    change_checkpoints(folder, lambda notes: [notes[0].replace("30\n", "31\n"), *notes[1:]])
    assert "Checkpoint 1 does not fit: the log's key did not sign this text." in refused(folder)


def test_a_signed_checkpoint_of_a_rewritten_log_is_refused(folder: Path) -> None:
    """Even the holder of the key cannot make a rewritten log extend what was signed before."""
    rewritten = MemoryLog()
    rewritten.play(49)
    rewritten.record(rewritten.entries[0])
    rewritten.sign()
    proof = [encode_base64(one) for one in rewritten.prove_consistency(30, 50)]
    change_lines(folder, "consistency.ndjson", lambda lines: [{**lines[0], "proof": proof}, lines[1]])
    change_checkpoints(folder, lambda notes: [notes[0], rewritten.checkpoints[0].decode(), notes[2]])
    assert "The checkpoint of 100 entries is not shown to extend the one of 50" in refused(folder)


def test_a_whole_rewritten_log_is_caught_by_a_checkpoint_kept_from_earlier(log: MemoryLog, tmp_path: Path) -> None:
    rewritten = MemoryLog()
    rewritten.play(25)
    rewritten.record(rewritten.entries[0])
    for rounds in (4, 20, 50):
        rewritten.play(rounds)
        rewritten.sign()
    rewritten.write_range(tmp_path / "evidence", 40, 60)
    kept = tmp_path / "kept.txt"
    kept.write_bytes(log.checkpoints[1])
    assert inspect(tmp_path / "evidence").status == 0
    words = refused(tmp_path / "evidence", "--seen", str(kept))
    assert "This log does not lead to the checkpoint you kept, of 50 entries." in words


def test_a_kept_checkpoint_within_the_range_is_held_against_the_entries(tmp_path: Path) -> None:
    log, other = MemoryLog(), MemoryLog()
    log.play(60)
    log.sign()
    log.write_range(tmp_path / "evidence", 0, 60)
    other.play(9)
    other.record(other.entries[0])
    other.sign()
    kept = tmp_path / "kept.txt"
    kept.write_bytes(other.checkpoints[0])
    assert "Entries 0 to 9 do not lead to the root" in refused(tmp_path / "evidence", "--seen", str(kept))


def test_a_kept_checkpoint_that_cannot_be_compared_is_not_passed_over(selection: Path, tmp_path: Path) -> None:
    other = MemoryLog()
    other.play(7)
    other.sign()
    (tmp_path / "kept.txt").write_bytes(other.checkpoints[0])
    status, words = inspect(selection, "--seen", str(tmp_path / "kept.txt"))
    assert (status, "everything fits" in words) == (1, False)
    assert "NOT SHOWN: This evidence does not reach the checkpoint you kept, of 7 entries" in words


def test_consistency_proofs_cannot_be_left_out_or_added(folder: Path, tmp_path: Path) -> None:
    other = shutil.copytree(folder, tmp_path / "other")
    change_lines(folder, "consistency.ndjson", lambda lines: lines[:-1])
    change_lines(other, "consistency.ndjson", lambda lines: [*lines, lines[-1]])
    for one in (folder, other):
        reseal(one)
    assert "consistency.ndjson" in refused(folder)
    assert "not those that manifest.json describes" in refused(other)


def test_a_changed_pack_is_named(folder: Path) -> None:
    (folder / "packs" / "nsw-sic-bo@1.toml").write_bytes(b"other")
    assert "packs/nsw-sic-bo@1.toml was changed" in refused(folder)


def test_a_wholly_forged_folder_shows_another_key(folder: Path) -> None:
    """Everything is consistent in itself.

    Only the inspector's own key reveals it, so the verifier asks to compare it.
    """
    stranger = SignerKey.from_seed(SIGNER.name, bytes(32))
    change_checkpoints(
        folder, lambda notes: [sign_note(note.partition("\n\n")[0] + "\n", [stranger]).decode() for note in notes]
    )
    change_manifest(folder, verifier_key=str(stranger.verifier))
    assert "compare this key" in inspect(folder).words
    assert "not signed with the key you gave" in refused(folder, "--key", str(SIGNER.verifier))
