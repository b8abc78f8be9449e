"""verify_ledger compares rows and projections of other apps with the entries they came from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import pytest
from django.db import models

from rounds.ledger import registry
from rounds.ledger.entry import LogEntry
from rounds.ledger.registry import register_projection, register_rows
from rounds.ledger.verify.issues import Issue
from rounds.ledger.verify.verify_log import verify_log
from rounds.ledger.writing.append import make_entry
from rounds.ledger.writing.ledger_rows import LedgerModel
from tests.entry_kinds import SIGN
from tests.rounds.ledger import harbour_log


class Sign(LedgerModel):
    """A table of another app."""

    words = models.TextField()
    objects: ClassVar[models.Manager["Sign"]] = models.Manager()

    class Meta(LedgerModel.Meta):
        app_label = "recorded_sample"
        db_table = "recorded_sample_sign"
        constraints: ClassVar = []

    def __str__(self) -> str:
        return self.words

    def entry_body(self) -> Mapping[str, Any]:
        return {"words": self.words}


@pytest.fixture(autouse=True)
def only_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_ROWS", {})
    monkeypatch.setattr(registry, "_PROJECTIONS", {})


@pytest.fixture
def signs(committed_log: str) -> Iterator[None]:
    with harbour_log.admin() as admin:
        admin.execute(
            "CREATE TABLE recorded_sample_sign (id bigint GENERATED ALWAYS AS IDENTITY, log text, entry_index bigint, "
            "words text); GRANT ALL ON recorded_sample_sign TO PUBLIC"
        )
    register_rows(SIGN, Sign.rows_between)
    yield
    with harbour_log.admin() as admin:
        admin.execute("DROP TABLE recorded_sample_sign")


def show_sign(words: str) -> Sign:
    [receipt] = harbour_log.record_all([make_entry(SIGN, {"words": words}, table="SB-7")])
    return Sign.objects.create(log=receipt.log, entry_index=receipt.index, words=words)


def misfits() -> list[Issue]:
    return list(verify_log(harbour_log.LOG).issues)


@pytest.mark.usefixtures("signs")
class TestRows:
    def test_rows_that_say_what_their_entries_say(self) -> None:
        harbour_log.play(3)
        for number in range(4):
            show_sign(f"Minimum {number}")
        verdict = verify_log(harbour_log.LOG)
        assert verdict.is_intact
        assert verdict.checked["records"] == 4

    def test_a_row_that_was_edited_later_is_named_with_its_entry(self) -> None:
        harbour_log.play(3)
        Sign.objects.filter(pk=show_sign("Minimum 50").pk).update(words="Minimum 5")
        [misfit] = misfits()
        assert (misfit.check, misfit.index) == ("records", 3)
        assert misfit.sentence == (
            "Entry 3 (kind test-sign, table SB-7, recorded 2026-11-16 09:30:00 UTC): the row that was kept of it now "
            "says something else."
        )

    def test_a_row_that_is_gone(self) -> None:
        show_sign("Minimum 50").delete()
        [misfit] = misfits()
        assert (misfit.index, misfit.sentence.endswith("the row that was kept of it is gone.")) == (0, True)

    def test_a_row_whose_entry_is_of_another_kind(self) -> None:
        harbour_log.play(1)
        Sign.objects.create(log="harbour", entry_index=0, words="Minimum 5")
        assert misfits() == [Issue("records", (0, 1), "Entry 0: a row claims to come from it, and does not.")]

    def test_a_row_whose_entry_does_not_exist(self) -> None:
        Sign.objects.create(log="harbour", entry_index=77, words="Minimum 5")
        assert misfits() == [Issue("records", (77, 78), "Entry 77: a row claims to come from it, and does not.")]

    def test_rows_of_another_log_are_not_asked_for(self) -> None:
        harbour_log.opened("marina")
        show_sign("Minimum 50")
        assert verify_log("marina").is_intact

    @pytest.mark.usefixtures("narrow_windows")
    def test_more_entries_than_are_compared_at_once(self) -> None:
        kept = [show_sign(f"Minimum {number}") for number in range(11)]
        assert verify_log(harbour_log.LOG).checked["records"] == 11
        Sign.objects.filter(pk=kept[7].pk).update(words="Minimum 5")
        assert [misfit.index for misfit in misfits()] == [7]

    @pytest.mark.usefixtures("narrow_windows")
    def test_a_row_that_claims_an_entry_of_a_window_long_past(self) -> None:
        register_rows("test-round", lambda log, first, last: [])
        harbour_log.play(9)
        show_sign("Minimum 50")
        Sign.objects.create(log="harbour", entry_index=1, words="Minimum 5")
        assert [misfit.sentence for misfit in misfits() if "claims" in misfit.sentence] == [
            "Entry 1 (kind test-round, table SB-7, recorded 2026-11-16 09:30:00 UTC): a row claims to come from it, "
            "and does not."
        ]


@pytest.fixture
def narrow_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rounds.ledger.verify.check_projections.WINDOW_ENTRIES", 3)
    monkeypatch.setattr("rounds.ledger.verify.entry_ranges.CHUNK_SIZE", 2)


class Totals:
    """A projection: the sum of the dice of each round."""

    def __init__(self) -> None:
        self.kept: dict[int, int] = {}

    def differences(self, log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterable[tuple[int, str]]:
        derived = {entry.index: sum(entry.content()["dice"]) for entry in entries}
        for index in range(first, last):
            if derived.get(index) != self.kept.get(index):
                yield index, f"the total is {derived.get(index)} and {self.kept.get(index)} was kept."


@pytest.mark.usefixtures("committed_log")
def test_a_projection_is_derived_again_and_its_differences_are_named() -> None:
    totals = Totals()
    register_projection("totals", ["test-round"], totals.differences)
    harbour_log.play(3)
    harbour_log.record_all([harbour_log.note(1)])
    totals.kept = {0: 4, 1: 5, 2: 6}
    verdict = verify_log(harbour_log.LOG)
    assert (verdict.is_intact, verdict.checked["projections"]) == (True, 3)
    totals.kept[1] = 17
    assert misfits() == [Issue("projections", (1, 2), "Entry 1: totals: the total is 5 and 17 was kept.")]


@pytest.mark.usefixtures("committed_log", "narrow_windows")
class TestWhoIsAsked:
    """An app is queried for windows that have entries of its kinds, and once for all the others together."""

    def asked(self, kind: str) -> list[tuple[int, int, list[int]]]:
        stretches = []

        def differences(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterable[tuple[int, str]]:
            stretches.append((first, last, [entry.index for entry in entries]))
            return []

        register_projection(f"asked of {kind}", [kind], differences)
        assert verify_log(harbour_log.LOG).is_intact
        return stretches

    def test_one_that_has_nothing_in_the_log_is_asked_once(self) -> None:
        harbour_log.play(20)
        assert self.asked("test-sign") == [(0, 20, [])]

    def test_no_entry_is_left_out_and_none_is_asked_about_twice(self) -> None:
        harbour_log.play(9)
        harbour_log.record_all([make_entry(SIGN, {"words": "Minimum 50"}, table="SB-7")])
        harbour_log.play(9, first=9)
        assert self.asked("test-sign") == [(0, 12, [9]), (12, 19, [])]

    def test_one_that_waits_for_too_long_is_asked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("rounds.ledger.verify.check_projections.MAX_SPAN_ENTRIES", 8)
        harbour_log.play(20)
        assert self.asked("test-sign") == [(0, 8, []), (8, 16, []), (16, 20, [])]


def test_two_apps_cannot_keep_the_same_records() -> None:
    register_rows(SIGN, Sign.rows_between)
    register_rows(SIGN, Sign.rows_between)
    with pytest.raises(ValueError, match="Two apps keep the rows of the entry kind 'test-sign'"):
        register_rows(SIGN, lambda log, first, last: [])
    register_projection("totals", ["test-round"], Totals().differences)
    with pytest.raises(ValueError, match="Two apps register the projection 'totals'"):
        register_projection("totals", ["test-round"], Totals().differences)
    with pytest.raises(ValueError, match="There is no entry kind 'hearsay'"):
        register_rows("hearsay", Sign.rows_between)
