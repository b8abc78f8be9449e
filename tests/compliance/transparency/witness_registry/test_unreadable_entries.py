"""An entry that does not match its schema is reported by the audited key, which continues and does not sign."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from rounds.floor.fact_values import LimitsValue
from rounds.intake.protocol.table import PostedOddsShown
from rounds.witness.entries.bundle_source import BundleFolder, RawEntry
from rounds.witness.recompute.entry_schemas import SCHEMA_BY_KIND
from rounds.witness.recompute.recompute_log import RecomputeResult, recompute_log
from rounds.witness.recompute.rules_in_force import READER_BY_KIND, approved_pack_digests
from tests.compliance.audit.conftest import house
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import START, wager
from tests.compliance.transparency.witness_registry.test_audited_key import came_to, export_links, kind_of, play_faulty
from tests.rounds.floor.conftest import crew, quick_passwords

__all__ = ["crew", "house", "quick_passwords"]

NOTHING = (b"{}", b"[]", b"7", b"{", b"\xff", b"[" * 100_000)
# Kinds that the log already has; earlier entries of the kind stay readable.
WRITTEN = ("table-facts", "rule-version-approved", "finding", "audit-coverage", "round")


@pytest.fixture
def evidence(house: House, tmp_path: Path) -> Path:
    play_faulty(house)
    house.audit()
    return export_links(tmp_path / "all")


def last_of(folder: Path, kind: str) -> int:
    return max(entry.place for entry in BundleFolder(folder).entries() if kind_of(entry) == kind)


def with_one_more(folder: Path, kind: str, body: bytes, *more: RawEntry) -> RecomputeResult:
    """As if the log continued with an entry of that kind."""
    header = next(entry.header for entry in BundleFolder(folder).entries() if kind_of(entry) == "round")
    added = RawEntry(10**6, header.replace(b'"kind":"round"', b'"kind":"%b"' % kind.encode()), body)

    def entries() -> Iterable[RawEntry]:
        yield from (*BundleFolder(folder).entries(), added, *more)

    approved_pack_digests(entries())
    return recompute_log(entries, BundleFolder(folder).packs())


def test_what_is_read_is_asked_for() -> None:
    assert set(READER_BY_KIND) == set(SCHEMA_BY_KIND)


@pytest.mark.parametrize("header", [b"", b"{}", b"\xff", b'{"kind": "round"}'])
def test_an_entry_of_which_the_kind_cannot_be_told_is_named(header: bytes, evidence: Path) -> None:
    def entries() -> Iterable[RawEntry]:
        yield from (*BundleFolder(evidence).entries(), RawEntry(10**6, header, b"{}"))

    assert approved_pack_digests(entries()) == approved_pack_digests(BundleFolder(evidence).entries())
    found = recompute_log(entries, BundleFolder(evidence).packs())
    assert [(one.place, one.kind) for one in found.unreadable] == [(10**6, "of an unknown kind")]
    assert "header" in found.unreadable[0].words
    assert (found.reproduced, found.found_too, found.is_reproduced) == (3, 2, False)


@pytest.mark.parametrize("kind", sorted({*SCHEMA_BY_KIND, "round"}))
def test_whatever_stands_in_its_place_it_is_named_and_the_rest_is_recomputed(kind: str, evidence: Path) -> None:
    for body in NOTHING:
        found = with_one_more(evidence, kind, body)
        assert [(one.place, one.kind) for one in found.unreadable] == [(10**6, kind)], body[:10]
        assert (found.reproduced, found.found_too, found.not_reproduced) == (3, 2, [])
        assert not found.is_reproduced


@pytest.mark.parametrize("kind", WRITTEN)
def test_one_that_others_rest_on_is_named_too(kind: str, evidence: Path) -> None:
    place = last_of(evidence, kind)
    found = came_to(evidence, lambda entry: entry._replace(body=b"{}") if entry.place == place else entry)
    assert (place, kind) in [(one.place, one.kind) for one in found.unreadable]
    assert not found.is_reproduced


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("stakes-returned", {"rounds": [1], "returned": [{"round": 1, "wager": "w", "cents": "10"}]}),
        ("void-set", {"rounds": [1], "at": "2026-11-16T09:00:35"}),
        ("invalidation", {"rounds": [1], "at": "2026-11-16T09:00:35Z", "forfeited": [1]}),
        ("dispute-paid", {"corrects": [1], "way": "paid", "amount_cents": 1}),
        ("under-minimum-warning", {"gaming_day": "2026-11-16", "player": "p", "at": "2026-11-16T09:00:35Z"}),
        ("wager-refusal", {"grounds": "limits", "at": "yesterday", "wagers": []}),
        ("correction", {"corrects": "12"}),
    ],
)
def test_each_member_must_be_what_it_should_be(kind: str, said: dict[str, object], evidence: Path) -> None:
    [one] = with_one_more(evidence, kind, json.dumps(said).encode()).unreadable
    assert one.place == 10**6


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rules", {}),
        ("limits", {"min": 5}),
        ("limits", {"min": 1, "max": "2"}),
        ("smallest-chip", {"cents": None}),
        ("wagers-offered", {"wagers": [{}]}),
        ("posted-odds", {"odds": {"big": 7}}),
        ("pay-table", {"pay_table": 1}),
        ("layout", {}),
    ],
)
def test_so_must_what_a_table_was_said_to_be(name: str, value: dict[str, object], evidence: Path) -> None:
    said = {"table": "sb-1", "terminal": None, "name": name, "value": value, "effective_at": "2030-01-01T00:00:00Z"}
    [one] = with_one_more(evidence, "table-facts", json.dumps(said).encode()).unreadable
    assert one.place == 10**6


def test_one_that_was_taken_back_says_nothing(evidence: Path) -> None:
    header = next(entry.header for entry in BundleFolder(evidence).entries() if kind_of(entry) == "round")
    correction = header.replace(b'"kind":"round"', b'"kind":"correction"')
    corrected = RawEntry(10**6 + 1, correction, b'{"corrects":1000000}')
    for kind in ("wagers-voided", "round"):
        found = with_one_more(evidence, kind, b"{}", corrected)
        assert (found.unreadable, found.is_reproduced) == ([], True)


def test_a_round_that_rests_on_rules_which_nobody_can_follow_is_named(evidence: Path) -> None:
    """The approval matches its schema, but adopts a reading that its pack does not have."""
    place = last_of(evidence, "rule-version-approved")

    def strange(entry: RawEntry) -> RawEntry:
        said = json.loads(entry.body) if entry.place == place else {}
        return entry._replace(body=json.dumps(said | {"readings": {"no-such": "reading"}}).encode()) if said else entry

    found = came_to(evidence, strange)
    rounds = [entry.place for entry in BundleFolder(evidence).entries() if kind_of(entry) == "round"]
    assert [(one.place, one.kind) for one in found.unreadable] == [(place, "round") for place in rounds]
    assert "it cannot be settled by what the log says" in found.unreadable[0].words


def test_a_pack_that_cannot_be_read_is_named_by_its_approval(evidence: Path) -> None:
    packs = dict.fromkeys(BundleFolder(evidence).packs(), b"not a pack")
    found = recompute_log(lambda: BundleFolder(evidence).entries(), packs)
    approved = [entry.place for entry in BundleFolder(evidence).entries() if kind_of(entry) == "rule-version-approved"]
    assert [one.place for one in found.unreadable] == approved
    assert not found.is_reproduced


def test_odds_that_are_worded_as_no_odds_are_recorded_and_those_of_the_document_are_due(
    house: House, tmp_path: Path
) -> None:
    house.open_table(limits=LimitsValue(min=500, max=50_000))
    house.report("posted-odds-shown", PostedOddsShown(odds={"big": "quite a lot"}), at=START)
    house.play((4, 5, 6), wager("big", 1000, 2000))
    house.audit()
    held = came_to(export_links(tmp_path / "all"))
    assert (held.reproduced, held.unreadable, held.not_reproduced) == (1, [], [])
