"""Valid bundles are accepted offline, by a single file, with output that an inspector understands."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from rounds.ledger.errors import BundleError
from rounds.ledger.export.bundle_writer import BundleEntry, BundleSource, WrittenBundle, write_bundle
from rounds.transparency_log.errors import LedgerError
from rounds.transparency_log.formats.leaf import make_leaf
from rounds.transparency_log.offline.single_file_verifiers import BUNDLE_VERIFIER
from rounds.transparency_log.tree.tiles import consistency_proof
from tests.rounds.transparency_log.bundle_tampering import inspect
from tests.rounds.transparency_log.memory_log import OPENED_AT, SIGNER, MemoryLog


@pytest.fixture(scope="module")
def log() -> MemoryLog:
    log = MemoryLog()
    for rounds in (0, 1, 6, 93, 200, 300):
        log.play(rounds)
        log.sign()
    return log


@pytest.mark.parametrize(
    ("start", "end"), [(0, 600), (0, 1), (599, 600), (1, 7), (7, 300), (255, 257), (256, 512), (123, 600), (0, 100)]
)
def test_a_range_is_accepted(start: int, end: int, log: MemoryLog, tmp_path: Path) -> None:
    assert log.write_range(tmp_path, start, end) == WrittenBundle(end - start, start, end, 600)
    status, words = inspect(tmp_path)
    assert status == 0
    assert "Result: everything fits." in words
    assert f"Entries {start} to {end - 1} ({end - start}) are exactly what the log holds at these places" in words
    assert f"{end - start} round." in words
    assert "Checkpoints: 6, each with a valid signature of the log's key." in words


def test_a_selection_is_accepted_and_holds_nothing_else(log: MemoryLog, tmp_path: Path) -> None:
    assert log.write_selection(tmp_path, [3, 4, 299, 599]) == WrittenBundle(4, 3, 600, 600)
    status, words = inspect(tmp_path)
    assert status == 0
    assert "Each of the 4 selected entries is in the log, unaltered, at the place it names." in words
    everything = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.name != "verify_bundle.py")
    assert b"R299" in everything
    assert b"R298" not in everything
    assert not (tmp_path / "leaf-hashes.bin").exists()


def test_it_runs_from_an_empty_folder_with_nothing_but_python(log: MemoryLog, tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "evidence", tmp_path / "empty"
    elsewhere.mkdir()
    log.write_range(folder, 5, 50, packs=[("nsw-sic-bo@1.toml", b"pack"), ("rws.toml", b"pack")])
    command = [sys.executable, "-I", "-S", "../evidence/verify_bundle.py", "../evidence"]
    done = subprocess.run(command, cwd=elsewhere, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Rule packs: 2, each the file that the manifest describes." in done.stdout


def test_it_imports_the_standard_library_only() -> None:
    names = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(ast.parse(BUNDLE_VERIFIER.content))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


def test_the_key_the_inspector_holds_is_compared(log: MemoryLog, tmp_path: Path) -> None:
    log.write_range(tmp_path, 5, 50)
    assert "compare this key with the one the log publishes: ledger.example/harbour+" in inspect(tmp_path).words
    status, words = inspect(tmp_path, "--key", str(SIGNER.verifier))
    assert status == 0
    assert "compare this key" not in words
    status, words = inspect(tmp_path, "--key", "ledger.example/harbour+00000000+AQ==")
    assert status == 1
    assert "The bundle was not signed with the key you gave." in words


def test_a_checkpoint_kept_from_earlier_is_led_to(log: MemoryLog, tmp_path: Path) -> None:
    kept = tmp_path / "kept.txt"
    folder = tmp_path / "evidence"
    log.write_range(folder, 5, 50)
    kept.write_bytes(log.checkpoints[3])
    status, words = inspect(folder, "--seen", str(kept))
    assert status == 0
    assert "The checkpoint you kept, of 100 entries, belongs to this same log." in words


def test_a_checkpoint_within_the_range_need_not_be_in_the_folder(tmp_path: Path) -> None:
    log = MemoryLog()
    log.play(20)
    log.sign()
    kept = tmp_path / "kept.txt"
    kept.write_bytes(log.checkpoints.pop())
    log.play(20)
    log.sign()
    log.write_range(tmp_path / "evidence", 10, 30)
    assert inspect(tmp_path / "evidence", "--seen", str(kept)).status == 0


@pytest.mark.parametrize(("first", "last"), [(20, 30), (30, 40)])
def test_a_genuine_checkpoint_that_the_folder_does_not_reach_is_not_called_a_misfit(
    tmp_path: Path, first: int, last: int
) -> None:
    """From before the entries, or so old that it is not among the bundle's checkpoints: not an error of the entries."""
    log = MemoryLog()
    log.play(20)
    log.sign()
    kept = tmp_path / "kept.txt"
    kept.write_bytes(log.checkpoints.pop())
    log.play(20)
    log.sign()
    log.write_range(tmp_path / "evidence", first, last)
    status, words = inspect(tmp_path / "evidence", "--seen", str(kept))
    assert status == 1, "What was asked for is not shown."
    assert "must not be relied on" not in words
    assert "Result: the entries fit, but do not rely on them before that is shown." in words
    assert "Take a stretch that has entry 19 in it." in words
    log.write_range(tmp_path / "longer", 19, last)
    assert inspect(tmp_path / "longer", "--seen", str(kept)).status == 0


def test_a_body_that_is_not_text_is_carried_exactly(tmp_path: Path) -> None:
    log = MemoryLog()
    log.play(2)
    log.record(make_leaf(log.entries[0].header, b"\xff\x00\n"))
    log.sign()
    log.write_range(tmp_path, 0, 3)
    assert inspect(tmp_path).status == 0
    assert b'"body_base64":"/wAK"' in (tmp_path / "entries.ndjson").read_bytes()


def source() -> BundleSource:
    return BundleSource("Harbour Casino", "harbour", SIGNER.verifier, OPENED_AT)


def test_evidence_is_only_written_where_it_proves_something(log: MemoryLog, tmp_path: Path) -> None:
    entries = [BundleEntry(index, log.entries[index].header, log.entries[index].body) for index in range(10)]

    def write(name: str, chosen: list[BundleEntry], notes: list[bytes]) -> str:
        with pytest.raises(LedgerError) as refused:
            write_bundle(
                tmp_path / name,
                source(),
                entries=chosen,
                checkpoints=notes,
                prove_consistency=lambda first, second: consistency_proof(log.tree.read(), first, second),
            )
        return refused.value.code

    assert write("a", [], log.checkpoints) == "no-entries"
    assert write("b", entries[:2], log.checkpoints) == "no-proof"
    proved = [BundleEntry(one.index, one.header, one.body, ()) for one in entries]
    assert write("c", [proved[1], proved[1]], log.checkpoints) == "out-of-order"
    assert write("d", [proved[9]], log.checkpoints[:3]) == "beyond-checkpoint"
    assert write("e", [proved[1]], log.checkpoints[::-1]) == "sizes-out-of-order"
    assert write("a", [proved[1]], log.checkpoints) == "folder-not-empty"


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "a b"])
def test_a_pack_stays_inside_the_folder(name: str, log: MemoryLog, tmp_path: Path) -> None:
    with pytest.raises(BundleError):
        log.write_range(tmp_path / "evidence", 0, 5, packs=[(name, b"x")])
    assert {path.name for path in tmp_path.iterdir()} == {"evidence"}
