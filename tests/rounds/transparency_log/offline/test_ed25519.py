"""The offline verifier's own Ed25519: test vectors of RFC 8032, and agreement with the library that signs."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from rounds.transparency_log.offline.ed25519 import ORDER, P, ed25519_accepts

# RFC 8032, 7.1: public key, message, signature.
VECTORS = {
    "TEST 1": (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    "TEST 2": (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    "TEST 3": (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    "TEST SHA(abc)": (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
}
SIGNER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC_KEY = SIGNER.public_key().public_bytes_raw()


@pytest.mark.parametrize("name", VECTORS)
def test_the_published_signatures_are_accepted(name: str) -> None:
    key, message, signature = map(bytes.fromhex, VECTORS[name])
    assert ed25519_accepts(key, message, signature)
    assert not ed25519_accepts(key, message + b"x", signature)


def test_the_other_spelling_of_a_signature_is_refused() -> None:
    """s and s + L satisfy the same equation; RFC 8032 allows only the smaller."""
    signature = SIGNER.sign(b"round")
    s = int.from_bytes(signature[32:], "little")
    assert ed25519_accepts(PUBLIC_KEY, b"round", signature)
    assert not ed25519_accepts(PUBLIC_KEY, b"round", signature[:32] + (s + ORDER).to_bytes(32, "little"))


@pytest.mark.parametrize(
    "key",
    [
        b"",
        PUBLIC_KEY[:31],
        PUBLIC_KEY + b"\x00",
        (2).to_bytes(32, "little"),
        (P + 1).to_bytes(32, "little"),
        b"\xff" * 32,
    ],
    ids=["empty", "short", "long", "not on the curve", "not reduced", "all ones"],
)
def test_what_is_no_key_accepts_nothing(key: bytes) -> None:
    assert not ed25519_accepts(key, b"round", SIGNER.sign(b"round"))


def test_a_key_that_is_not_reduced_is_refused_even_where_the_equation_holds() -> None:
    """Under the neutral point every s*B signs everything; y = 1 is its encoding, y = p + 1 must not become another."""
    base_point, one = bytes.fromhex("58" + "66" * 31), (1).to_bytes(32, "little")
    assert not ed25519_accepts((P + 1).to_bytes(32, "little"), b"round", base_point + one)


@pytest.mark.parametrize("length", [0, 32, 63, 65])
def test_a_signature_of_another_length_is_refused(length: int) -> None:
    assert not ed25519_accepts(PUBLIC_KEY, b"round", (SIGNER.sign(b"round") + b"\x00")[:length])


@settings(max_examples=40, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200), st.integers(0, 511))
def test_it_accepts_what_the_library_signs_and_no_flipped_bit(seed: bytes, message: bytes, bit: int) -> None:
    signer = Ed25519PrivateKey.from_private_bytes(seed)
    key, signature = signer.public_key().public_bytes_raw(), signer.sign(message)
    assert ed25519_accepts(key, message, signature)
    flipped = (int.from_bytes(signature, "big") ^ (1 << bit)).to_bytes(64, "big")
    assert not ed25519_accepts(key, message, flipped)
