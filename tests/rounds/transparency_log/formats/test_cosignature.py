"""Cosignatures of third-party witnesses, read by us; and ours, checked by an independent implementation."""

import base64
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from rounds.transparency_log.errors import NoteError
from rounds.transparency_log.formats.cosignature import (
    Disagreement,
    WitnessKey,
    cosign_note,
    cosigned_at,
    verified_cosignatures,
    witness_key_of,
)
from rounds.transparency_log.formats.signed_note import (
    Checkpoint,
    SignerKey,
    VerifierKey,
    open_note,
    sign_checkpoint,
    sign_note,
)
from tests.rounds.transparency_log.memory_log import SIGNER, MemoryTree

# A public log's checkpoint with the cosignatures of four third-party witnesses.
LOG_KEY = "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f"
WITNESSES = (
    "transparency.dev/DEV:witness-little-garden+d8042a87+BCtusOxINQNUTN5Oj8HObRkh2yHf/MwYaGX4CPdiVEPM",
    "witness1.smartit.nu/witness1+a48c820f+BPSFWg9G6KPiO7QPryYO5Xq4oYJJ+kAvLKLSimDhoxMO",
    "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2",
    "witness.stagemole.eu+67f7aea0+BEqSG3yu9YrmcM3BHvQYTxwFj3uSWakQepafafpUqklv",
)
COSIGNED = """\
arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
— arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
— transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/KYTzwZ2rhIgcqoXHAwVkjZr4AscylP3v7sEodkRAErumC2q44vdgJY096st5BQ==
— witness1.smartit.nu/witness1 pIyCDwAAAABqEiEghIp82KWebrw7/oHQwlTAm3g2RKS4+eebl8eO0WH+/iEcxZ75W3u5hNI7TOQtmJbqmNWVuE0tgh0XwzdZsDsUAQ==
— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
— witness.stagemole.eu Z/euoAAAAABqEiEgw0i+7g2ENfDAWHmtRzCfKTHSDwYDJA2NmKeGi9Y8FtEyOUvVr+AJmIY/2TUFucgKi7lI7cUiOvKFYe/TmN9DAg==
"""  # noqa: E501
COSIGNED_AT = 0x6A122120
WITNESS = SignerKey.from_seed("inspectorate.example/witness", bytes(range(1, 33)))
AT = 1_790_000_000


def note_of(entries: int = 7) -> bytes:
    return sign_checkpoint(MemoryTree([bytes([number]) for number in range(entries)]).frontier.head(), SIGNER)


def text_of(note: bytes) -> str:
    return note.decode().rpartition("\n\n")[0] + "\n"


def test_we_accept_what_the_witnesses_of_a_public_log_signed() -> None:
    keys = [WitnessKey.parse(key) for key in WITNESSES]
    assert tuple(str(key) for key in keys) == WITNESSES
    found = verified_cosignatures(COSIGNED.encode(), keys)
    assert [one.key for one in found] == keys
    assert {one.at for one in found} == {COSIGNED_AT}
    assert all(one.line in COSIGNED for one in found)
    text, signed_by = open_note(COSIGNED.encode(), [VerifierKey.parse(LOG_KEY), *keys])
    assert len(signed_by) == 5
    assert Checkpoint.parse(text, text.partition("\n")[0]).head.size == 1432088532


@pytest.mark.parametrize("changed", [("1432088532", "1432088533"), ("U7WM", "U7WN")])
def test_one_that_covers_another_text_counts_as_none(changed: tuple[str, str]) -> None:
    keys = [WitnessKey.parse(key) for key in WITNESSES]
    assert verified_cosignatures(COSIGNED.replace(*changed).encode(), keys) == []


def test_a_stranger_accepts_ours() -> None:
    """From the text of tlog-cosignature, with hashlib and Ed25519 alone."""
    note = note_of()
    line = cosign_note(text_of(note), WITNESS, AT)
    start, name, encoded = line.removesuffix("\n").split(" ")
    raw = base64.b64decode(encoded, validate=True)
    public_key = WITNESS.private_key.public_key().public_bytes_raw()
    assert (start, name) == ("—", "inspectorate.example/witness")
    assert len(raw) == 4 + 8 + 64
    assert raw[:4] == sha256(name.encode() + b"\n\x04" + public_key).digest()[:4]
    assert raw[4:12] == AT.to_bytes(8, "big")
    signed = b"cosignature/v1\ntime 1790000000\n" + note[: note.rindex(b"\n\n") + 1]
    Ed25519PublicKey.from_public_bytes(public_key).verify(raw[12:], signed)
    assert str(witness_key_of(WITNESS)).split("+", 2)[1:] == [
        raw[:4].hex(),
        base64.b64encode(b"\x04" + public_key).decode(),
    ]


def test_a_cosigned_checkpoint_is_still_the_logs() -> None:
    note = note_of()
    cosigned = note + cosign_note(text_of(note), WITNESS, AT).encode()
    assert open_note(cosigned, [SIGNER.verifier])[1] == (SIGNER.verifier,)
    assert open_note(cosigned, [SIGNER.verifier, witness_key_of(WITNESS)])[1] == (
        SIGNER.verifier,
        witness_key_of(WITNESS),
    )


def test_another_time_or_a_key_of_another_kind_is_not_accepted() -> None:
    note = note_of()
    line = cosign_note(text_of(note), WITNESS, AT)
    name, encoded = line.split(" ")[1:]
    raw = bytearray(base64.b64decode(encoded))
    raw[11] ^= 1
    later = f"— {name} {base64.b64encode(bytes(raw)).decode()}\n"
    assert len(verified_cosignatures(note + line.encode(), [witness_key_of(WITNESS)])) == 1
    assert verified_cosignatures(note + later.encode(), [witness_key_of(WITNESS)]) == []
    with pytest.raises(NoteError, match="not the key of a witness"):
        WitnessKey.parse(str(WITNESS.verifier))
    with pytest.raises(NoteError, match="not an Ed25519 key"):
        VerifierKey.parse(str(witness_key_of(WITNESS)))
    with pytest.raises(NoteError, match="None of the known keys"):
        open_note(note + line.encode(), [WITNESS.verifier])


@pytest.mark.parametrize("signature", [bytes(71), bytes(73), b"\x80" + bytes(71), b""])
def test_what_cannot_be_one_has_no_time(signature: bytes) -> None:
    assert cosigned_at(bytes(72)) == 0
    assert cosigned_at(signature) is None


def test_a_disagreement_carries_both_checkpoints_and_is_no_cosignature() -> None:
    said = Disagreement(SIGNER.name, AT, "not-extended", note_of(7), note_of(9))
    note = said.sign(WITNESS)
    assert Disagreement.open(note, witness_key_of(WITNESS)) == said
    assert verified_cosignatures(note, [witness_key_of(WITNESS)]) == []
    other = SignerKey.from_seed(WITNESS.name, bytes(32))
    with pytest.raises(NoteError):
        Disagreement.open(note, witness_key_of(other))
    for wrong in ("reason because", "reason "):
        changed = said.text().replace("reason not-extended", wrong)
        with pytest.raises(NoteError):
            Disagreement.open(sign_text(changed), witness_key_of(WITNESS))
    with pytest.raises(NoteError, match="not a statement"):
        Disagreement.open(sign_text(text_of(note_of())), witness_key_of(WITNESS))


def sign_text(text: str) -> bytes:
    return sign_note(text, [WITNESS])
