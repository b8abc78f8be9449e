"""A superuser rewrites the history and signs it with the stolen key: the service finds nothing, the witness does.

The witness runs in its own process, without PostgreSQL, and reaches the service by its public URLs only.
"""

import io
import shutil
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from compliance.notify.alerts.models import Alert
from compliance.transparency.witness_registry.models import Cosignature, Dissent
from rounds.ledger.readers.search import size_of
from rounds.ledger.signing.checkpoint_file import checkpoint_file_path
from rounds.ledger.signing.checkpoints import signing_key_for, verifier_key_for
from rounds.ledger.storage import get_log
from rounds.transparency_log.formats.cosignature import Disagreement, WitnessKey, verified_cosignatures
from rounds.transparency_log.formats.signed_note import open_checkpoint, sign_checkpoint
from rounds.transparency_log.tree.merkle import TreeHead
from rounds.witness.state import WitnessState
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.transparency.ledger_pages.harbour_scenario import Floor, play
from tests.compliance.transparency.witness_registry.witness_posts import PAGE, register
from tests.rounds.ledger import harbour_log
from tests.rounds.ledger.superuser_attacks import rewrite_tree
from tests.rounds.witness.witness_process import Inspectorate


@pytest.fixture
def witness(committed_floor: Floor, live_server: LiveServer, tmp_path: Path) -> Inspectorate:
    """A registered witness that has cosigned two checkpoints."""
    play(300)
    harbour_log.sign()
    inspectorate = Inspectorate(tmp_path / "inspectorate")
    assert inspectorate.init(str(verifier_key_for("harbour")), live_server.url).status == 0
    register(committed_floor.harbour, committed_floor.ines, inspectorate.verifier_key())
    for rounds in (0, 20):
        play(rounds, first=300)
        harbour_log.sign()
        said = inspectorate.once()
        assert said.status == 0, said
        assert "entries, cosigned." in said.out
    return inspectorate


def kept(witness: Inspectorate) -> TreeHead:
    [log] = WitnessState.open(witness.state).followed_logs()
    return log.head


def rewrite_and_sign() -> bytes:
    """Rewrite entry 50, every hash above it, the head, and every checkpoint, consistently."""
    with harbour_log.unguarded() as rogue:
        head = rewrite_tree(rogue).head()
        note = sign_checkpoint(head, signing_key_for("harbour"))
        log = get_log("harbour").pk
        rogue.execute("DELETE FROM ledger_checkpoint WHERE log_id = %s AND size < %s", [log, head.size])
        rogue.execute("UPDATE ledger_checkpoint SET root = %s, note = %s WHERE log_id = %s", [head.root, note, log])
    checkpoint_file_path("harbour").write_bytes(note)
    return note


def test_it_follows_an_honest_log_and_its_line_is_served(
    witness: Inspectorate, tmp_path: Path, live_server: LiveServer
) -> None:
    note = Client().get("/logs/harbour/checkpoint").content
    key = WitnessKey.parse(witness.verifier_key())
    head = open_checkpoint(note, verifier_key_for("harbour")).head
    assert head == kept(witness)
    assert [one.key for one in verified_cosignatures(note, [key])] == [key]
    assert witness.once().status == 0, "Nothing new is no disagreement."
    assert Cosignature.objects.count() == 2

    shutil.copytree(witness.folder, tmp_path / "image")
    play(5, first=400)
    harbour_log.sign()
    assert witness.once().status == 0
    said = Inspectorate(tmp_path / "image").once()
    assert said.status == 2, "A machine brought back from an old image: the service has a later line of its own key."
    assert f"cosigned {size_of('harbour')} entries" in said.error
    assert "Do not begin anew with this key" in said.error

    stranger = Inspectorate(tmp_path / "stranger")
    stranger.init(str(verifier_key_for("harbour")), live_server.url)
    said = stranger.once()
    assert said.status == 2
    assert "no-witness-signed" in said.out
    assert Cosignature.objects.count() == 3


@pytest.mark.parametrize(("rounds_after", "reason"), [(0, "other-root"), (30, "not-extended")])
def test_a_rewritten_history_is_refused_though_the_logs_own_key_signed_it(
    witness: Inspectorate, committed_floor: Floor, rounds_after: int, reason: str
) -> None:
    before = kept(witness)
    rewrite_and_sign()
    play(rounds_after, first=320)
    offered = harbour_log.sign()
    assert verify_ledger() == "whole", "Everything in the service fits."

    said = witness.once()
    assert said.status == 1
    assert f"REFUSED a checkpoint of {before.size + rounds_after} entries." in said.out
    assert "The service was told." in said.out
    assert kept(witness) == before

    dissent = Dissent.objects.get()
    statement = Disagreement.open(dissent.statement.encode(), WitnessKey.parse(witness.verifier_key()))
    assert statement.reason == reason
    assert open_checkpoint(statement.kept, verifier_key_for("harbour")).head == before
    assert statement.offered.startswith(offered)
    for person in (committed_floor.ines, committed_floor.cora):
        page = browser_of(person).get(PAGE).content.decode()
        assert "inspectorate.example/witness disagrees with this log." in page
        assert "Change nothing: this is evidence." in page
    assert Alert.objects.filter(duty="witness-disagrees").count() == 1
    assert witness.once().status == 1
    assert kept(witness) == before, "It goes on refusing, and keeps what it saw."
    assert Dissent.objects.filter(reason=reason).count() == 1
    assert witness.status().status == 1


def verify_ledger() -> str:
    out = io.StringIO()
    call_command("verify_ledger", "--log", "harbour", stdout=out)
    return out.getvalue().partition("harbour: ")[2].partition(".")[0]


def test_no_proof_is_no_disagreement_and_a_shorter_log_is_one(witness: Inspectorate) -> None:
    before = kept(witness)
    play(5, first=400)
    harbour_log.sign()
    with harbour_log.unguarded() as rogue:
        rogue.execute("DELETE FROM ledger_tile")
    said = witness.once()
    assert said.status == 2, "A service that has trouble has not lied yet; the witness falls behind."
    assert kept(witness) == before
    assert not Dissent.objects.exists()

    with harbour_log.unguarded() as rogue:
        rogue.execute("DELETE FROM ledger_checkpoint WHERE size >= %s", [before.size])
    said = witness.once()
    assert (said.status, "The log as signed now is shorter" in said.out) == (1, True)
    assert kept(witness) == before
