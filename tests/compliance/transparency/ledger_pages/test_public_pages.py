"""Public pages: checkpoints byte for byte, keys, the verifier, and valid proofs; nothing else."""

import base64
import re
from hashlib import sha256
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from compliance.core.web.http import rate_limit
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.search import size_of
from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.ledger.storage import get_log, root_at
from rounds.ledger.writing.append import open_log
from rounds.transparency_log.formats.signed_note import VerifierKey, open_checkpoint
from rounds.transparency_log.offline.single_file_verifiers import BUNDLE_VERIFIER
from rounds.transparency_log.tree.merkle import TreeHead, verify_consistency, verify_inclusion
from tests.compliance.transparency.ledger_pages.harbour_scenario import OPENED_AT, Floor, play
from tests.drills.support.full_length import count_in_tally
from tests.drills.support.mutated_bytes import example_count
from tests.rounds.ledger import harbour_log

API = "/api/v1/logs/harbour/proof/"
SMALL = st.integers(0, 8).map(str)
NUMBERS_AND_OTHERS = st.one_of(
    SMALL,
    st.integers().map(str),
    st.text(max_size=20),
    st.sampled_from(["", "9" * 400, "\0", "１"]),
)
STATUSES: set[int] = set()


def test_the_checkpoint_is_byte_for_byte_what_was_signed(floor: Floor, client: Client) -> None:
    play(3)
    note = harbour_log.sign()
    answer = client.get("/logs/harbour/checkpoint")
    assert answer.content == note
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    key = VerifierKey.parse(client.get("/logs/harbour/key").content.decode().removesuffix("\n"))
    assert key == verifier_key_for("harbour")
    assert open_checkpoint(answer.content, key).head.size == size_of("harbour")


def test_a_log_that_never_signed_and_one_that_does_not_exist(floor: Floor, client: Client) -> None:
    assert client.get("/logs/marina/checkpoint").status_code == 404
    assert "One is signed every minute." in client.get("/logs/marina/checkpoint").content.decode()
    for name in ("checkpoint", "key"):
        assert "No log bears this name." in client.get(f"/logs/nowhere/{name}").content.decode()


def test_the_page_lists_every_log_in_the_same_number_of_queries(floor: Floor, client: Client) -> None:
    open_log("site", OPENED_AT)
    play(2)
    harbour_log.sign()
    with CaptureQueriesContext(connection) as few:
        page = client.get("/logs/").content.decode()
    assert "Harbour Casino" in page
    assert "16 Nov 2026, 8:30 pm AEDT" in page, "by the casino's own clock"
    assert "The site itself" in page
    assert 'href="/logs/site/key"' in page
    for number in range(30):
        open_log(f"casino-{number}", OPENED_AT)
    with CaptureQueriesContext(connection) as many:
        client.get("/logs/")
    assert len(many) == len(few)


def test_the_verifier_is_the_one_that_comes_in_bundles_and_the_help_page_has_its_digest(
    db: None, client: Client
) -> None:
    answer = client.get("/evidence/verify_bundle.py")
    assert answer.content == BUNDLE_VERIFIER.content
    digest = sha256(answer.content).hexdigest()
    assert digest in client.get("/help/evidence/").content.decode()
    assert digest in client.get("/logs/").content.decode()


def test_every_address_the_help_page_gives_is_one(floor: Floor, client: Client) -> None:
    play(700)
    harbour_log.sign()
    page = client.get("/help/evidence/").content.decode().replace("&amp;", "&")
    addresses = re.findall(r"^(?:<pre[^>]*><code>)?(/(?:logs|api)/\S+?)(?:</code>|\s|$)", page, re.MULTILINE)
    assert len(addresses) == 4
    assert [client.get(address).status_code for address in addresses] == [200] * 4


def hashes(answer: dict[str, Any]) -> list[bytes]:
    return [base64.b64decode(one) for one in answer["proof"]]


