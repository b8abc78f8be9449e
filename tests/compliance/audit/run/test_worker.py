"""From a controller's line to a finding and its coverage: exactly once, atomic, and idempotent."""

import msgspec
import pytest
from django.db import DatabaseError, connection, transaction
from pytest_django import DjangoAssertNumQueries

from compliance.audit.entry_kinds import AUDIT_KINDS
from compliance.audit.models import Block, Coverage, Finding, PackedRound
from compliance.audit.run.evaluate import evaluate_every_round, evaluate_range
from compliance.audit.run.rebuild import rebuild_rounds
from compliance.audit.selectors import audited_up_to
from rounds.floor.fact_values import LimitsValue, WagersOfferedValue
from rounds.floor.services import add_terminal
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.verify.verify_log import verify_log
from rounds.ledger.writing.append import NewEntry, append, make_entry
from rounds.transparency_log.formats.leaf import encode_body
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import MBS, NSW, RWS, build_round, wager
from tests.rounds.floor.crew import OPENING


def test_one_faulty_wager_becomes_one_finding_with_its_entry(house: House) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_000, id="right"))
    index = house.play((4, 2, 4), wager("small", 2_500, 5_100, id="wrong"))
    [coverage] = house.audit()
    finding = Finding.objects.get()
    assert (finding.code, finding.subject_index, finding.wager) == ("SETTLE-OVERPAID", index, "wrong")
    assert (finding.required_cents, finding.found_cents, finding.clause) == (5_000, 5_100, "7.1")
    assert finding.sentence == "Small for $25.00 (wager wrong) was handed back $51.00; $50.00 was due."
    [entry] = read_entries("harbour", finding.entry_index, finding.entry_index + 1)
    assert (entry.kind, entry.table, entry.content()["found_cents"]) == ("finding", "sb-1", 5_100)
    assert (coverage.first, coverage.last, coverage.rounds, coverage.wagers) == (0, index + 1, 2, 2)
    assert coverage.versions[0]["rules"] == "nsw-sic-bo"


def test_auditing_again_changes_nothing_and_its_own_entries_make_no_work(house: House) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100))
    house.audit()
    before = list(Coverage.objects.values())
    assert house.audit() == []
    assert list(Coverage.objects.values()) == before
    assert Finding.objects.count() == 1
    house.play((4, 2, 4), wager("small", 2_500, 5_000))
    [later] = house.audit()
    assert (later.first, later.findings) == (before[0]["last"], 0)
    assert audited_up_to("harbour") == later.last


def test_a_round_without_rules_in_force_is_flagged_and_not_judged(house: House) -> None:
    house.rules["sb-9"] = "nsw-sic-bo"
    house.play((4, 2, 4), wager("small", 2_500, 99_999), table="sb-9")
    house.audit()
    finding = Finding.objects.get()
    assert (finding.code, finding.version) == ("ROUND-NO-RULES", None)
    assert "no rules are on record for its table" in finding.sentence


def test_a_terminal_without_a_layout_cannot_be_judged_and_one_with_it_can(house: House) -> None:
    table = house.open_table(rules=RWS)
    house.add_terminal(table, "t-3", "Appendix C")
    add_terminal(table=table, slug="t-8", actor=house.crew.sid, now=OPENING)
    house.play((2, 3, 3), wager("total:8", 100, 950, rules=RWS, terminal="t-3"))
    house.play((2, 3, 3), wager("total:8", 100, 950, rules=RWS, terminal="t-8"))
    house.audit()
    assert house.codes() == ["SETTLE-PAY-TABLE", "ROUND-NO-RULES"]


def test_readings_are_one_finding_with_the_money_of_all_its_wagers(house: House) -> None:
    table = house.open_table()
    house.state(table, WagersOfferedValue(wagers=("even",)), at=table.added_at)
    for number in range(3):
        house.play((4, 2, 4), wager("even", 1_000, 2_000, id=f"even-{number}"))
    house.audit()
    house.play((4, 2, 4), wager("even", 1_000, 2_000))
    house.audit()
    finding = Finding.objects.get()
    assert (finding.code, finding.clause) == ("SETTLE-READING", "3.2.2.1")
    assert sorted(finding.cases.values_list("required_cents", "found_cents")) == [(0, 2_000)] * 4


