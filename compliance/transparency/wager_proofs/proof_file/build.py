"""Builds the proof file of one wager from what is stored, and verifies it before returning it."""

import json
from dataclasses import dataclass
from typing import Any

from compliance.transparency.wager_proofs.entry_kinds import WAGERS_COMMITTED
from compliance.transparency.wager_proofs.errors import NoSuchWager, ProofDoesNotMatch, ProofNotReady
from compliance.transparency.wager_proofs.models import Commitment
from compliance.transparency.wager_proofs.offline.verify_wager import WAGER_PROOF_FORMAT, WagerProof
from compliance.transparency.wager_proofs.proof_file.wager_statements import wager_statements
from compliance.transparency.wager_proofs.proof_file.wager_tree import (
    commit_round,
    derive_round_key,
    derive_salt,
    inclusion_path_to,
)
from rounds.ledger import LogEntry, entry_at, proofs, signing, storage
from rounds.transparency_log import formats, offline
from rounds.transparency_log.errors import LedgerError


@dataclass(frozen=True)
class ProofBasis:
    """The commitment that covers the round, its entry, and a checkpoint that covers both."""

    commitment: Commitment
    entry: LogEntry
    signed: proofs.StoredCheckpoint


def proof_basis_for(log: str, index: int) -> ProofBasis:
    """Raises ProofNotReady with what is still missing."""
    commitment = Commitment.objects.filter(log=log, first__lte=index, last__gt=index).first()
    if commitment is None:
        raise ProofNotReady(
            "The wagers of this round are not ready to be proved yet. They are made ready every minute."
        )
    entry, signed = entry_at(log, commitment.entry_index), proofs.newest_checkpoint(log)
    if signed is None or signed.head.size <= commitment.entry_index:
        raise ProofNotReady(
            "The log was not signed since the wagers of this round were made ready. It is signed every minute."
        )
    if entry is None or entry.kind != WAGERS_COMMITTED:
        raise ProofDoesNotMatch
    return ProofBasis(commitment, entry, signed)


def build_proof_file(entry: LogEntry, wager: str, stated: dict[str, Any]) -> bytes:
    """Build the file. Raises unless its own verifier accepts it."""
    basis = proof_basis_for(entry.log, entry.index)
    statements = wager_statements(entry.body)
    position = next((position for position, (name, _) in enumerate(statements) if name == wager), None)
    if position is None:
        raise NoSuchWager
    try:
        parts = _proof_members(basis, entry, position, statements[position][1])
        content = json.dumps(parts | {"stated": stated}, indent=1, ensure_ascii=False).encode()
        WagerProof(content).check(str(signing.verifier_key_for(entry.log)))
    except (LedgerError, offline.EvidenceError, KeyError) as error:
        raise ProofDoesNotMatch from error
    return content


def _proof_members(basis: ProofBasis, entry: LogEntry, position: int, says: bytes) -> dict[str, Any]:
    commitment, size = basis.commitment, basis.signed.head.size
    key, log = bytes(commitment.key), storage.get_log(entry.log)
    leaves = commit_round(key, entry).leaves
    nodes = commitment.nodes_by_entry()
    place_of_round = list(nodes).index(entry.index) if entry.index in nodes else -1
    if place_of_round < 0:
        raise ProofDoesNotMatch
    header, body = formats.split_leaf(proofs.leaf_bytes_of(basis.entry))
    return {
        "format": WAGER_PROOF_FORMAT,
        "log": entry.log,
        "verifier_key": str(signing.verifier_key_for(entry.log)),
        "wager": {
            "says": says.decode(),
            "salt": derive_salt(derive_round_key(key, entry.index), position).hex(),
            "place": position,
            "places": len(leaves),
            "path": _encode_hashes(inclusion_path_to(leaves, position)),
        },
        "round": {
            "entry": entry.index,
            "leaf_sha256": entry.leaf_sha256.hex(),
            "path": _encode_hashes(storage.inclusion_proof(log, entry.index, size)),
            "place": place_of_round,
            "rounds": commitment.rounds,
            "path_to_commitment": _encode_hashes(inclusion_path_to(list(nodes.values()), place_of_round)),
        },
        "commitment": {
            "entry": basis.entry.index,
            "header": header.decode(),
            "body": body.decode(),
            "path": _encode_hashes(storage.inclusion_proof(log, basis.entry.index, size)),
        },
        "checkpoint": basis.signed.note.decode(),
    }


def _encode_hashes(hashes: list[bytes]) -> list[str]:
    return [formats.encode_base64(one) for one in hashes]
