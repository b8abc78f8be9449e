"""The search index follows the log, and verify_ledger compares it with the entries."""

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from rounds.ledger import tasks
from rounds.ledger.models import IndexedTerm
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.search_index import index_new_entries, terms_in
from rounds.ledger.verify.verify_log import verify_log
from rounds.ledger.writing.append import NewEntry, make_entry
from tests.rounds.ledger import harbour_log


def kept() -> list[tuple[int, str, str]]:
    return sorted(IndexedTerm.objects.values_list("index", "what", "value"))


def named(body: dict[str, Any]) -> set[tuple[str, str]]:
    harbour_log.record_all([make_entry("test-note", body)])
    size = IndexedTerm.objects.count()
    entry = read_entries("harbour", 0, 1_000)[-1]
    assert IndexedTerm.objects.count() == size
    return {(one.what, one.value) for one in terms_in(entry)}


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"round": "R-17"}, {("round", "r-17")}),
        ({"round_id": 17}, {("round", "17")}),
        ({"round": ""}, set()),
        ({"round": {"id": "R-17"}}, set()),
        ({"dispute": {"round": "R-17"}}, set()),
        ({"kind": "round", "body": {"round": "R-17"}}, {("round", "r-17")}),
        ({"body": "R-17"}, set()),
        ({"by": {"id": 17, "name": "Ines Ω"}}, {("person", "#17"), ("person", "ines ω")}),
        ({"by": "supervisor"}, {("person", "supervisor")}),
        ({"by": {"id": True}}, set()),
        ({"by": None, "standby": "Ines"}, set()),
        ({"approved_by": {"id": 4, "name": "Ana"}}, {("person", "#4"), ("person", "ana")}),
        (
            {"steps": [{"by": {"id": 4, "name": "Ana"}}, {"decided_by": {"id": 5}}]},
            {("person", "#4"), ("person", "ana"), ("person", "#5")},
        ),
        ({"round": "R-17", "by": "x" * 300}, {("round", "r-17"), ("person", "x" * 200)}),
    ],
)
def test_rounds_and_people_are_named_in_a_body(log: str, body: dict[str, Any], found: set[tuple[str, str]]) -> None:
    assert named(body) == found


def test_the_words_are_those_of_the_entry(log: str) -> None:
    harbour_log.record_all([make_entry("test-note", {"round": "R-17", "by": {"id": 4, "name": "Ana Wu"}})])
    [entry] = read_entries("harbour", 0, 1)
    assert sorted(one.words for one in terms_in(entry)) == ["Ana Wu", "Ana Wu", "R-17"]


def test_each_entry_is_noted_once(log: str) -> None:
    harbour_log.play(3)
    harbour_log.record_all([make_entry("test-note", {"by": {"id": 4, "name": "Ana"}})])
    assert [index_new_entries(log) for _ in range(2)] == [4, 0]
    assert kept() == [
        (0, "round", "r0"),
        (1, "round", "r1"),
        (2, "round", "r2"),
        (3, "person", "#4"),
        (3, "person", "ana"),
    ]


def test_the_task_follows_every_log_and_goes_past_one_that_has_a_hole(
    committed_log: str, caplog: pytest.LogCaptureFixture
) -> None:
    harbour_log.opened("marina")
    harbour_log.play(3)
    harbour_log.play(2, "marina")
    with harbour_log.unguarded() as rogue:
        rogue.execute(f"DELETE FROM {harbour_log.partition()} WHERE index = 1")
    tasks.update_search_index()
    assert kept() == [(0, "round", "r0"), (1, "round", "r1")]
    assert "log_not_followed" in caplog.text


def test_a_long_backlog_is_followed_in_turns(log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[str] = []
    monkeypatch.setattr(tasks, "wake", rung.append)
    monkeypatch.setattr(tasks, "MAX_SECONDS", -1)
    harbour_log.play(600)
    tasks.update_search_index()
    assert (len(kept()), rung) == (500, [tasks.INDEX_TASK])
    tasks.update_search_index()
    assert len(kept()) == 600


class TestVerification:
    def test_what_was_noted_is_derived_again_as_far_as_it_has_come(self, log: str) -> None:
        harbour_log.play(5)
        assert verify_log(log).checked["projections"] == 0
        index_new_entries(log)
        harbour_log.play(2, first=5)
        verdict = verify_log(log)
        assert (verdict.is_intact, verdict.checked["projections"]) == (True, 5)

    def test_a_row_that_was_taken_out_of_the_search_is_named(self, log: str) -> None:
        harbour_log.play(5)
        index_new_entries(log)
        IndexedTerm.objects.filter(index=3).delete()
        [misfit] = verify_log(log).issues
        assert misfit.sentence == ("Entry 3: search: the round 'r3' is named in it, and the search would not find it.")

    def test_a_row_that_was_put_into_the_search_is_named(self, log: str) -> None:
        harbour_log.play(5)
        index_new_entries(log)
        IndexedTerm.objects.create(
            log_id=IndexedTerm.objects.values_list("log_id", flat=True)[0], what="person", value="ana", index=2
        )
        [misfit] = verify_log(log).issues
        assert misfit.sentence == "Entry 2: search: the search claims that it names the person 'ana'."

    def test_it_can_be_made_anew_from_the_entries(self, log: str) -> None:
        harbour_log.play(700)
        while index_new_entries(log):
            pass
        IndexedTerm.objects.filter(index__lt=100).delete()
        assert not verify_log(log).is_intact
        call_command("rebuild_search", "--log", "harbour", stdout=io.StringIO())
        assert verify_log(log).is_intact
        assert len(kept()) == 700
        with pytest.raises(CommandError, match="There is no log 'nowhere'"):
            call_command("rebuild_search", "--log", "nowhere", stdout=io.StringIO())

    def test_a_body_that_can_no_longer_be_read_names_nothing(self, committed_log: str) -> None:
        harbour_log.play(2)
        with harbour_log.unguarded() as rogue:
            rogue.execute(f"UPDATE {harbour_log.partition()} SET body = '{{' WHERE index = 1")
        index_new_entries(committed_log)
        assert kept() == [(0, "round", "r0")]


def test_a_value_as_long_as_a_body_may_be_is_kept_short(log: str) -> None:
    harbour_log.record_all([NewEntry(kind="test-note", body=b'{"round":"%s"}' % (b"R" * 100_000))])
    index_new_entries(log)
    assert kept() == [(0, "round", "r" * 200)]