def test_ranges_of_one_generation_cannot_overlap_and_nothing_is_rewritten(house: House) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100))
    [coverage] = house.audit()
    finding = Finding.objects.get()
    twin = Coverage(**{f.attname: getattr(coverage, f.attname) for f in Coverage._meta.fields if f.name != "id"})
    twin.first, twin.entry_index = 1, 10_000
    for act in (
        twin.save,
        lambda: Coverage.objects.filter(pk=coverage.pk).update(last=1),
        lambda: Finding.objects.filter(pk=finding.pk).update(found_cents=1),
        lambda: finding.delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            act()
    assert Finding.objects.get().found_cents == 5_100


def test_a_long_log_takes_as_many_queries_as_a_short_one(
    house: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    house.open_table(limits=LimitsValue(min=500, max=50_000))
    house.open_table("mb-1", rules=MBS)
    for _ in range(3):
        house.play((4, 2, 4), wager("small", 2_500, 5_000))
    house.audit()
    size = Block.objects.get().known_to
    with django_assert_num_queries(34):
        evaluate_range(house.casino, 0, size)
    for _ in range(20):
        house.play((4, 2, 4), wager("small", 2_500, 5_000), table="mb-1")
    house.audit()
    size = Block.objects.get().known_to
    with django_assert_num_queries(34):
        evaluate_range(house.casino, 0, size)


def test_the_columns_can_be_made_again_and_tampering_with_them_is_found(committed_house: House) -> None:
    house = committed_house
    house.open_table()
    for returned in (5_000, 5_100):
        house.play((4, 2, 4), wager("small", 2_500, returned))
    house.audit()
    assert misfits() == []
    kept = list(PackedRound.objects.order_by("entry_index").values_list("entry_index", "events", "wagers"))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE audit_packedround SET outcome = 0 WHERE entry_index = %s", [kept[0][0]])
    assert misfits() == [(kept[0][0], kept[0][0] + 1)]
    assert rebuild_rounds("harbour") == 2
    again = list(PackedRound.objects.order_by("entry_index").values_list("entry_index", "events", "wagers"))
    assert [tuple(map(bytes_or, row)) for row in again] == [tuple(map(bytes_or, row)) for row in kept]
    assert misfits() == []


def misfits() -> list[tuple[int, int] | None]:
    """Issues of verify_log without missing signatures: these rounds were appended without a controller's signed
    batch."""
    return [one.span for one in verify_log("harbour").issues if "signed batch" not in one.sentence]


def bytes_or(value: object) -> object:
    return bytes(value) if isinstance(value, memoryview) else value


def test_both_ways_of_judging_find_the_same(house: House) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100), wager("big", 500, 0))
    house.play((4, 2, 4), wager("small", 2_500, 5_000))
    house.audit()
    last = Block.objects.get().known_to
    quick, exact = evaluate_range(house.casino, 0, last), evaluate_every_round(house.casino, 0, last)
    assert quick.drafts == exact.drafts
    assert len(quick.drafts) == 1


def test_the_audits_own_kinds_are_known() -> None:
    assert {"finding", "finding-superseded", "audit-coverage", "warning-confirmed"} == AUDIT_KINDS


def test_rounds_from_paper_and_from_files_are_audited_like_any_other(house: House) -> None:
    house.open_table()
    wrong = build_round(NSW, (4, 2, 4), wager("small", 2_500, 5_100, id="w-7"), round="P-1")
    line = {"kind": "round", "table": "sb-1", "at": "2026-11-16T09:02:00Z", "body": msgspec.to_builtins(wrong)}
    other = {**line, "body": {**msgspec.to_builtins(wrong), "round": "P-2"}}
    imported = encode_body({**other, "sequence": 1, "origin": {"how": "import"}})
    entries = [
        make_entry("round", {**line, "origin": {"how": "paper"}}, table="sb-1"),
        NewEntry(kind="round", body=imported, table="sb-1", controller="import:17", sequence=1),
    ]
    with transaction.atomic():
        append("harbour", entries, NOW)
    house.audit()
    assert house.codes() == ["SETTLE-OVERPAID", "SETTLE-OVERPAID"]
