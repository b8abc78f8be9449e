"""verify_ledger finds a commitment that does not follow from its rounds."""

from dataclasses import dataclass
from pathlib import Path

import msgspec
import psycopg
import pytest
from django.db import connection, transaction
from pytest_django import Settings

from compliance.transparency.wager_proofs.consumer import encode_round_node
from compliance.transparency.wager_proofs.entry_kinds import WAGERS_COMMITTED
from compliance.transparency.wager_proofs.models import Commitment
from compliance.transparency.wager_proofs.proof_file.wager_tree import commit_round
from compliance.transparency.wager_proofs.services import withdraw_proof
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.search import size_of
from rounds.ledger.verify.verify_log import verify_log
from rounds.ledger.writing.append import append, make_entry
from rounds.transparency_log.tree.merkle import root_of
from tests.compliance.disputes.disputed_round import Floor, make_disputed_floor
from tests.compliance.tampering import tampered
from tests.compliance.transparency.wager_proofs.committed_rounds import LATER, committed_and_proved
from tests.conftest import superuser


@pytest.mark.django_db(transaction=True)
def test_what_is_changed_afterwards_is_found(tmp_path: Path, settings: Settings) -> None:
    floor = make_disputed_floor(tmp_path, settings)
    floor.open_table()
    proof = committed_and_proved(floor)
    withdraw_proof(proof=proof, reason="The wrong seat.", actor=floor.sid, now=LATER)
    assert verify_log("harbour").is_intact
    for table, statement, found in (
        ("commitment", "UPDATE proofs_commitment SET key = sha256('x')", "its wagers are not those that entry"),
        ("commitment", "UPDATE proofs_commitment SET nodes = set_byte(nodes, 9, get_byte(nodes, 9) # 1)", "not those"),
        ("commitment", "UPDATE proofs_commitment SET root_sha256 = ''", "something else"),
        ("commitment", "UPDATE proofs_commitment SET at = at + interval '1 hour'", "at another time"),
        ("commitment", "DELETE FROM proofs_commitment", "is gone"),
        ("proof", "UPDATE proofs_proof SET wager = '0041-2'", "something else"),
        ("withdrawal", "UPDATE proofs_withdrawal SET reason = 'None.'", "something else"),
    ):
        with tampered(f"proofs_{table}", statement):
            sentences = [misfit.sentence for misfit in verify_log("harbour").issues]
            assert any(found in sentence for sentence in sentences), (statement, sentences)


@pytest.mark.django_db(transaction=True)
def test_whoever_has_every_privilege_meets_the_guard(tmp_path: Path, settings: Settings) -> None:
    floor = make_disputed_floor(tmp_path, settings)
    floor.open_table()
    proof = committed_and_proved(floor)
    withdraw_proof(proof=proof, reason="The wrong seat.", actor=floor.sid, now=LATER)
    with superuser(connection.settings_dict["NAME"]) as admin:
        for table in ("commitment", "proof", "withdrawal"):
            for statement in (f"UPDATE proofs_{table} SET at = now()", f"DELETE FROM proofs_{table}"):
                with pytest.raises(psycopg.errors.RestrictViolation, match="is kept as it was written"):
                    admin.execute(statement)


@dataclass(frozen=True)
class Forged:
    """What a dishonest service could write: a row and an entry that agree with each other."""

    says: bytes = b""
    becomes: bytes = b""
    leaves_out: int = -1
    root: str = ""

    def write(self) -> None:
        key = bytes(range(32))
        rounds = read_entries("harbour", 0, 10**6, {"round"})
        kept = [entry for place, entry in enumerate(rounds) if place != self.leaves_out]
        told = [msgspec.structs.replace(each, body=each.body.replace(self.says, self.becomes)) for each in kept]
        nodes = [commit_round(key, entry).node for entry in told]
        commitment = Commitment(
            log="harbour",
            first=0,
            last=rounds[-1].index + 1,
            rounds=len(nodes),
            root_sha256=self.root or root_of(nodes).hex(),
            key=key,
            nodes=b"".join(encode_round_node(each.index, node) for each, node in zip(kept, nodes, strict=True)),
            at=LATER,
            entry_index=size_of("harbour"),
        )
        with transaction.atomic():
            append("harbour", [make_entry(WAGERS_COMMITTED, commitment.entry_body())], LATER)
            commitment.save(force_insert=True)


@pytest.mark.parametrize(
    ("forged", "place"),
    [
        (Forged(b'"returned":5000', b'"returned":2500'), 0),
        (Forged(b'"round":"R-2"', b'"round":"R-8"'), 1),
        (Forged(leaves_out=1), 1),
    ],
)
def test_a_commitment_that_differs_from_its_round_is_named(floor: Floor, forged: Forged, place: int) -> None:
    rounds = [floor.play(name).entry.index for name in ("R-1", "R-2", "R-3")]
    forged.write()
    verdict = verify_log("harbour")
    assert verdict.issue_count == 1
    assert verdict.first_issue is not None
    assert verdict.first_issue.index == rounds[place]
    assert "its wagers are not those that entry" in verdict.first_issue.sentence


def test_a_root_that_its_rounds_do_not_lead_to_is_named(floor: Floor) -> None:
    floor.play("R-1")
    Forged(root="00" * 32).write()
    verdict = verify_log("harbour")
    assert [misfit.sentence.partition(": ")[2] for misfit in verdict.issues] == [
        "committed wagers: what was kept of its rounds does not lead to its root."
    ]


def test_one_that_says_what_its_rounds_say_is_not(floor: Floor) -> None:
    floor.play("R-1")
    Forged().write()
    assert verify_log("harbour").is_intact


def test_a_commitment_to_what_is_no_round_is_named(floor: Floor) -> None:
    floor.play("R-1")
    last = read_entries("harbour", 0, 10**6)[-1]
    node = commit_round(bytes(32), last).node
    commitment = Commitment(
        log="harbour",
        first=0,
        last=last.index + 1,
        rounds=1,
        root_sha256=root_of([node]).hex(),
        key=bytes(32),
        nodes=encode_round_node(last.index - 1, node),
        at=LATER,
        entry_index=size_of("harbour"),
    )
    with transaction.atomic():
        append("harbour", [make_entry(WAGERS_COMMITTED, commitment.entry_body())], LATER)
        commitment.save(force_insert=True)
    found = verify_log("harbour").first_issue
    assert found is not None
    assert "commits to it as a round, and it is none" in found.sentence
