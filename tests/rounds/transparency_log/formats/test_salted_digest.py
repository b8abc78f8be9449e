"""Personal fields are in the ledger only as a salted digest."""

from hashlib import sha256

import pytest

from rounds.transparency_log.errors import LedgerError
from rounds.transparency_log.formats.salted_digests import digest_personal_fields, matches_digest, salted_digest

SALT = bytes(range(32))
PATRON = {"name": "Ana Pérez", "born_on": "1980-02-29"}


def test_the_digest_is_sha256_over_the_salt_and_the_canonical_bytes() -> None:
    written = '{"born_on":"1980-02-29","name":"Ana Pérez"}'.encode()
    assert salted_digest(PATRON, SALT) == sha256(SALT + written).hexdigest()
    assert salted_digest(dict(reversed(PATRON.items())), SALT) == salted_digest(PATRON, SALT)


def test_another_salt_or_another_field_is_another_digest() -> None:
    known = salted_digest(PATRON, SALT)
    assert salted_digest(PATRON, bytes(32)) != known
    assert salted_digest(PATRON | {"name": "Ana Perez"}, SALT) != known


def test_the_same_person_twice_cannot_be_linked() -> None:
    first, second = digest_personal_fields(PATRON), digest_personal_fields(PATRON)
    assert first.digest != second.digest
    assert len(first.salt) == len(second.salt) == 32
    assert matches_digest(PATRON, first.salt, first.digest)
    assert not matches_digest(PATRON, second.salt, first.digest)
    assert not matches_digest(PATRON | {"born_on": "1980-02-28"}, first.salt, first.digest)


@pytest.mark.parametrize("salt", [b"", bytes(31), bytes(33)])
def test_a_salt_of_another_length_is_refused(salt: bytes) -> None:
    with pytest.raises(LedgerError, match="A salt is 32 bytes long"):
        salted_digest(PATRON, salt)


def test_what_has_no_single_spelling_is_refused() -> None:
    with pytest.raises(LedgerError, match="/height is a float"):
        digest_personal_fields({"height": 1.8})
