"""Each kind of invalid input is answered with its own problem document; no entry is recorded and no line is lost."""

import gzip
import json
import tracemalloc
from base64 import b64encode
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis
import time_machine
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.utils import timezone

from rounds.floor.models import Controller, ControllerKey, Table
from rounds.floor.public_keys import key_id_of
from rounds.floor.services import assign_table, propose_key, revoke_key
from rounds.intake.errors import BatchTooLarge
from rounds.intake.models import Batch, Quarantined, RefusedSignatures, UnknownKeys
from rounds.intake.protocol.signed_batch import MAX_BATCH_BYTES, gunzip
from rounds.intake.services.rejected_signatures import record_remaining_counts
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.core.accounts.people import browser_of
from tests.rounds.floor.crew import OPENING, Crew, new_controller, trusted_key
from tests.rounds.intake.controller_client import ADDRESS, TABLE, Feeder

Body = dict[str, Any]


def assert_problem(response: Any, status: int, code: str) -> Body:
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json"), response.content
    document: Body = response.json()
    assert (document["status"], document["code"]) == (status, code)
    assert document["title"]
    assert document["detail"]
    assert document["remedy"]
    return document


def kinds(log: str = "harbour") -> list[str]:
    return [entry.kind for entry in read_entries(log, 0, 10**6) if entry.kind.startswith(("feed", "round", "quar"))]


def bad_round(feeder: Feeder, sequence: int = 1, **changes: Any) -> bytes:
    return feeder.line_at(sequence, **changes)


def wager(**changes: Any) -> list[Body]:
    at = timezone.now().isoformat()
    sound = {"id": "w1", "seat": 1, "bet": "small", "stake": 500, "tender": "value-chips", "placed_at": at}
    return [{**sound, "verdict": "lose", "returned": 0, **changes}]


MALFORMED: list[tuple[str, str, Callable[[Feeder], bytes]]] = [
    ("not-json", "", lambda feeder: b'{"kind": round}'),
    ("not-json", "", lambda feeder: feeder.line_at(1)[:200]),
    ("not-json", "", lambda feeder: b""),
    ("not-json", "", lambda feeder: b"\xff\xfe"),
    ("repeated-member", "/sequence", lambda feeder: feeder.line_at(1)[:-1] + b',"sequence":1}'),
    ("unknown-kind", "/kind", lambda feeder: feeder.line_at(1).replace(b'"round"', b'"roulette"', 1)),
    ("unknown-bet", "/body/wagers/0/bet", lambda feeder: bad_round(feeder, wagers=wager(bet="red"))),
    ("bad-stake", "/body/wagers/0/stake", lambda feeder: bad_round(feeder, wagers=wager(stake=-1))),
    ("bad-stake", "/body/wagers/0/stake", lambda feeder: bad_round(feeder, wagers=wager(stake=10**12))),
    ("bad-dice", "/body/dice/1", lambda feeder: bad_round(feeder, dice=[1, 7, 2])),
    ("bad-dice", "/body/dice", lambda feeder: bad_round(feeder, dice=[1, 2, 3, 4])),
    (
        "no-time-zone",
        "/body/wagers/0/placed_at",
        lambda feeder: bad_round(feeder, wagers=wager(placed_at="2026-11-16T20:00:00")),
    ),
    (
        "too-far-ahead",
        "/at",
        lambda feeder: feeder.line_at(1, at=timezone.now() + timedelta(days=1, minutes=1)),
    ),
    (
        "too-far-ahead",
        "/body/wagers/0/placed_at",
        lambda feeder: bad_round(feeder, wagers=wager(placed_at=(timezone.now() + timedelta(days=2)).isoformat())),
    ),
    ("repeated-wager", "/body/wagers/1/id", lambda feeder: bad_round(feeder, wagers=wager() + wager())),
    ("unknown-member", "/body/winner", lambda feeder: bad_round(feeder, winner="me")),
]