class TestProofs:
    @pytest.fixture(autouse=True)
    def signed(self, floor: Floor) -> int:
        play(300)
        harbour_log.sign()
        return size_of("harbour")

    def test_inclusion_against_the_newest_checkpoint_and_an_older_size(self, signed: int, client: Client) -> None:
        note = client.get("/logs/harbour/checkpoint").content
        head = open_checkpoint(note, verifier_key_for("harbour")).head
        [entry] = read_entries("harbour", 17, 18)
        answer = client.get(API + "inclusion?index=17").json()
        assert (answer["log"], answer["origin"]) == ("harbour", "ledger.example/harbour")
        assert (answer["index"], answer["size"]) == (17, signed)
        verify_inclusion(entry.leaf_sha256, 17, head, hashes(answer))
        older = client.get(API + "inclusion?index=17&size=100").json()
        root = root_at(get_log("harbour"), 100)
        assert base64.b64decode(older["root"]) == root
        verify_inclusion(entry.leaf_sha256, 17, TreeHead(100, root), hashes(older))

    def test_consistency_between_two_sizes(self, signed: int, client: Client) -> None:
        answer = client.get(API + "consistency?from=100").json()
        assert (answer["from"], answer["to"]) == (100, signed)
        log = get_log("harbour")
        heads = [TreeHead(size, root_at(log, size)) for size in (100, 250, signed)]
        verify_consistency(heads[0], heads[2], hashes(answer))
        verify_consistency(heads[0], heads[1], hashes(client.get(API + "consistency?from=100&to=250").json()))

    @pytest.mark.parametrize(
        ("query", "detail"),
        [
            ("inclusion", "The address must say index=, a number."),
            ("inclusion?index=", "The address must say index=, a number."),
            ("inclusion?index=x", "The index must be digits without leading zeroes."),
            ("inclusion?index=-1", "The index must be digits without leading zeroes."),
            ("inclusion?index=007", "The index must be digits without leading zeroes."),
            ("inclusion?index=99999999999999999999", "The index is too large."),
            ("inclusion?index=100&size=100", "The index is 100; the most there can be is 99"),
            ("inclusion?index=1&size=100000", "The size is 100000; the most there can be is"),
            ("inclusion?index=0&size=0", "The index is 0; the most there can be is -1"),
            ("consistency", "The address must say from=, a number."),
            ("consistency?from=0", "Every tree starts with the empty tree, so that proves nothing."),
            ("consistency?from=20&to=10", "A tree of 10 entries cannot extend one of 20."),
            ("consistency?from=1&to=1e3", "The to must be digits without leading zeroes."),
        ],
    )
    def test_numbers_that_make_no_sense_are_problems(self, client: Client, query: str, detail: str) -> None:
        answer = client.get(API + query)
        assert answer.status_code == 422
        assert answer.headers["Content-Type"] == "application/problem+json"
        problem = answer.json()
        assert problem["code"] == "bad-number"
        assert problem["detail"].startswith(detail)

    def test_entries_not_signed_yet_are_not_proved(self, signed: int, client: Client) -> None:
        play(1, first=300)
        assert client.get(f"{API}inclusion?index={signed}").status_code == 422
        assert client.get("/api/v1/logs/marina/proof/inclusion?index=0").json()["code"] == "not-signed-yet"
        assert client.get("/api/v1/logs/nowhere/proof/inclusion?index=0").json()["code"] == "unknown-log"

    def test_whoever_asks_too_often_waits_for_the_next_minute(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rate_limit, "MAX_PER_MINUTE", 3)
        with time_machine.travel("2026-11-16T12:00:20Z", tick=False):
            answers = [client.get(API + "inclusion?index=1", REMOTE_ADDR="198.51.100.6") for _ in range(4)]
            assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
            assert answers[-1].headers["Retry-After"] == "40"
            elsewhere = client.get(API + "consistency?from=1", REMOTE_ADDR="198.51.100.7")
            assert elsewhere.status_code == 200
        with time_machine.travel("2026-11-16T12:01:00Z", tick=False):
            assert client.get(API + "inclusion?index=1", REMOTE_ADDR="198.51.100.6").status_code == 200

    def test_without_redis_nobody_is_kept_waiting(self, client: Client, settings: Any) -> None:
        settings.REDIS_URL = "redis://127.0.0.1:1/0"
        assert client.get(API + "inclusion?index=1").status_code == 200


def test_nothing_public_says_what_was_recorded(floor: Floor, client: Client) -> None:
    play(5)
    harbour_log.sign()
    for name in ("logs", "verifier"):
        assert b"R-1" not in client.get(reverse(f"evidence:{name}")).content
    for address in ("/logs/harbour/checkpoint", "/logs/harbour/key", API + "inclusion?index=1"):
        assert b"R-" not in client.get(address).content.replace(b"R-_", b"")


@example_count(40, full=1000)
@given(
    name=st.sampled_from(["inclusion", "consistency"]),
    asked=st.one_of(
        st.fixed_dictionaries({"index": SMALL, "from": SMALL}, optional={"size": SMALL, "to": SMALL}),
        st.dictionaries(st.sampled_from(["index", "size", "from", "to", "x"]), NUMBERS_AND_OTHERS, max_size=4),
    ),
    log=st.sampled_from(["harbour", "harbour", "harbour", "marina", "nowhere"]),
)
def ask_for_any_proof(name: str, asked: dict[str, str], log: str) -> None:
    answer = Client().get(f"/api/v1/logs/{log}/proof/{name}", asked)
    count_in_tally("requests to the API")
    count_in_tally("requests to the API: answers of 500 and above", answer.status_code >= 500)
    assert answer.status_code in (200, 404, 422), (name, asked, answer.content)
    expected = "application/json" if answer.status_code == 200 else "application/problem+json"
    assert answer.headers["Content-Type"] == expected
    STATUSES.add(answer.status_code)


def test_any_question_for_a_proof_is_answered_or_refused_in_words(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """These two URLs are public and in no OpenAPI document, so the requests are generated here."""
    monkeypatch.setattr(rate_limit, "MAX_PER_MINUTE", 10**6)
    play(5)
    harbour_log.sign()
    ask_for_any_proof()
    assert {200, 404, 422} == STATUSES
