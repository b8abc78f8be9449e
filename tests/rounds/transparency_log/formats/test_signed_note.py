"""Signed notes and checkpoints: the published example, exact bytes, and malformed variants, which are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rounds.transparency_log.errors import NoteError
from rounds.transparency_log.formats.signed_note import (
    Checkpoint,
    SignerKey,
    VerifierKey,
    open_checkpoint,
    open_note,
    sign_checkpoint,
    sign_note,
)
from rounds.transparency_log.tree.merkle import EMPTY_ROOT, TreeHead

EXAMPLE_KEY = VerifierKey.parse("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k")
EXAMPLE_TEXT = "This is an example message.\n"
EXAMPLE_SIGNATURE = "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM="
EXAMPLE_LINE = f"\u2014 example.com/foo {EXAMPLE_SIGNATURE}\n"
EXAMPLE = f"{EXAMPLE_TEXT}\n{EXAMPLE_LINE}".encode()

HARBOUR = SignerKey.from_seed("ledger.example/harbour", bytes(range(32)))
WITNESS = SignerKey.from_seed("witness.example/w1", bytes(32))
HEAD = TreeHead(20_852_163, bytes.fromhex("0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62"))


def refusal(note: bytes, *keys: VerifierKey) -> str:
    with pytest.raises(NoteError) as refused:
        open_note(note, keys)
    return refused.value.code


def test_the_published_example_is_accepted() -> None:
    assert open_note(EXAMPLE, [EXAMPLE_KEY]) == (EXAMPLE_TEXT, (EXAMPLE_KEY,))
    assert EXAMPLE_KEY.key_id.hex() == "530d903a"
    assert str(EXAMPLE_KEY) == "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"


def test_another_text_under_the_same_signature_is_refused() -> None:
    assert refusal(EXAMPLE.replace(b"example message", b"exemple message"), EXAMPLE_KEY) == "bad-signature"


def test_lines_of_unknown_keys_are_passed_over() -> None:
    note = sign_note("a sentence\n", [WITNESS, HARBOUR])
    assert open_note(note, [HARBOUR.verifier]) == ("a sentence\n", (HARBOUR.verifier,))
    assert refusal(note, EXAMPLE_KEY) == "not-signed"
    assert refusal(note) == "not-signed"


def test_a_key_with_only_the_name_or_only_the_id_of_a_known_one_is_unknown() -> None:
    namesake = SignerKey.from_seed(HARBOUR.name, bytes(32))
    assert refusal(sign_note("a sentence\n", [namesake]), HARBOUR.verifier) == "not-signed"
    note = sign_note("a sentence\n", [HARBOUR]).replace(b"/harbour ", b"/marina ")
    assert refusal(note, HARBOUR.verifier) == "not-signed"


def test_one_wrong_signature_of_a_known_key_refuses_the_note() -> None:
    good, other = sign_note("one\n", [HARBOUR]), sign_note("two\n", [WITNESS])
    mixed = good + other.split(b"\n\n")[1]
    assert open_note(mixed, [HARBOUR.verifier])[0] == "one\n"
    assert refusal(mixed, HARBOUR.verifier, WITNESS.verifier) == "bad-signature"


def test_the_same_signature_twice_is_refused() -> None:
    assert refusal(EXAMPLE + EXAMPLE_LINE.encode(), EXAMPLE_KEY) == "repeated-signature"


def test_the_text_may_hold_blank_lines() -> None:
    note = sign_note("first\n\nsecond\n", [HARBOUR])
    assert open_note(note, [HARBOUR.verifier])[0] == "first\n\nsecond\n"


@pytest.mark.parametrize(
    "note",
    [
        b"",
        b"\n\n",
        EXAMPLE[:-1],
        EXAMPLE + b"\n",
        EXAMPLE + b"x\n",
        EXAMPLE_TEXT.encode() + EXAMPLE_LINE.encode(),
        b"\n" + EXAMPLE_LINE.encode(),
        EXAMPLE.replace(b"\n", b"\r\n"),
        EXAMPLE.replace(b"example message", b"example\tmessage"),
        EXAMPLE.replace(b"example message", b"example \xff message"),
        EXAMPLE.replace("\u2014".encode(), b"-"),
        EXAMPLE.replace(b"aQM=", b"aQM"),
        EXAMPLE.replace(b"aQM=", b"aQN="),
        EXAMPLE.replace(b"aQM=", b"a_M="),
        EXAMPLE.replace(b"aQM=", b"aQM= "),
        EXAMPLE.replace(b"com/foo ", b"com/foo  "),
        EXAMPLE.replace(b"\xe2\x80\x94 example.com/foo ", b"\xe2\x80\x94  "),
        EXAMPLE_TEXT.encode() + b"\n" + "\u2014 example.com/foo AAAA\n".encode(),
        EXAMPLE_TEXT.encode() + b"\n" + EXAMPLE_LINE.encode() * 101,
        b"x" * 1_000_001,
    ],
)
def test_a_malformed_note_is_refused(note: bytes) -> None:
    assert refusal(note, EXAMPLE_KEY) in {"bad-note", "bad-base64", "bad-key-name"}


@pytest.mark.parametrize(
    "key",
    [
        "",
        "example.com/foo",
        "example.com/foo+530d903a",
        "example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/bar+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+AukyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U0=",
        "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k\n",
        "example com+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    ],
)
def test_a_malformed_key_is_refused(key: str) -> None:
    with pytest.raises(NoteError):
        VerifierKey.parse(key)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\u2003b", "a\nb", "a\x00b"])
def test_a_key_may_not_have_such_a_name(name: str) -> None:
    with pytest.raises(NoteError):
        SignerKey.from_seed(name, bytes(32))


def test_a_checkpoint_has_exactly_these_bytes() -> None:
    """Ed25519 signatures are deterministic, so the whole note is known;
    size and root are the specification's example.
    """
    note = sign_checkpoint(HEAD, HARBOUR)
    text, _, signature = note.partition(b"\n\n")
    assert text + b"\n" == (b"ledger.example/harbour\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n")
    assert signature.decode().startswith("\u2014 ledger.example/harbour ")
    assert open_checkpoint(note, HARBOUR.verifier) == Checkpoint("ledger.example/harbour", HEAD)


def test_a_checkpoint_of_an_empty_log() -> None:
    note = sign_checkpoint(TreeHead(0, EMPTY_ROOT), HARBOUR)
    assert open_checkpoint(note, HARBOUR.verifier).head.size == 0
    with pytest.raises(NoteError):
        sign_checkpoint(TreeHead(0, bytes(32)), HARBOUR)


def test_a_witness_may_sign_beside_the_log_but_not_instead_of_it() -> None:
    text = Checkpoint(HARBOUR.name, HEAD).text()
    assert open_checkpoint(sign_note(text, [HARBOUR, WITNESS]), HARBOUR.verifier).head == HEAD
    with pytest.raises(NoteError):
        open_checkpoint(sign_note(text, [WITNESS]), HARBOUR.verifier)


def test_the_log_of_another_origin_is_refused() -> None:
    note = sign_note(Checkpoint("ledger.example/marina", HEAD).text(), [HARBOUR])
    with pytest.raises(NoteError) as refused:
        open_checkpoint(note, HARBOUR.verifier)
    assert refused.value.code == "other-origin"


ROOT = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="


@pytest.mark.parametrize(
    "text",
    [
        "ledger.example/harbour\n5\n",
        f"ledger.example/harbour\n5\n{ROOT}\n\n",
        f"ledger.example/harbour\n\n5\n{ROOT}\n",
        f"ledger.example/harbour\n05\n{ROOT}\n",
        f"ledger.example/harbour\n00\n{ROOT}\n",
        f"ledger.example/harbour\n-5\n{ROOT}\n",
        f"ledger.example/harbour\n+5\n{ROOT}\n",
        f"ledger.example/harbour\n 5\n{ROOT}\n",
        f"ledger.example/harbour\n5 \n{ROOT}\n",
        f"ledger.example/harbour\n٥\n{ROOT}\n",
        f"ledger.example/harbour\n5_0\n{ROOT}\n",
        f"ledger.example/harbour\n9223372036854775808\n{ROOT}\n",
        f"ledger.example/harbour\n{'9' * 400}\n{ROOT}\n",
        f"ledger.example/harbour\n0\n{ROOT}\n",
        f"ledger.example/harbour\n5\n{ROOT[:-1]}\n",
        f"ledger.example/harbour\n5\n{ROOT[:-2]}J=\n",
        f"ledger.example/harbour\n5\n{ROOT} \n",
        f"ledger.example/harbour\n5\n{ROOT[4:]}\n",
    ],
)
def test_a_signed_but_malformed_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        open_checkpoint(sign_note(text, [HARBOUR]), HARBOUR.verifier)


def test_extension_lines_are_allowed_and_covered_by_the_signature() -> None:
    note = sign_note(f"ledger.example/harbour\n5\n{ROOT}\nextension\n", [HARBOUR])
    assert open_checkpoint(note, HARBOUR.verifier).head.size == 5
    with pytest.raises(NoteError):
        open_checkpoint(note.replace(b"extension", b"Extension"), HARBOUR.verifier)


@given(st.data())
def test_one_flipped_bit_never_yields_another_checkpoint(data: st.DataObject) -> None:
    """A bit may turn the log's own line into an unknown key's, never change what was signed."""
    note = sign_checkpoint(HEAD, HARBOUR)
    bit = data.draw(st.integers(0, len(note) * 8 - 1))
    flipped = (int.from_bytes(note, "big") ^ (1 << bit)).to_bytes(len(note), "big")
    with pytest.raises(NoteError):
        open_checkpoint(flipped, HARBOUR.verifier)