def test_a_malformed_line_is_named_and_kept_and_the_others_are_not_recorded(feeder: Feeder) -> None:
    good = feeder.line_at(2)
    for count, (code, field, make) in enumerate(MALFORMED, 1):
        bad = make(feeder)
        document = assert_problem(feeder.send(good, bad, feeder.line_at(3)), 422, "malformed-lines")
        [problem] = document["problems"]
        assert (problem["line"], problem["code"], problem["field"]) == (2, code, field)
        kept = Quarantined.objects.latest("pk")
        assert (bytes(kept.line), kept.code, kept.line_number, kept.controller.slug) == (bad, code, 2, "box-1")
        assert kinds() == ["feed-quarantined"] * count
    assert Batch.objects.count() == 0
    assert feeder.send(good).status_code == 200
    assert verify_log("harbour").issues == ()


def test_a_time_a_day_ahead_is_taken_and_one_past_it_is_not(feeder: Feeder) -> None:
    ahead = timezone.now() + timedelta(days=1)
    assert feeder.send(feeder.line_at(1, at=ahead - timedelta(minutes=1))).status_code == 200
    assert_problem(feeder.send(feeder.line_at(2, at=ahead + timedelta(minutes=5))), 422, "malformed-lines")


def test_the_sequence_of_a_malformed_line_is_kept_where_it_can_be_read(feeder: Feeder) -> None:
    feeder.send(bad_round(feeder, 17, dice=[1, 2, 7]))
    kept = Quarantined.objects.get()
    assert (kept.table, kept.sequence, kept.kind) == (TABLE, 17, "round")


def test_a_poison_line_sent_for_hours_is_kept_once(feeder: Feeder) -> None:
    bad = bad_round(feeder, dice=[1, 2, 7])
    for _ in range(3):
        assert feeder.send(bad).status_code == 422
    assert Quarantined.objects.count() == 1
    assert kinds() == ["feed-quarantined"]


def test_other_bytes_under_a_used_sequence_are_a_conflict(feeder: Feeder) -> None:
    kept, other, new = feeder.line_at(1), feeder.line_at(1, dice=[6, 6, 6]), feeder.line_at(2)
    [receipt] = feeder.send(kept).json()["receipts"]
    document = assert_problem(feeder.send(new, other), 409, "sequence-conflict")
    assert [(one["line"], one["sequence"]) for one in document["problems"]] == [(2, 1)]
    quarantined = Quarantined.objects.get()
    assert (bytes(quarantined.line), quarantined.kept_index) == (other, receipt["index"])
    assert kinds() == ["round", "feed-conflict"]
    assert feeder.send(kept).json()["receipts"] == [receipt]
    assert feeder.send(new).status_code == 200


def test_two_lines_of_one_batch_may_not_share_a_sequence(feeder: Feeder) -> None:
    assert_problem(feeder.send(feeder.line_at(1), feeder.line_at(1, dice=[6, 6, 6])), 409, "sequence-conflict")
    assert kinds() == ["feed-conflict"]


def test_a_foreign_table_is_refused_and_the_lines_are_kept(feeder: Feeder) -> None:
    line = feeder.line(table="sb-9")
    document = assert_problem(feeder.send(feeder.line(), line), 403, "foreign-table")
    assert [one["table"] for one in document["problems"]] == ["sb-9"]
    assert bytes(Quarantined.objects.get().line) == line
    [entry] = [one for one in read_entries("harbour", 0, 10**6) if one.kind == "feed-quarantined"]
    assert entry.table is None


def test_a_wrong_signature_is_refused_and_recorded(feeder: Feeder) -> None:
    line = feeder.line()
    feeder.secret = Ed25519PrivateKey.generate()
    assert_problem(feeder.send(line), 401, "bad-signature")
    [entry] = [one for one in read_entries("harbour", 0, 10**6) if one.kind == "feed-signature"]
    body = entry.content()
    assert (body["controller"], body["key_id"], body["why"], body["count"]) == (
        "box-1",
        feeder.key_id,
        "bad-signature",
        1,
    )


def test_a_flood_of_wrong_signatures_is_one_entry_a_minute_with_a_count(feeder: Feeder) -> None:
    line = feeder.line()
    feeder.secret = Ed25519PrivateKey.generate()
    for _ in range(5):
        feeder.send(line)
    recorded_at = RefusedSignatures.objects.get().recorded_at
    assert recorded_at is not None
    assert kinds() == ["feed-signature"]
    record_remaining_counts(now=recorded_at + timedelta(seconds=59))
    assert kinds() == ["feed-signature"]
    record_remaining_counts(now=recorded_at + timedelta(seconds=60))
    counts = [one.content()["count"] for one in read_entries("harbour", 0, 10**6) if one.kind == "feed-signature"]
    assert counts == [1, 4]


