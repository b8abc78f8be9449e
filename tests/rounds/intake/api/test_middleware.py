"""The controller API middleware skips the middlewares for users, but none that protect the service."""

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from structlog.testing import capture_logs

from tests.rounds.floor.crew import Crew
from tests.rounds.intake.controller_client import ADDRESS, Feeder


def test_every_answer_says_that_it_is_no_page(feeder: Feeder) -> None:
    for answer, status in ((feeder.send(feeder.line()), 200), (feeder.send(b"{}"), 422), (Client().get(ADDRESS), 405)):
        assert answer.status_code == status
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert answer.headers["Content-Length"] == str(len(answer.content))
        assert answer.headers["Cache-Control"] == "no-store"
        assert not answer.cookies


def test_a_person_who_is_signed_in_is_nobody_at_this_door(feeder: Feeder, crew: Crew) -> None:
    feeder.send(feeder.line())
    with CaptureQueriesContext(connection) as by_nobody:
        assert feeder.send(feeder.line()).status_code == 200
    feeder.client.force_login(crew.cora)
    with CaptureQueriesContext(connection) as by_somebody:
        assert feeder.send(feeder.line()).status_code == 200
    assert len(by_somebody) == len(by_nobody)
    assert not [one for one in by_somebody if "session" in one["sql"]]


def test_it_answers_for_its_own_names_alone(feeder: Feeder) -> None:
    line = feeder.line()
    feeder.client.defaults["HTTP_HOST"] = "elsewhere.example"
    assert feeder.send(line).status_code == 400


@pytest.mark.usefixtures("feeder")
def test_plain_http_is_sent_away_where_the_service_is_no_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SECURE_SSL_REDIRECT", True)
    assert Client().post(ADDRESS, b"{}", content_type="application/x-ndjson").status_code == 301


def test_a_request_leaves_one_line_in_our_own_log_under_the_id_that_a_refusal_names(feeder: Feeder) -> None:
    with capture_logs() as lines:
        feeder.send(feeder.line())
        refused = feeder.send(b"{}").json()
    finished = [line for line in lines if line["event"] == "request_finished"]
    assert [(line["log_level"], line["code"], line["request"]) for line in finished] == [
        ("info", 200, f"POST {ADDRESS}"),
        ("warning", 422, f"POST {ADDRESS}"),
    ]
    assert refused["request_id"]
