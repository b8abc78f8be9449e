"""The proof of an entry, step by step; a tampered entry fails at the step that shows what was done."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from rounds.ledger.proofs.entry_proof import leaf_bytes_of, make_proof_file, newest_checkpoints, prove_entry
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.ledger.storage import get_log, inclusion_proof
from rounds.transparency_log.formats.tlog_proof import TlogProof
from rounds.transparency_log.tree.merkle import inclusion_path
from tests.rounds.ledger import harbour_log, superuser_attacks

HASHED, WALKED, COMPARED, SIGNED = range(4)


def verdicts(index: int) -> list[bool]:
    return [step.fits for step in prove_entry("harbour", index)]


@pytest.mark.parametrize("size", [1, 2, 3, 255, 256, 257, 600])
def test_every_entry_of_a_log_of_any_size_fits(log: str, size: int) -> None:
    harbour_log.play(size)
    harbour_log.sign()
    for index in {0, 1, size // 2, size - 2, size - 1} & set(range(size)):
        assert verdicts(index) == [True] * 4


def test_the_steps_show_what_anybody_can_compute(log: str) -> None:
    """Three entries: the root is H(H(0, 1), 2), computed here from the bytes alone."""
    harbour_log.play(3)
    harbour_log.sign()
    leaves = [sha256(b"\0" + leaf_bytes_of(entry)).digest() for entry in read_entries(log, 0, 3)]
    pair = sha256(b"\1" + leaves[0] + leaves[1]).digest()
    root = sha256(b"\1" + pair + leaves[2]).digest()
    hashed, walked, compared, signed = prove_entry(log, 1)
    assert dict(hashed.facts)["SHA-256 of a zero byte and these bytes"] == leaves[1].hex()
    assert dict(hashed.facts)["Hash recorded with the entry"] == leaves[1].hex()
    assert [(one.start, one.last, one.is_left, one.sibling, one.node) for one in walked.path] == [
        (0, 0, True, leaves[0], pair),
        (2, 2, False, leaves[2], root),
    ]
    assert dict(compared.facts) == {"Root computed": root.hex(), "Root signed, of 3 entries": root.hex()}
    assert dict(signed.facts)["Key"] == "ledger.example/harbour"
    assert dict(signed.facts)["Verifier key"] == str(verifier_key_for(log))


def test_an_entry_newer_than_the_last_checkpoint_cannot_be_checked_yet(log: str) -> None:
    harbour_log.play(2)
    assert [(step.title, step.fits) for step in prove_entry(log, 1)] == [("Checkpoint", False)]
    harbour_log.sign()
    harbour_log.play(1, first=2)
    assert [(step.title, step.fits) for step in prove_entry(log, 2)] == [("Checkpoint", False)]
    assert make_proof_file(log, 2) is None
    assert make_proof_file(log, 1) is not None


def forge_the_checkpoint_of_601() -> None:
    superuser_attacks.forge_a_checkpoint()


@pytest.mark.parametrize(
    ("deed", "steps", "words"),
    [
        (superuser_attacks.edit_a_body, [False], "the entry was changed after it was recorded"),
        (superuser_attacks.change_a_time, [False], "the entry was changed after it was recorded"),
        (
            superuser_attacks.delete_an_entry,
            [False],
            "Entry 300 is missing: a checkpoint covers it, and it is not there",
        ),
        (superuser_attacks.edit_a_body_and_its_hash, [True, True, False], "is not what it was when the log was signed"),
        (superuser_attacks.put_another_in_its_place, [True, True, False], "is not what it was when the log was signed"),
        (superuser_attacks.swap_two, [True, True, False], "is not what it was when the log was signed"),
    ],
)
def test_a_tampered_entry_fails_at_the_step_that_tells(
    committed_log: str, tmp_path: Path, deed: Callable[[], None], steps: list[bool], words: str
) -> None:
    superuser_attacks.record_harbour(tmp_path)
    assert verdicts(300) == [True] * 4
    deed()
    assert verdicts(300) == steps
    assert words in prove_entry("harbour", 300)[-1].words


def test_a_checkpoint_that_another_key_signed_fails_the_last_step(committed_log: str, tmp_path: Path) -> None:
    superuser_attacks.record_harbour(tmp_path)
    with harbour_log.unguarded() as admin:
        row = admin.execute("SELECT note FROM ledger_checkpoint WHERE size = 601").fetchone()
        assert row is not None
        text, _, signature = bytes(row[0]).rpartition(b" ")
        swapped = signature.swapcase()
        admin.execute("UPDATE ledger_checkpoint SET note = %s WHERE size = 601", [text + b" " + swapped])
    assert verdicts(300)[:3] == [True] * 3
    assert verdicts(300)[3:] == [False]


def test_a_tree_with_a_gap_is_told(committed_log: str, tmp_path: Path) -> None:
    superuser_attacks.record_harbour(tmp_path)
    with harbour_log.unguarded() as admin:
        admin.execute("DELETE FROM ledger_tile WHERE level = 0 AND index = 1")
    steps = prove_entry("harbour", 300)
    assert [step.fits for step in steps] == [True, False]
    assert "The stored tree has a gap" in steps[-1].words


def test_the_proof_file_convinces_its_own_reader(log: str) -> None:
    harbour_log.play(300)
    harbour_log.sign()
    [entry] = read_entries(log, 17, 18)
    proof = TlogProof.parse(make_proof_file(log, 17) or b"")
    checkpoint = proof.verify(entry.leaf_sha256, verifier_key_for(log))
    assert (proof.index, checkpoint.head.size) == (17, 300)


def test_a_path_of_the_wrong_length_is_refused(log: str) -> None:
    harbour_log.play(5)
    proof = inclusion_proof(get_log(log), 2, 5)
    with pytest.raises(ValueError, match="This proof must have 3 hashes and has 2"):
        inclusion_path(b"\0" * 32, 2, 5, proof[:-1])


def test_every_log_comes_with_its_newest_checkpoint(log: str) -> None:
    harbour_log.opened("marina")
    harbour_log.play(2)
    harbour_log.sign()
    harbour_log.play(3, first=2)
    harbour_log.sign()
    found = newest_checkpoints()
    assert found["harbour"] is not None
    assert (found["harbour"].head.size, found["marina"]) == (5, None)