@pytest.mark.parametrize("part", ["line", "key", "sent_at", "order"])
def test_the_signature_covers_every_line_their_order_the_key_and_the_sending_time(feeder: Feeder, part: str) -> None:
    lines = [feeder.line(), feeder.line()]
    headers = feeder.headers(lines)
    if part == "sent_at":
        headers["Fairthrow-Sent-At"] = "2026-11-16T00:00:00+00:00"
    if part == "key":
        headers["Fairthrow-Key"] = "0" * 16
    sent = {"line": [lines[0], lines[1].replace(b"500", b"501")], "order": lines[::-1]}.get(part, lines)
    response = feeder.post(b"\n".join(sent), headers)
    assert_problem(response, 401, "unknown-key" if part == "key" else "bad-signature")
    assert "round" not in kinds()


def test_a_revoked_key_no_longer_counts(crew: Crew, feeder: Feeder) -> None:
    line = feeder.line()
    revoke_key(key=ControllerKey.objects.get(), reason="Stolen.", actor=crew.cora, now=timezone.now())
    assert_problem(feeder.send(line), 401, "revoked-key")
    assert kinds() == ["feed-signature"]


def unknown_keys(log: str) -> list[Body]:
    return [dict(one.content()) for one in read_entries(log, 0, 10**6) if one.kind == "feed-unknown-key"]


def test_an_unknown_key_is_recorded_where_the_table_is_that_it_claims(feeder: Feeder) -> None:
    feeder.key_id = "f" * 16
    response = feeder.send(feeder.line())
    assert_problem(response, 401, "unknown-key")
    assert response["WWW-Authenticate"] == "Fairthrow-Signature"
    assert kinds() == ["feed-unknown-key"]
    [body] = unknown_keys("harbour")
    assert (body["count"], body["keys"], body["tables"]) == (1, {"f" * 16: 1}, {"sb-1": 1})
    assert unknown_keys("site") == []
    assert verify_log("harbour").issues == ()


def test_an_unknown_key_that_claims_nobodys_table_is_recorded_in_the_log_of_no_casino(feeder: Feeder) -> None:
    feeder.key_id = "f" * 16
    for line in (feeder.line().replace(b'"sb-1"', b'"nowhere"', 1), b"half a li"):
        assert_problem(feeder.send(line), 401, "unknown-key")
    assert kinds() == []
    record_remaining_counts(now=timezone.now() + timedelta(seconds=61))
    assert [(body["count"], body["tables"]) for body in unknown_keys("site")] == [(1, {}), (1, {})]
    assert verify_log("site").issues == ()


def test_a_flood_of_invented_keys_is_one_entry_a_minute_that_names_a_few(feeder: Feeder) -> None:
    line = feeder.line()
    for number in range(30):
        feeder.key_id = f"{number:016x}"
        assert feeder.send(line).status_code == 401
    feeder.key_id = "what a stranger would like to see in the ledger"
    assert_problem(feeder.send(line), 401, "unknown-key")
    recorded_at = UnknownKeys.objects.get().recorded_at
    assert recorded_at is not None
    record_remaining_counts(now=recorded_at + timedelta(seconds=59))
    assert [body["count"] for body in unknown_keys("harbour")] == [1]
    record_remaining_counts(now=recorded_at + timedelta(seconds=60))
    first, rest = unknown_keys("harbour")
    assert (first["count"], rest["count"], rest["tables"]) == (1, 30, {"sb-1": 30})
    assert rest["keys"] == {f"{number:016x}": 1 for number in range(1, 21)}


def test_a_key_that_waits_for_approval_is_recorded_with_its_controller(crew: Crew, feeder: Feeder) -> None:
    secret = Ed25519PrivateKey.generate()
    public_key = secret.public_key().public_bytes_raw()
    propose_key(controller=Controller.objects.get(), public_key=public_key, actor=crew.cora, now=timezone.now())
    feeder.secret, feeder.key_id = secret, key_id_of(public_key)
    assert_problem(feeder.send(feeder.line()), 401, "unknown-key")
    [entry] = [one for one in read_entries("harbour", 0, 10**6) if one.kind == "feed-signature"]
    assert (entry.content()["controller"], entry.content()["why"]) == ("box-1", "unknown-key")
    assert unknown_keys("harbour") == unknown_keys("site") == []


