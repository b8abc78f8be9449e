"""Independent check of our notes: implemented from the C2SP texts with hashlib and Ed25519, without our code.

signed-note, tlog-checkpoint and RFC 6962 as a third party would implement them; and a note made by Go, read by us.
"""

import base64
from hashlib import sha256

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from rounds.ledger.proofs.entry_proof import leaf_bytes_of, make_proof_file
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.transparency_log.formats.signed_note import VerifierKey, open_note
from tests.rounds.ledger import harbour_log

# From the documentation of golang.org/x/mod/sumdb/note: a key and a note that Go's implementation made.
GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)


def strangers_key(text: str) -> tuple[str, bytes, bytes]:
    """signed-note: name+hash+base64(type ‖ key); hash is the first four bytes of SHA-256(name ‖ 0x0A ‖ type ‖ key)."""
    name, key_hash, encoded = text.split("+", 2)
    raw = base64.b64decode(encoded, validate=True)
    assert raw[0] == 0x01
    assert sha256(name.encode() + b"\n" + raw).digest()[:4].hex() == key_hash
    return name, bytes.fromhex(key_hash), raw[1:]


def strangers_open(note: bytes, key: str) -> tuple[str, int, bytes]:
    """tlog-checkpoint: origin, size, base64 of the root; then a blank line and the signatures over all before it."""
    name, key_hash, public_key = strangers_key(key)
    text, signatures = note[: note.rindex(b"\n\n") + 1], note[note.rindex(b"\n\n") + 2 :]
    [line] = [line for line in signatures.decode().splitlines() if line.startswith(f"— {name} ")]
    raw = base64.b64decode(line.split(" ")[2], validate=True)
    assert raw[:4] == key_hash
    Ed25519PublicKey.from_public_bytes(public_key).verify(raw[4:], text)
    origin, size, root, *rest = text.decode().splitlines()
    assert rest == []
    return origin, int(size), base64.b64decode(root, validate=True)


def strangers_root(leaves: list[bytes]) -> bytes:
    """RFC 6962, 2.1, word for word."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return sha256(b"\0" + leaves[0]).digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\1" + strangers_root(leaves[:split]) + strangers_root(leaves[split:])).digest()


@pytest.mark.parametrize("entries", [0, 1, 7, 64, 300])
def test_a_stranger_accepts_our_checkpoint_and_finds_our_root(log: str, entries: int) -> None:
    harbour_log.play(entries)
    note = harbour_log.sign()
    origin, size, root = strangers_open(note, str(verifier_key_for(log)))
    assert (origin, size) == ("ledger.example/harbour", entries)
    assert root == strangers_root([leaf_bytes_of(entry) for entry in read_entries(log, 0, entries)])


def test_a_stranger_refuses_it_with_one_bit_changed(log: str) -> None:
    harbour_log.play(7)
    note = harbour_log.sign().replace(b"\n7\n", b"\n8\n")
    with pytest.raises(InvalidSignature):
        strangers_open(note, str(verifier_key_for(log)))


def test_a_stranger_follows_our_proof_file_to_the_root(log: str) -> None:
    """tlog-proof: its first line, the index, the hashes from the leaf up, a blank line, the checkpoint."""
    harbour_log.play(7)
    harbour_log.sign()
    [entry] = read_entries(log, 5, 6)
    head, note = (make_proof_file(log, 5) or b"").split(b"\n\n", 1)
    first, index, *hashes = head.decode().splitlines()
    assert (first, index) == ("c2sp.org/tlog-proof@v1", "index 5")
    beside, pair, left = (base64.b64decode(one) for one in (hashes[0], hashes[1], hashes[2]))
    # Seven leaves: 5 stands right of 4, that pair left of 6, and those three right of 0 to 3.
    node = sha256(b"\1" + beside + sha256(b"\0" + leaf_bytes_of(entry)).digest()).digest()
    node = sha256(b"\1" + node + pair).digest()
    assert sha256(b"\1" + left + node).digest() == strangers_open(note, str(verifier_key_for(log)))[2]


def test_we_accept_what_a_stranger_signed() -> None:
    key = VerifierKey.parse(GO_KEY)
    assert strangers_key(GO_KEY)[0] == key.name == "PeterNeumann"
    text, signed_by = open_note(GO_NOTE.encode(), [key])
    assert text.startswith("If you think cryptography")
    assert signed_by == (key,)
