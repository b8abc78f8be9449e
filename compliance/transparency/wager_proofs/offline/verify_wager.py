"""Check the proof of one wager offline: python3 -I verify_wager.py PROOF.json [--key KEY]

The wager must lead to its round, the round to a commitment, and the commitment and the round's own record to a tree
that the log signed. Nothing else of the round is in the file, and nothing else is needed.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rounds.transparency_log.offline import (
    EvidenceError,
    leaf_hash,
    open_signed_checkpoint,
    parse_hashes,
    parse_json_object,
    parse_key,
    print_safely,
    root_from_inclusion_proof,
)

WAGER_PROOF_FORMAT = "fairthrow-wager/1"
COMMITTED_KIND = "wagers-committed"
MAX_PROOF_BYTES = 1024 * 1024
# Domain separation: each hash starts with its type, so that no wager can pass for a round or a filler leaf for a wager.
WAGER, NO_WAGER, ROUND = b"fairthrow wager\n", b"fairthrow no wager\n", b"fairthrow round\n"
PROOF_PARTS = {"format", "log", "verifier_key", "wager", "round", "commitment", "checkpoint", "stated"}
PART_MEMBERS = {
    "wager": {"says", "salt", "place", "places", "path"},
    "round": {"entry", "leaf_sha256", "path", "place", "rounds", "path_to_commitment"},
    "commitment": {"entry", "header", "body", "path"},
}


def wager_leaf(salt: bytes, says: bytes) -> bytes:
    return leaf_hash(WAGER + salt + says)


def empty_leaf(salt: bytes) -> bytes:
    return leaf_hash(NO_WAGER + salt)


def round_leaf(entry: int, leaf_sha256: bytes, places: int, root: bytes) -> bytes:
    facts = (b"%d" % entry, leaf_sha256.hex().encode(), b"%d" % places, root.hex().encode())
    return leaf_hash(ROUND + b'{"entry":%b,"leaf_sha256":"%b","places":%b,"root":"%b"}' % facts)


class CheckStep(NamedTuple):
    title: str
    words: str


def decode_hex(text: object, what: str) -> bytes:
    if not isinstance(text, str) or not re.fullmatch("[0-9a-f]{64}", text):
        raise EvidenceError(f"{what} is not 32 bytes in hex.")
    return bytes.fromhex(text)


def format_utc(at: str) -> str:
    return re.sub(r"T(.{8}).*", r" \1 UTC", at)


class WagerProof:
    """A proof file, checked step by step. The first step that fails raises EvidenceError. `moment` formats times; the
    page passes one for the casino's time zone.
    """

    def __init__(self, content: bytes, moment: Callable[[str], str] = format_utc) -> None:
        self.steps: list[CheckStep] = []
        self.moment = moment
        if len(content) > MAX_PROOF_BYTES:
            raise EvidenceError("The file is larger than any proof of a wager.")
        types = {"format": str, "log": str, "verifier_key": str, "checkpoint": str, "stated": dict}
        self.parts = parse_json_object(content, "The proof", wager=dict, round=dict, commitment=dict, **types)
        if self.parts["format"] != WAGER_PROOF_FORMAT or set(self.parts) != PROOF_PARTS:
            raise EvidenceError(f"The file is not a proof of the format {WAGER_PROOF_FORMAT}.")
        for name, members in PART_MEMBERS.items():
            if set(self.parts[name]) != members:
                raise EvidenceError(f"The part {name!r} of the proof has not the members that it must have.")
        self.wager, self.round, self.commitment = (self.parts[name] for name in PART_MEMBERS)
        says = self.wager["says"]
        if not isinstance(says, str):
            raise EvidenceError("The proof does not say what the wager is.")
        self.says = parse_json_object(says.encode(), "What the proof says of the wager", round=dict, wager=dict)

    def read_integer_member(self, part: str, name: str) -> int:
        value = self.parts[part][name]
        if type(value) is not int or not 0 <= value < 2**63:
            raise EvidenceError(f"The {name} of the {part} is no number.")
        return value

    def compute_root(self, leaf: bytes, position: int, size: int, path: object, what: str) -> bytes:
        root = (
            root_from_inclusion_proof(leaf, position, size, parse_hashes(path, f"The path of {what}"))
            if position < size
            else None
        )
        if root is None:
            raise EvidenceError(f"The path of {what} has not the length that its place needs.")
        return root

    def check(self, key: str | None = None) -> None:
        if key is not None and key.strip() != self.parts["verifier_key"]:
            raise EvidenceError("The proof was not signed with the key you gave.")
        self._check_signature()
        committed = self._check_commitment()
        self._check_round(committed)
        self._check_round_in_commitment(committed)
        self._check_wager()

    def _check_signature(self) -> None:
        known = parse_key(self.parts["verifier_key"])
        if not known.name.endswith("/" + self.parts["log"]):
            raise EvidenceError("The key is not that of the log which the proof names.")
        self.head = open_signed_checkpoint(self.parts["checkpoint"], known, "The checkpoint")
        words = f"The key of {known.name} signed for a log of {self.head.size} records."
        self.steps.append(CheckStep("The log is signed", words))

    def _check_commitment(self) -> dict[str, Any]:
        entry, header, body = (
            self.read_integer_member("commitment", "entry"),
            self.commitment["header"],
            self.commitment["body"],
        )
        if not isinstance(header, str) or not isinstance(body, str) or "\n" in header:
            raise EvidenceError("The commitment is not a record of a log.")
        leaf = leaf_hash(header.encode() + b"\n" + body.encode())
        if self._log_root(leaf, entry, self.commitment["path"], "the commitment") != self.head.root:
            raise EvidenceError("The commitment does not stand in the log that was signed.")
        facts = parse_json_object(header.encode(), "The header of the commitment", kind=str, log=str, recorded_at=str)
        if facts["kind"] != COMMITTED_KIND or facts["log"] != self.parts["log"]:
            raise EvidenceError("The record that should be the commitment is another record.")
        committed = parse_json_object(body.encode(), "The commitment", first=int, last=int, rounds=int, root=str)
        number, at = committed["rounds"], self.moment(facts["recorded_at"])
        rounds = "the wagers of one round" if number == 1 else f"the wagers of {number} rounds"
        words = f"Record {entry}, made {at}, commits the casino to {rounds}: none can be changed after it."
        self.steps.append(CheckStep("A commitment stands in it", words))
        return committed

    def _check_round(self, committed: dict[str, Any]) -> None:
        entry = self.read_integer_member("round", "entry")
        self.leaf = decode_hex(self.round["leaf_sha256"], "The hash of the round's record")
        if self._log_root(self.leaf, entry, self.round["path"], "the round") != self.head.root:
            raise EvidenceError("The round's record does not stand in the log that was signed.")
        if not committed["first"] <= entry < committed["last"] <= self.read_integer_member("commitment", "entry"):
            raise EvidenceError("The round is not one that the commitment speaks of.")
        words = f"Record {entry} is the round itself. Only its hash is in the proof, which nobody can read."
        self.steps.append(CheckStep("The round stands in it", words))

    def _check_round_in_commitment(self, committed: dict[str, Any]) -> None:
        leaf_count, rounds = self.read_integer_member("wager", "places"), self.read_integer_member("round", "rounds")
        salt = decode_hex(self.wager["salt"], "The salt of the wager")
        leaf = wager_leaf(salt, self.wager["says"].encode())
        self.root = self.compute_root(
            leaf, self.read_integer_member("wager", "place"), leaf_count, self.wager["path"], "the wager"
        )
        node = round_leaf(self.read_integer_member("round", "entry"), self.leaf, leaf_count, self.root)
        path = self.round["path_to_commitment"]
        commitment_root = self.compute_root(
            node, self.read_integer_member("round", "place"), rounds, path, "the round in the commitment"
        )
        if rounds != committed["rounds"] or commitment_root != decode_hex(
            committed["root"], "The root of the commitment"
        ):
            raise EvidenceError("The wager does not lead to the commitment: it, its salt or its way was changed.")
        words = "This wager in this round, to the letter, gives what the commitment says. No other would."
        self.steps.append(CheckStep("The commitment leads to this wager", words))

    def _check_wager(self) -> None:
        if set(self.says) != {"round", "wager"} or not isinstance(self.says["wager"].get("id"), str):
            raise EvidenceError("What the proof says of the wager is not what a commitment says.")
        words = f"It is wager {self.says['wager']['id']} of round {self.says['round'].get('round')}."
        self.steps.append(CheckStep("The wager is the one shown", words))

    def _log_root(self, leaf: bytes, entry: int, path: object, what: str) -> bytes:
        return self.compute_root(leaf, entry, self.head.size, path, what)


def format_amount(cents: object) -> str:
    return f"{cents // 100:,}.{cents % 100:02}" if type(cents) is int else "not yet"


def print_wager(proof: WagerProof) -> None:
    """Print what was wagered, as recorded."""
    played, wager = proof.says["round"], proof.says["wager"]
    print_safely(f"Table {played.get('table')}, round {played.get('round')}, {played.get('at')}.")
    if played.get("dice") or played.get("cards"):
        faces = played.get("dice") or played.get("cards")
        print_safely(f"  {'Dice' if played.get('dice') else 'Cards'}: {'-'.join(map(str, faces))}")
    print_safely(
        f"  Wager {wager.get('id')} on {wager.get('bet')}: stake {format_amount(wager.get('stake'))}, "
        f"result {wager.get('verdict')}, returned {format_amount(wager.get('returned'))}."
    )


def verify_wager(content: bytes, key: str | None) -> bool:
    proof = None
    try:
        proof = WagerProof(content)
        proof.check(key)
    except EvidenceError as error:
        problem = str(error)
    except Exception as error:  # whatever the file contains, the reader gets a sentence
        problem = f"The file cannot be read as a proof ({type(error).__name__})."
    else:
        problem = ""
        print_wager(proof)
    for step in proof.steps if proof else []:
        print_safely(f"  proved: {step.title}. {step.words}")
    if problem or proof is None:
        print_safely(f"  DOES NOT FIT: {problem}")
        print_safely("Result: this proof must not be relied on.")
        return False
    print_safely("  not part of the proof: what the file states of the settlement and of the casino's name.")
    if key is None:
        print_safely(f"  to do: compare this key with the one the log publishes: {proof.parts['verifier_key']}")
    print_safely(f"  SHA-256 of the file: {hashlib.sha256(content).hexdigest()}")
    print_safely("Result: the wager is proved.")
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description="Check the proof of one wager offline.")
    parser.add_argument("proof", type=Path)
    parser.add_argument("--key", help="the log's verifier key, from a source you trust")
    given = parser.parse_args()
    with given.proof.open("rb") as file:
        content = file.read(MAX_PROOF_BYTES + 1)
    return 0 if verify_wager(content, given.key) else 1


if __name__ == "__main__":
    sys.exit(main())