def test_a_stolen_session_cookie_is_no_use_here(crew: Crew, feeder: Feeder) -> None:
    feeder.client = browser_of(crew.cast.ada)
    response = feeder.client.post(ADDRESS, feeder.line(), content_type="application/x-ndjson")
    assert_problem(response, 401, "bad-signature")


def test_a_controllers_key_opens_no_page(feeder: Feeder) -> None:
    headers = feeder.headers([b""])
    assert feeder.client.get("/status/", headers=headers).status_code == 302


def test_a_missing_header_is_named(feeder: Feeder) -> None:
    line = feeder.line()
    for header in ("Fairthrow-Key", "Fairthrow-Sent-At", "Fairthrow-Signature"):
        headers = {name: value for name, value in feeder.headers([line]).items() if name != header}
        assert header in assert_problem(feeder.post(line, headers), 401, "bad-signature")["detail"]


def test_a_sending_time_that_cannot_be_is_named(feeder: Feeder) -> None:
    for sent_at in ["yesterday", "2026-11-16T20:00:00", "2999-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59", "x" * 300]:
        assert_problem(feeder.send(feeder.line(), sent_at=sent_at), 400, "bad-header")


def test_a_wrong_content_type_or_compression_is_refused(feeder: Feeder) -> None:
    line = feeder.line()
    assert_problem(
        feeder.post(line, feeder.headers([line]), content_type="application/json"), 415, "wrong-content-type"
    )
    assert_problem(feeder.post(line, {**feeder.headers([line]), "Content-Encoding": "br"}), 415, "wrong-content-type")


def test_an_empty_body_is_refused(feeder: Feeder) -> None:
    for body in (b"", b"\n", b"  \n\n"):
        assert_problem(feeder.post(body, feeder.headers([b""])), 400, "empty-batch")


def test_a_thousand_lines_are_taken_and_one_more_is_not(feeder: Feeder) -> None:
    lines = [feeder.line("heartbeat") for _ in range(1001)]
    assert_problem(feeder.send(*lines), 413, "batch-too-large")
    assert len(feeder.send(*lines[:1000]).json()["receipts"]) == 1000


def test_a_body_over_the_limit_is_refused(feeder: Feeder) -> None:
    assert_problem(feeder.post(b"x" * (MAX_BATCH_BYTES + 1), feeder.headers([b""])), 413, "batch-too-large")


def test_a_gzip_bomb_is_refused_before_it_is_opened(feeder: Feeder) -> None:
    bomb = gzip.compress(b"\0" * (MAX_BATCH_BYTES * 8))
    assert len(bomb) < MAX_BATCH_BYTES // 64
    headers = {**feeder.headers([b""]), "Content-Encoding": "gzip"}
    tracemalloc.start()
    try:
        assert_problem(feeder.post(bomb, headers), 413, "batch-too-large")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 3 * MAX_BATCH_BYTES


def test_a_body_of_exactly_the_limit_is_opened() -> None:
    assert len(gunzip(gzip.compress(b"\0" * MAX_BATCH_BYTES))) == MAX_BATCH_BYTES
    with pytest.raises(BatchTooLarge):
        gunzip(gzip.compress(b"\0" * (MAX_BATCH_BYTES + 1)))


def test_half_a_gzip_stream_is_refused(feeder: Feeder) -> None:
    line = feeder.line()
    headers = {**feeder.headers([line]), "Content-Encoding": "gzip"}
    whole = gzip.compress(line)
    for body in (whole[:-4], b"not gzip", whole + b"more", b""):
        assert_problem(feeder.post(body, headers), 400, "bad-compression")


# The rate limit window is ten seconds; tests freeze the time in the middle of one.
IN_A_WINDOW = datetime(2026, 11, 16, 8, 0, 3, 500_000, tzinfo=UTC)


