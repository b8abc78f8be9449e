"""The proof file of one wager, put together from what is stored and checked before anybody gets it."""

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from compliance.proofs.errors import DoesNotFit, NoSuchWager, NotProvableYet
from compliance.proofs.kinds import COMMITTED
from compliance.proofs.models import Commitment
from compliance.proofs.stating import statements
from compliance.proofs.tree import commit_round, path_to, round_key, salt_at
from compliance.proofs.verify_wager import FORMAT_OF_WAGER, WagerProof
from rounds.ledger.checkpoints import verifier
from rounds.ledger.errors import LedgerError
from rounds.ledger.following import Recorded
from rounds.ledger.leaves import split_leaf
from rounds.ledger.notes import encode_base64
from rounds.ledger.offline.telling import EvidenceError
from rounds.ledger.proving import SignedNote, leaf_of, newest_checkpoint
from rounds.ledger.searching import entry_at
from rounds.ledger.stored import inclusion_proof, log_named

COMMITTED_WITHIN = timedelta(minutes=1)


@dataclass(frozen=True)
class Ground:
    """What a proof stands on: the commitment that has the round, its entry, and a checkpoint that covers both."""

    commitment: Commitment
    entry: Recorded
    signed: SignedNote


def ground_of(log: str, index: int) -> Ground:
    """Raises NotProvableYet with what is still missing, in words."""
    commitment = Commitment.objects.filter(log=log, first__lte=index, last__gt=index).first()
    if commitment is None:
        raise NotProvableYet(
            "The wagers of this round are not ready to be proved yet. They are made ready every minute."
        )
    entry, signed = entry_at(log, commitment.entry_index), newest_checkpoint(log)
    if signed is None or signed.head.size <= commitment.entry_index:
        raise NotProvableYet(
            "The log was not signed since the wagers of this round were made ready. It is signed every minute."
        )
    if entry is None or entry.kind != COMMITTED:
        raise DoesNotFit
    return Ground(commitment, entry, signed)


def proof_of(entry: Recorded, wager: str, stated: dict[str, Any]) -> bytes:
    """The file, which its own check accepts."""
    ground = ground_of(entry.log, entry.index)
    said = statements(entry.body)
    place = next((place for place, (name, _) in enumerate(said) if name == wager), None)
    if place is None:
        raise NoSuchWager
    try:
        parts = _parts(ground, entry, place, said[place][1])
        content = json.dumps(parts | {"stated": stated}, indent=1, ensure_ascii=False).encode()
        WagerProof(content).check(str(verifier(entry.log)))
    except (LedgerError, EvidenceError, KeyError) as error:
        raise DoesNotFit from error
    return content


def _parts(ground: Ground, entry: Recorded, place: int, says: bytes) -> dict[str, Any]:
    commitment, size = ground.commitment, ground.signed.head.size
    key, log = bytes(commitment.key), log_named(entry.log)
    leaves = commit_round(key, entry).leaves
    nodes = commitment.nodes_by_entry()
    place_of_round = list(nodes).index(entry.index) if entry.index in nodes else -1
    if place_of_round < 0:
        raise DoesNotFit
    header, body = split_leaf(leaf_of(ground.entry))
    return {
        "format": FORMAT_OF_WAGER,
        "log": entry.log,
        "verifier_key": str(verifier(entry.log)),
        "wager": {
            "says": says.decode(),
            "salt": salt_at(round_key(key, entry.index), place).hex(),
            "place": place,
            "places": len(leaves),
            "path": _texts(path_to(leaves, place)),
        },
        "round": {
            "entry": entry.index,
            "leaf_sha256": entry.leaf_sha256.hex(),
            "path": _texts(inclusion_proof(log, entry.index, size)),
            "place": place_of_round,
            "rounds": commitment.rounds,
            "path_to_commitment": _texts(path_to(list(nodes.values()), place_of_round)),
        },
        "commitment": {
            "entry": ground.entry.index,
            "header": header.decode(),
            "body": body.decode(),
            "path": _texts(inclusion_proof(log, ground.entry.index, size)),
        },
        "checkpoint": ground.signed.note.decode(),
    }


def _texts(hashes: list[bytes]) -> list[str]:
    return [encode_base64(one) for one in hashes]
