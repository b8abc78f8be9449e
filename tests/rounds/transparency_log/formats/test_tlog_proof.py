"""Proof of one entry as a text file: exact lines, round trip, and refusal of malformed files."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rounds.transparency_log.errors import LedgerError, NoteError
from rounds.transparency_log.formats.signed_note import encode_base64
from rounds.transparency_log.formats.tlog_proof import TlogProof
from rounds.transparency_log.tree.tiles import inclusion_proof
from tests.rounds.transparency_log.memory_log import SIGNER, MemoryLog


def proof_of(index: int, rounds: int, extra: bytes = b"") -> tuple[TlogProof, bytes]:
    log = MemoryLog()
    log.play(rounds)
    log.sign()
    hashes = tuple(inclusion_proof(log.tree.read(), index, rounds))
    return TlogProof(index, hashes, log.checkpoints[0], extra), log.entries[index].leaf_hash


def test_the_file_has_exactly_these_lines() -> None:
    proof = TlogProof(10, (bytes(32),), b"checkpoint\n", b"extra information")
    assert proof.to_bytes() == (
        b"c2sp.org/tlog-proof@v1\n"
        b"extra ZXh0cmEgaW5mb3JtYXRpb24=\n"
        b"index 10\n"
        b"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"
        b"\n"
        b"checkpoint\n"
    )
    assert TlogProof(0, (), b"checkpoint\n").to_bytes() == b"c2sp.org/tlog-proof@v1\nindex 0\n\ncheckpoint\n"


@pytest.mark.parametrize(("index", "rounds", "extra"), [(0, 1, b""), (0, 2, b"x"), (41, 300, b""), (299, 300, b"yy")])
def test_a_written_proof_is_read_back_and_proves_its_entry(index: int, rounds: int, extra: bytes) -> None:
    proof, leaf = proof_of(index, rounds, extra)
    read = TlogProof.parse(proof.to_bytes())
    assert read == proof
    assert read.verify(leaf, SIGNER.verifier).head.size == rounds
    with pytest.raises(LedgerError):
        read.verify(bytes(32), SIGNER.verifier)


@pytest.mark.parametrize(
    "file",
    [
        b"",
        b"c2sp.org/tlog-proof@v2\nindex 0\n\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\n\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\nindex 0\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\nindex 01\n\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\nindex -1\n\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\nindex \n\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\nindex 0\nextra eA==\n\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\nextra \nindex 0\n\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\nextra e\nindex 0\n\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\nindex 0\nAAAA\n\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\r\nindex 0\r\n\r\ncheckpoint\r\n",
        "c2sp.org/tlog-proof@v1\nindex 0\né\n\ncheckpoint\n".encode(),
    ],
)
def test_a_malformed_file_is_refused(file: bytes) -> None:
    with pytest.raises(NoteError):
        TlogProof.parse(file)


def test_a_proof_moved_to_another_index_is_refused() -> None:
    proof, leaf = proof_of(4, 9)
    moved = proof.to_bytes().replace(b"index 4\n", b"index 5\n")
    with pytest.raises(LedgerError):
        TlogProof.parse(moved).verify(leaf, SIGNER.verifier)


def test_a_proof_with_one_hash_more_is_refused() -> None:
    proof, leaf = proof_of(4, 9)
    longer = TlogProof(4, (*proof.hashes, bytes(32)), proof.checkpoint)
    assert encode_base64(bytes(32)).encode() in longer.to_bytes()
    with pytest.raises(LedgerError):
        TlogProof.parse(longer.to_bytes()).verify(leaf, SIGNER.verifier)


PROOF, LEAF = proof_of(41, 300)


@settings(max_examples=200)
@given(st.integers(0, len(PROOF.to_bytes()) * 8 - 1))
def test_one_flipped_bit_anywhere_is_refused(bit: int) -> None:
    file = PROOF.to_bytes()
    flipped = (int.from_bytes(file, "big") ^ (1 << bit)).to_bytes(len(file), "big")
    with pytest.raises(LedgerError):
        TlogProof.parse(flipped).verify(LEAF, SIGNER.verifier)
