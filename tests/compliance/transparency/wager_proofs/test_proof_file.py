"""A proof reveals one wager and nothing of any other; every change to it is refused by its verifier."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compliance.transparency.wager_proofs.errors import NoSuchWager
from compliance.transparency.wager_proofs.models import Commitment, Proof
from compliance.transparency.wager_proofs.offline.single_file_verifier import WAGER_VERIFIER
from compliance.transparency.wager_proofs.offline.verify_wager import round_leaf, wager_leaf
from compliance.transparency.wager_proofs.proof_file.wager_statements import wager_statements
from compliance.transparency.wager_proofs.proof_file.wager_tree import (
    MIN_LEAVES,
    commit_round,
    derive_round_key,
    derive_salt,
    inclusion_path_to,
    leaf_count_for,
)
from rounds.intake.protocol.examples import BODIES
from rounds.ledger.entry import LogEntry
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.transparency_log.tree.merkle import TreeHead, root_of, verify_inclusion
from tests.compliance.disputes.disputed_round import PLAYED, Floor
from tests.compliance.transparency.wager_proofs.committed_rounds import (
    MINE,
    OTHER,
    committed_and_proved,
    offline,
    parts_of,
    proved,
)

# Values that are in the line because of other wagers only.
SECRET = {
    **OTHER, "id": "secret-7", "player": "stranger-9", "stake": 31_415_900, "returned": 27_182_800, "bet": "triple:6",
    "seat": 6, "terminal": "secret-t",
}  # fmt: skip
OF_OTHERS: dict[str, Any] = {
    "player_limits": [{"player": "stranger-9", "min": 16_180, "max": 14_142_100}],
    "displayed": [{"device": "secret-display", "faces": [2, 4, 4]}],
    "lit": ["triple:6", "small"],
}


def test_the_single_file_proves_it_anywhere(floor: Floor, tmp_path: Path) -> None:
    proof = committed_and_proved(floor)
    (tmp_path / "verify_wager.py").write_bytes(WAGER_VERIFIER.content)
    (tmp_path / "p.json").write_bytes(bytes(proof.content))
    run = [sys.executable, "-I", str(tmp_path / "verify_wager.py"), str(tmp_path / "p.json")]
    answer = subprocess.run([*run, "--key", str(verifier_key_for("harbour"))], capture_output=True, text=True, cwd="/")
    assert answer.returncode == 0, answer.stdout
    for words in (
        "Wager 0041-1 on small: stake 25.00, result win, returned 50.00",
        "Result: the wager is proved.",
        "round R-2",
        "not part of the proof",
    ):
        assert words in answer.stdout
    (tmp_path / "p.json").write_bytes(bytes(proof.content).replace(b"0041-1", b"0041-7"))
    answer = subprocess.run(run, capture_output=True, text=True, cwd="/")
    assert answer.returncode == 1
    assert "DOES NOT FIT" in answer.stdout
    assert "must not be relied on" in answer.stdout


def test_it_shows_nothing_of_anybody_else(floor: Floor) -> None:
    proof = committed_and_proved(floor, wagers=[SECRET, MINE, OTHER], **OF_OTHERS)
    shown = bytes(proof.content).decode()
    # Without hashes and signatures, whose base64 may contain any short word by chance.
    readable = re.sub(r"[A-Za-z0-9+/]{32,}={0,2}", "", shown)
    own = json.loads(parts_of(proof)["wager"]["says"])
    assert own["wager"] == MINE
    for value in (
        "secret",
        "stranger",
        "31415900",
        "314,159",
        "27182800",
        "triple",
        "16180",
        "14142100",
        "0041-2",
        "total:9",
        "blue",
        "colour-checks",
        "D-1",
        "dealer",
        "winners-paid",
        "losers-collected",
    ):
        assert value not in readable, value
    # Nor the salts of others.
    [commitment] = Commitment.objects.all()
    key = derive_round_key(bytes(commitment.key), proof.round_index)
    for secret in (bytes(commitment.key), key, derive_salt(key, 0), derive_salt(key, 2)):
        assert secret.hex() not in shown
    assert derive_salt(key, 1).hex() in shown


def test_nor_how_many_there_were(floor: Floor) -> None:
    few, many = (committed_and_proved(floor, wagers=[MINE, *others]) for others in ([], [SECRET, OTHER]))
    shapes = [[len(parts_of(one)["wager"]["path"]), parts_of(one)["wager"]["places"]] for one in (few, many)]
    assert shapes == [[4, 16], [4, 16]]
    assert [leaf_count_for(number) for number in (0, 1, 16, 17, 32, 33, 10_000)] == [16, 16, 16, 32, 32, 64, 16_384]


def changed(value: Any) -> Iterator[Any]:
    """Yields variants with one letter, figure or hash changed, added or removed."""
    if isinstance(value, int):
        yield from (value + 1, value - 1, str(value), None)
    elif isinstance(value, str):
        for place in range(0, len(value), max(1, len(value) // 12)):
            yield value[:place] + ("1" if value[place] != "1" else "2") + value[place + 1 :]
        yield from (value + " ", value[:-1])
    elif isinstance(value, list):
        yield from (value[:-1], [*value, *value[:1]], value[::-1]) if len(set(value)) > 1 else (value[:-1],)
        for place, one in enumerate(value):
            yield from ([*value[:place], other, *value[place + 1 :]] for other in list(changed(one))[::6])


def changed_proofs(parts: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    for name in set(parts) - {"stated"}:
        for member, value in parts[name].items() if isinstance(parts[name], dict) else [("", parts[name])]:
            for other in changed(value):
                copy = deepcopy(parts)
                if member:
                    copy[name][member] = other
                else:
                    copy[name] = other
                yield f"{name} {member}: {other!r}", json.dumps(copy).encode()
    for name in parts:
        yield f"without {name}", json.dumps({one: parts[one] for one in parts if one != name}).encode()
    yield "with more", json.dumps(parts | {"more": 1}).encode()
    yield "more of the wager", json.dumps(parts | {"wager": parts["wager"] | {"more": 1}}).encode()


def accepts(program: SimpleNamespace, content: bytes, key: str | None = None) -> bool:
    try:
        proof = program.WagerProof(content)
        proof.check(key)
    except program.EvidenceError:
        return False
    return True


def test_whatever_is_changed_is_refused(floor: Floor) -> None:
    program, parts = offline(), parts_of(committed_and_proved(floor))
    assert accepts(program, json.dumps(parts).encode())
    tried = list(changed_proofs(parts))
    assert len(tried) > 150
    assert [what for what, content in tried if accepts(program, content)] == []


def test_parts_of_two_proofs_do_not_make_a_third(floor: Floor) -> None:
    program = offline()
    one = committed_and_proved(floor)
    subject_of_other = floor.play("R-9")
    two = parts_of(committed_and_proved(floor, wager=OTHER["id"]))
    for part in ("wager", "round", "commitment", "checkpoint"):
        assert not accepts(program, json.dumps(parts_of(one) | {part: two[part]}).encode()), part
    assert not accepts(program, bytes(one.content), str(verifier_key_for("site")))
    assert not program.verify_wager(b"{", None)
    assert not program.verify_wager(b"[" * 5_000, None)
    with pytest.raises(NoSuchWager):
        proved(floor, subject_of_other, "0041-9")


def test_the_entry_says_who_made_it_and_of_which_wager(floor: Floor) -> None:
    proof = committed_and_proved(floor)
    [entry] = read_entries("harbour", 0, 10**6, {"wager-proof-made"})
    said = entry.content()
    assert said["by"] == {"id": floor.sid.pk, "name": floor.sid.name}
    assert (said["wager"], said["round"], said["entry"]) == ("0041-1", "R-2", proof.round_index)
    assert said["proof_sha256"] == sha256(bytes(proof.content)).hexdigest()
    assert proof.code not in entry.body.decode()
    assert Proof.objects.get().code == proof.code


NAMES = st.text("abcXYZ019._:-", min_size=1, max_size=20)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
WAGERS = st.lists(
    st.fixed_dictionaries(
        {"id": NAMES, "stake": st.integers(1, 10**9)}, optional={"player": TEXTS, "changes": st.lists(TEXTS)}
    ),
    max_size=20,
)


@settings(max_examples=40, deadline=None)
@given(wagers=WAGERS, round_name=TEXTS, key=st.binary(min_size=32, max_size=32), index=st.integers(0, 2**50))
def test_any_round_leads_from_each_wager_to_its_node(
    wagers: list[dict[str, Any]], round_name: str, key: bytes, index: int
) -> None:
    line = json.dumps({"table": "sb-1", "body": {**BODIES["round"], "round": round_name, "wagers": wagers}}).encode()
    entry = LogEntry("harbour", index, "round", "sb-1", None, None, datetime.now(UTC), line, sha256(line).digest())
    committed, said = commit_round(key, entry), wager_statements(line)
    assert [json.loads(says)["wager"] for _, says in said] == wagers
    root = root_of(committed.leaves)
    assert len(committed.leaves) == max(MIN_LEAVES, leaf_count_for(len(wagers)))
    assert len(set(committed.leaves)) == len(committed.leaves)
    assert committed.node == round_leaf(index, entry.leaf_sha256, len(committed.leaves), root)
    for place, (_, says) in enumerate(said):
        leaf = wager_leaf(derive_salt(derive_round_key(key, index), place), says)
        verify_inclusion(leaf, place, TreeHead(len(committed.leaves), root), inclusion_path_to(committed.leaves, place))


def test_a_line_is_stated_as_it_always_was() -> None:
    """Old commitments are recomputed with this code: its bytes must never change."""
    body = {**BODIES["round"], "wagers": [MINE, OTHER]}
    line = json.dumps(
        {"kind": "round", "table": "sb-1", "sequence": 7, "at": PLAYED.isoformat(), "body": body}
    ).encode()
    digest = sha256(b"".join(says for _, says in wager_statements(line))).hexdigest()
    entry = LogEntry("harbour", 7, "round", "sb-1", None, None, PLAYED, line, bytes(32))
    assert digest == "feecac0536444e4d4566a142e1d68436aca1aa844a821e17469c772dc16105c9"
    assert (
        commit_round(bytes(32), entry).node.hex() == "72f2c5b2140fedf4cfc7189a5093f3dcbe015d33dc93ac37481f7f9cd15e5d6e"
    )
