"""A witness's key for the tests, and what it would post."""

from datetime import datetime

from compliance.core.accounts.models import Casino, User
from compliance.transparency.witness_registry.models import Witness
from compliance.transparency.witness_registry.services import register_witness
from rounds.transparency_log.formats.cosignature import Disagreement, cosign_note, witness_key_of
from rounds.transparency_log.formats.signed_note import SignerKey
from tests.compliance.transparency.ledger_pages.harbour_scenario import OPENED_AT

WITNESS = SignerKey.from_seed("inspectorate.example/witness", bytes(range(1, 33)))
OTHER = SignerKey.from_seed("university.example/witness", bytes(range(2, 34)))
KEY = str(witness_key_of(WITNESS))
PAGE = "/casinos/harbour/witnesses/"


def register(casino: Casino, by: User, key: str = KEY, at: datetime = OPENED_AT) -> Witness:
    return register_witness(casino=casino, key=key, actor=by, now=at)


def line_for(note: bytes, at: datetime = OPENED_AT, signer: SignerKey = WITNESS) -> bytes:
    text = note.decode().rpartition("\n\n")[0] + "\n"
    return cosign_note(text, signer, int(at.timestamp())).encode()


def statement_of(kept: bytes, offered: bytes, at: datetime = OPENED_AT, signer: SignerKey = WITNESS) -> bytes:
    said = Disagreement("ledger.example/harbour", int(at.timestamp()), "not-extended", kept, offered)
    return said.sign(signer)
