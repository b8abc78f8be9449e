"""The audited key fetches entries with a token: only new ones, and none are trusted without proof."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from compliance.api.tokens.services import make_token
from compliance.transparency.witness_registry.models import Cosignature
from rounds.ledger.signing.checkpoints import sign_log, verifier_key_for
from rounds.transparency_log.formats.cosignature import witness_key_of
from rounds.transparency_log.tree.merkle import Frontier, TreeHead
from rounds.witness.audit_log import audit_log
from rounds.witness.cosigner import Cosigner
from rounds.witness.entries import mirror
from rounds.witness.entries.api_source import ApiSource
from rounds.witness.entries.bundle_source import RawEntry
from rounds.witness.entries.mirror import EntryMirror
from rounds.witness.errors import ServiceUnreachable, WitnessError
from rounds.witness.follow_logs import FollowOutcome
from rounds.witness.keys import create_key_file
from rounds.witness.state import FollowedLog, WitnessState
from tests.compliance.audit.conftest import committed_house
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import wager
from tests.compliance.transparency.witness_registry.test_audited_key import play_faulty, register
from tests.rounds.floor.conftest import committed_crew, quick_passwords
from tests.rounds.transparency_log.memory_log import SIGNER
from tests.rounds.witness.witness_process import Inspectorate, Said, run

__all__ = ["committed_crew", "committed_house", "quick_passwords"]

ORIGIN = "ledger.example/harbour"


def token_for(house: House, *scopes: str) -> str:
    made = make_token(
        name="Witness",
        casinos=[house.casino],
        scopes=scopes or ["entries"],
        days=30,
        actor=house.crew.cast.ines,
        now=NOW,
    )
    return made.secret


@pytest.fixture
def witness(committed_house: House, live_server: LiveServer, tmp_path: Path) -> Inspectorate:
    """A witness that follows the audited log and has its newest checkpoint."""
    play_faulty(committed_house)
    committed_house.audit()
    inspectorate = Inspectorate(tmp_path / "inspectorate")
    inspectorate.init(str(verifier_key_for("harbour")), live_server.url)
    register(committed_house, inspectorate.verifier_key())
    return inspectorate


def audit_by_token(witness: Inspectorate, secret: str) -> Said:
    file = witness.folder / "token"
    file.write_text(f"{secret}\n")
    key = witness.folder / "audited.key"
    return run("audit", *witness.files, "--audited-key", str(key), "--token", str(file))


def test_it_fetches_proves_recomputes_and_cosigns(witness: Inspectorate, committed_house: House) -> None:
    secret = token_for(committed_house)
    sign_log("harbour", NOW)
    assert witness.once().status == 0
    said = audit_by_token(witness, secret)
    register(committed_house, said.out.splitlines()[1])
    said = audit_by_token(witness, secret)
    assert said.status == 0, said
    assert "3 wagers reproduced, 2 differ as the log's findings say. Cosigned by" in said.out
    assert Cosignature.objects.filter(witness__name__endswith="/audited").count() == 1
    assert "NOT RECOMPUTED" not in said.out, "The rule packs came along."

    refused = audit_by_token(witness, token_for(committed_house, "findings"))
    assert refused.status == 0, "Nothing is fetched that is here."
    committed_house.play((1, 1, 2), wager("small", 1000, 2000))
    sign_log("harbour", NOW)
    witness.once()
    refused = audit_by_token(witness, token_for(committed_house, "findings"))
    assert (refused.status, "out-of-scope" in refused.out) == (2, True)


class Counting(ApiSource):
    """Counts requests to a service; can stop after some entries, or change one."""

    def __init__(self, log: FollowedLog, token: str, *, breaks_after: int = 10**9, changes: int = -1) -> None:
        super().__init__(log, token)
        self.breaks_after, self.changes = breaks_after, changes
        self.asked: list[tuple[int, int]] = []

    def entries(self, first: int, last: int) -> Iterator[RawEntry]:
        self.asked.append((first, last))
        for count, entry in enumerate(super().entries(first, last)):
            if count == self.breaks_after:
                raise ServiceUnreachable("not-reached", "The line broke.")
            yield entry._replace(body=b"{}") if entry.place == self.changes else entry


def test_it_goes_on_where_it_was_and_throws_away_what_does_not_fit(
    witness: Inspectorate, committed_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirror, "BATCH_SIZE", 5)
    secret = token_for(committed_house)
    signer = create_key_file(witness.folder / "audited.key", "inspectorate.example/witness/audited")
    register(committed_house, str(witness_key_of(signer)))
    sign_log("harbour", NOW)
    assert witness.once().status == 0
    ours = Cosigner.start(witness.state, witness.key, lambda: 1_800_000_000)
    kept = EntryMirror(ours.state, ORIGIN)

    def attempt(**trouble: int) -> tuple[FollowOutcome, list[tuple[int, int]]]:
        log = ours.require_followed_log(ORIGIN)
        service = Counting(log, secret, **trouble)
        return audit_log(ours, signer, log, service).outcome, service.asked

    with pytest.raises(ServiceUnreachable):
        attempt(breaks_after=12)
    assert kept.size() == 10, "What was stored stays: two pages of five."
    size = ours.require_followed_log(ORIGIN).head.size
    with pytest.raises(WitnessError, match="do not lead to the checkpoint"):
        attempt(changes=size - 1)
    assert kept.size() == 0, "Nobody can tell which of them is wrong."
    assert attempt() == (FollowOutcome.AGREES, [(0, size)])

    committed_house.play((1, 1, 2), wager("small", 1000, 2000))
    sign_log("harbour", NOW)
    assert witness.once().status == 0
    grown = ours.require_followed_log(ORIGIN).head.size
    with pytest.raises(WitnessError, match="do not lead to the checkpoint"):
        attempt(changes=size)
    assert kept.size() == size, "What was proved before stays."
    assert attempt() == (FollowOutcome.AGREES, [(size, grown)])


def followed(url: str) -> FollowedLog:
    return FollowedLog(ORIGIN, url, TreeHead(1, bytes(32)), None, 0, -1, None, "")


def test_a_state_of_the_release_before_is_brought_up_to_date(tmp_path: Path) -> None:
    state = WitnessState.create(tmp_path / "state", "w")
    state.trust_key(SIGNER.verifier, "http://127.0.0.1:1")
    with state.write_transaction() as connection:
        connection.execute("DROP TABLE proven")
        connection.execute("PRAGMA user_version = 1")
    EntryMirror(WitnessState.open(tmp_path / "state"), SIGNER.name).verify_against_head(Frontier().head())


def test_a_token_goes_to_its_service_alone_and_over_https(tmp_path: Path) -> None:
    with pytest.raises(WitnessError, match="whoever listens would have the token"):
        ApiSource(followed("http://ledger.example"), "secret")
    with (
        elsewhere() as (other, seen),
        elsewhere(leads_to=other) as (here, asked),
        pytest.raises(ServiceUnreachable, match="did not answer with what it is for"),
    ):
        next(ApiSource(followed(here), "secret").entries(0, 1))
    assert asked == ["Bearer secret", "Bearer secret"], "Once told to wait, then led on."
    assert seen == [None]


@contextmanager
def elsewhere(leads_to: str = "") -> Iterator[tuple[str, list[str | None]]]:
    """A server that first answers with a rate limit, then redirects or gives an unexpected answer."""
    heard: list[str | None] = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(self.headers["Authorization"])
            status = 200 if not leads_to else 429 if len(heard) == 1 else 302
            self.send_response(status)
            self.send_header("Retry-After", "0")
            self.send_header("Location", f"{leads_to}/x")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", heard
        server.shutdown()
