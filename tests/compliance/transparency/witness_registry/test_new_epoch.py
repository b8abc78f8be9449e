"""A witness across a restore: its statement halts a log that lost entries it had cosigned. Once its operator trusts the
new epoch, it cosigns under the new origin. No origin and size is ever signed twice.
"""

from pathlib import Path

from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from compliance.api.tokens.services import make_token
from compliance.transparency.recovery.selectors import RestoredLog
from compliance.transparency.recovery.services import begin_epoch
from compliance.transparency.witness_registry.models import Cosignature, Dissent
from rounds.ledger.models import Entry
from rounds.ledger.read_only import open_halt_of
from rounds.ledger.readers.search import size_of
from rounds.ledger.signing.checkpoint_file import checkpoint_file_path
from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.ledger.storage import get_log
from rounds.transparency_log.tree.merkle import Frontier
from tests.compliance.transparency.ledger_pages.harbour_scenario import Floor, play
from tests.compliance.transparency.witness_registry.witness_posts import register
from tests.rounds.ledger import harbour_log
from tests.rounds.witness.witness_process import Inspectorate, run


def lose(count: int) -> None:
    """Remove the newest entries, and the checkpoint file next to the key."""
    log = get_log("harbour")
    size, frontier = size_of("harbour") - count, Frontier()
    leaves = Entry.objects.filter(log=log, index__lt=size).order_by("index").values_list("leaf_sha256", flat=True)
    frontier.extend([bytes(leaf) for leaf in leaves])
    with harbour_log.unguarded() as rogue:
        rogue.execute("DELETE FROM ledger_entry WHERE log_id = %s AND index >= %s", [log.pk, size])
        rogue.execute("DELETE FROM ledger_checkpoint WHERE log_id = %s AND size > %s", [log.pk, size])
        rogue.execute("DELETE FROM witnesses_cosignature")
        head = [size, frontier.to_bytes(), log.pk]
        rogue.execute("UPDATE ledger_head SET size = %s, frontier = %s WHERE log_id = %s", head)
    checkpoint_file_path("harbour").unlink()


def test_its_word_halts_the_log_and_it_goes_on_under_the_new_name(
    committed_floor: Floor, live_server: LiveServer, tmp_path: Path
) -> None:
    inspectorate = Inspectorate(tmp_path / "inspectorate")
    assert inspectorate.init(str(verifier_key_for("harbour")), live_server.url).status == 0
    register(committed_floor.harbour, committed_floor.ines, inspectorate.verifier_key())
    play(5)
    harbour_log.sign()
    play(5, first=5)
    harbour_log.sign()
    assert inspectorate.once().status == 0
    kept = size_of("harbour")
    with harbour_log.unguarded() as rogue:
        # The restore also removes rows of append-only tables.
        rogue.execute("ALTER TABLE witnesses_cosignature DISABLE TRIGGER witnesses_cosignature_only_grows")
    try:
        lose(5)
    finally:
        with harbour_log.admin() as rogue:
            rogue.execute("ALTER TABLE witnesses_cosignature ENABLE ALWAYS TRIGGER witnesses_cosignature_only_grows")

    said = inspectorate.once()
    assert (said.status, "The service was told." in said.out) == (1, True)
    halt = open_halt_of("harbour")
    assert halt is not None
    assert (halt.reason, Dissent.objects.get().reason) == ("shrank", "shrank")

    begun = begin_epoch(
        log=RestoredLog("harbour", committed_floor.harbour),
        lost="Five rounds.",
        why="A trial.",
        evidence="",
        actor=committed_floor.ines,
        now=timezone.now(),
    )
    assert begun.outside_size == kept, "The witness's own checkpoint stands in the entry."
    said = inspectorate.once()
    assert (said.status, f"does not follow {begun.origin}" in said.out) == (2, True)
    run(
        "trust", "--state", str(inspectorate.state), "--log", str(verifier_key_for("harbour")), "--url", live_server.url
    )
    said = inspectorate.once()
    assert said.status == 0, said
    assert f"Goes on as {begun.origin}, which is followed too. Still kept of this epoch: {kept} entries." in said.out
    assert Cosignature.objects.get().size == size_of("harbour")

    token = make_token(
        name="Witness",
        casinos=[committed_floor.harbour],
        scopes=["entries"],
        days=30,
        actor=committed_floor.ines,
        now=timezone.now(),
    )
    (tmp_path / "token").write_text(token.secret)
    keys = ["--audited-key", str(tmp_path / "audited.key"), "--token", str(tmp_path / "token")]
    said = run("audit", *inspectorate.files, *keys)
    assert f"ledger.example/harbour: Goes on as {begun.origin}, which is audited." in said.out
    assert f"{begun.origin}, {Cosignature.objects.get().size} entries: " in said.out