@pytest.fixture
def limit_of_three(settings: Any) -> Iterator[None]:
    settings.CONTROLLER_BATCH_LIMIT = 3
    client = redis.Redis.from_url(settings.REDIS_URL)
    for key in client.scan_iter("intake:*"):
        client.delete(key)
    with time_machine.travel(IN_A_WINDOW, tick=False):
        yield


def test_too_many_batches_are_told_when_to_come_back(feeder: Feeder, limit_of_three: None) -> None:
    answers = [feeder.send(feeder.line("heartbeat")) for _ in range(5)]
    assert [one.status_code for one in answers] == [200, 200, 200, 429, 429]
    assert_problem(answers[3], 429, "too-many-batches")
    # The window ends at 08:00:10, so after 6.5 seconds; whole seconds, never too early.
    assert answers[3]["Retry-After"] == "7"
    with time_machine.travel(IN_A_WINDOW + timedelta(seconds=7)):
        assert feeder.send(feeder.line("heartbeat")).status_code == 200


def test_the_limit_is_each_controllers_own(crew: Crew, feeder: Feeder, limit_of_three: None) -> None:
    secret = Ed25519PrivateKey.generate()
    public_key = secret.public_key().public_bytes_raw()
    other = new_controller(crew, "box-2")
    trusted_key(crew, other, public_key)
    assign_table(controller=other, table=Table.objects.get(), actor=crew.cora, now=OPENING)
    assert [feeder.send(feeder.line("heartbeat")).status_code for _ in range(4)][-1] == 429
    second = Feeder(secret=secret, key_id=key_id_of(public_key))
    assert second.send(second.line("heartbeat")).status_code == 200


def test_refused_batches_use_up_no_controllers_share_and_are_limited_by_address(
    feeder: Feeder, limit_of_three: None
) -> None:
    thief = Feeder(secret=Ed25519PrivateKey.generate())
    answers = [thief.send(thief.line("heartbeat")).status_code for _ in range(5)]
    assert answers == [401, 401, 401, 429, 429]
    assert feeder.send(feeder.line("heartbeat")).status_code == 200


def test_without_redis_nothing_is_limited(feeder: Feeder, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    settings.CONTROLLER_BATCH_LIMIT = 1
    monkeypatch.setattr("compliance.core.web.http.rate_limit._retry_at", {})
    assert [feeder.send(feeder.line("heartbeat")).status_code for _ in range(4)] == [200] * 4


@pytest.mark.parametrize(
    "error",
    [ValueError("I/O on a closed file"), OSError(9, "Bad file descriptor"), AttributeError("None has no readline")],
)
def test_a_redis_that_dies_while_it_is_asked_stops_nobody(
    feeder: Feeder, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """The error that redis-py was observed to raise when another thread had just closed the connection."""

    def fail(*args: Any) -> None:
        raise error

    monkeypatch.setattr("compliance.core.web.http.rate_limit._retry_at", {})
    monkeypatch.setattr("redis.client.Pipeline.execute", fail)
    assert feeder.send(feeder.line("heartbeat")).status_code == 200


def test_an_unknown_query_is_refused(feeder: Feeder) -> None:
    for query in ("?wait=forever", "?wait=", "?watch=checkpoint", "?wait=checkpoint&wait=checkpoint"):
        assert_problem(feeder.send(feeder.line(), query=query), 400, "bad-query")


def test_only_post_is_taken(feeder: Feeder) -> None:
    for method in ("get", "put", "delete", "patch"):
        response = getattr(feeder.client, method)(ADDRESS)
        assert_problem(response, 405, "wrong-method")
        assert "POST" in response["Allow"]


def test_a_signature_that_is_not_base64_or_of_another_length_is_refused(feeder: Feeder) -> None:
    line = feeder.line()
    for signature in ("%%%", b64encode(b"short").decode()):
        headers = {**feeder.headers([line]), "Fairthrow-Signature": signature}
        assert_problem(feeder.post(line, headers), 401, "bad-signature")


def test_a_problem_document_is_json_that_names_every_bad_line(feeder: Feeder) -> None:
    document = json.loads(feeder.send(b"{", feeder.line_at(1), b"[]").content)
    assert [(one["line"], one["code"]) for one in document["problems"]] == [(1, "not-json"), (3, "not-json")]
