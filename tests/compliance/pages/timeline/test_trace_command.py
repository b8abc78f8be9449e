"""`manage.py trace`: everything that mentions a round, in log order."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from rounds.ledger.writing.append import correct
from tests.compliance.pages.live_floor import indexes_of
from tests.rounds.floor.crew import OPENING, Crew
from tests.rounds.intake.controller_client import Feeder, feeder_at


def trace(*arguments: str) -> str:
    out = io.StringIO()
    call_command("trace", *arguments, stdout=out)
    return out.getvalue()


def test_what_names_the_round_and_what_corrects_it(crew: Crew, feeder: Feeder) -> None:
    sent = indexes_of(
        feeder.send(
            feeder.line("round", round="R-1"),
            feeder.line("round", round="R-2"),
            feeder.line("streak-state", round="R-1"),
            feeder.line("fault", round="R-1"),
            feeder.line("correction", corrects=1),
            feeder.line("correction", corrects=2),
        )
    )
    with transaction.atomic():
        taken_back = correct("harbour", sent[0], {"reason": "Wrong table.", "by": "Sid"}, OPENING)
    found = [json.loads(line) for line in trace("r-1", "--json").splitlines()]
    assert [one["index"] for one in found] == [sent[0], sent[2], sent[3], sent[4], taken_back.index]
    assert [one["what"] for one in found] == [
        "Round",
        "Streaks on the screen",
        "Fault",
        "Controller corrected itself",
        "Entry taken back",
    ]
    assert all(one["log"] == "harbour" and len(one["leaf_sha256"]) == 64 for one in found)


def test_in_words(crew: Crew, feeder: Feeder) -> None:
    [index] = indexes_of(feeder.send(feeder.line("round", round="R-1")))
    words = trace("R-1", "--casino", "harbour")
    assert f"harbour/{index}  " in words
    assert "  Round, table sb-1" in words
    assert "R-1: 4-2-4, total 10; 2 wagers" in words


def test_what_nothing_mentions(crew: Crew, feeder: Feeder) -> None:
    feeder.send(feeder.line("round", round="R-1"))
    for arguments, words in (
        (["R-7"], "No entry mentions the round 'R-7'"),
        (["R-1", "--casino", "marina"], "No entry mentions"),
        (["R-1", "--casino", "nowhere"], "There is no casino 'nowhere'"),
    ):
        with pytest.raises(CommandError, match=words):
            trace(*arguments)


def test_two_tables_that_number_their_rounds_alike(crew: Crew) -> None:
    feeder = feeder_at(crew, "sb-1", "sb-2")
    feeder.send(feeder.line("round", "sb-1", round="R-1"), feeder.line("round", "sb-2", round="R-1"))
    both = [json.loads(line)["table"] for line in trace("R-1", "--json").splitlines()]
    assert both == ["sb-1", "sb-2"]
    assert [json.loads(line)["table"] for line in trace("R-1", "--table", "sb-2", "--json").splitlines()] == ["sb-2"]
