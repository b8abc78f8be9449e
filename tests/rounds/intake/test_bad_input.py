"""Each kind of bad input answers with its own problem document, records nothing, and loses nothing."""

import gzip
import json
from base64 import b64encode
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.utils import timezone

from rounds.floor.models import ControllerKey
from rounds.floor.services import revoke_key
from rounds.intake.arriving import MOST_BYTES, gunzip
from rounds.intake.errors import BatchTooLarge
from rounds.intake.models import Batch, Quarantined
from rounds.intake.services.signatures import record_remaining_signatures
from rounds.ledger.following import read_entries
from rounds.ledger.verification import verify_log
from tests.compliance.accounts.cast import browser_of
from tests.rounds.floor.crew import Crew
from tests.rounds.intake.feeding import ADDRESS, TABLE, Feeder

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
        "/body",
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
    assert verify_log("harbour").misfits == ()


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
    now = timezone.now()
    assert kinds() == ["feed-signature"]
    record_remaining_signatures(key_id=feeder.key_id, now=now + timedelta(seconds=58))
    assert kinds() == ["feed-signature"]
    record_remaining_signatures(key_id=feeder.key_id, now=now + timedelta(seconds=61))
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


def test_an_unknown_key_leaves_nothing_behind(feeder: Feeder) -> None:
    feeder.key_id = "f" * 16
    response = feeder.send(feeder.line())
    assert_problem(response, 401, "unknown-key")
    assert response["WWW-Authenticate"] == "Fairthrow-Signature"
    assert kinds() == []


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
    assert_problem(feeder.post(b"x" * (MOST_BYTES + 1), feeder.headers([b""])), 413, "batch-too-large")


def test_a_gzip_bomb_is_refused_before_it_is_opened(feeder: Feeder) -> None:
    bomb = gzip.compress(b"\0" * (MOST_BYTES * 8))
    assert len(bomb) < MOST_BYTES // 64
    assert_problem(feeder.post(bomb, {**feeder.headers([b""]), "Content-Encoding": "gzip"}), 413, "batch-too-large")


def test_a_body_of_exactly_the_limit_is_opened() -> None:
    assert len(gunzip(gzip.compress(b"\0" * MOST_BYTES))) == MOST_BYTES
    with pytest.raises(BatchTooLarge):
        gunzip(gzip.compress(b"\0" * (MOST_BYTES + 1)))


def test_half_a_gzip_stream_is_refused(feeder: Feeder) -> None:
    line = feeder.line()
    headers = {**feeder.headers([line]), "Content-Encoding": "gzip"}
    whole = gzip.compress(line)
    for body in (whole[:-4], b"not gzip", whole + b"more", b""):
        assert_problem(feeder.post(body, headers), 400, "bad-compression")


def test_too_many_batches_are_told_when_to_come_back(feeder: Feeder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rounds.intake.limiting.MOST_BATCHES", 3)
    answers = [feeder.send(feeder.line("heartbeat")) for _ in range(12)]
    refused = [one for one in answers if one.status_code != 200]
    assert refused
    assert_problem(refused[0], 429, "too-many-batches")
    assert 1 <= int(refused[0]["Retry-After"]) <= 10


def test_without_redis_nothing_is_limited(feeder: Feeder, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr("rounds.intake.limiting.MOST_BATCHES", 1)
    monkeypatch.setattr("rounds.intake.limiting._asked_again_at", 0.0)
    assert [feeder.send(feeder.line("heartbeat")).status_code for _ in range(4)] == [200] * 4


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
