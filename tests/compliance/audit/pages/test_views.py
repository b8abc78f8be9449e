"""Pages of findings and coverage: with none, one and ten thousand findings; filters; details of a finding."""

import csv
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from compliance.audit.models import Finding
from compliance.audit.run.worker import consume_new_entries
from compliance.audit.selectors import (
    MARKETING_CODES,
    TABLES_SQL,
    access_finding,
    audit_position,
    readable_codes,
    tables_with_findings,
)
from compliance.core.web.errors import NotFound
from rounds.floor.fact_values import LimitsValue, WagersOfferedValue
from rounds.ledger.readers.search import size_of
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import LICENSEE, NSW, at, wager
from tests.compliance.core.accounts.people import browser_of

LIST, COVERAGE = "/casinos/harbour/findings/", "/casinos/harbour/findings/coverage/"


@pytest.fixture
def inspector(house: House) -> Client:
    return browser_of(house.crew.cast.ines)


def page(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def many(house: House, count: int) -> None:
    codes = ("SETTLE-OVERPAID", "WAGER-LATE")
    Finding.objects.bulk_create(
        Finding(
            log="harbour",
            entry_index=1_000 + number,
            casino=house.casino,
            code=codes[number % 2],
            severity="serious" if number % 2 else "note",
            check_name="settlement",
            subject_index=number,
            wager="w",
            table=f"sb-{number % 3}",
            at=NOW + timedelta(minutes=number),
            sentence=f"Sentence {number}.",
            evidence=[0],
            explanation=[],
            found_at=NOW,
        )
        for number in range(count)
    )


def test_before_anything_was_audited(house: House, inspector: Client) -> None:
    assert "Nothing was found so far." in page(inspector, LIST)
    assert "Nothing was audited yet." in page(inspector, COVERAGE)


def test_one_finding_from_the_list_to_its_page(house: House, inspector: Client) -> None:
    house.open_table()
    index = house.play((4, 2, 4), wager("small", 2_500, 5_100, id="w-7"))
    house.audit()
    finding = Finding.objects.get()
    listed = page(inspector, LIST)
    assert f'href="{finding.get_absolute_url()}"' in listed
    assert "Everything recorded so far was audited" in listed
    shown = page(inspector, finding.get_absolute_url())
    for words in (
        "$51.00",
        "$50.00",
        "$1.00",
        "w-7",
        "7.1",
        "Sic Bo (New South Wales), version 1",
        f"Entry {index}: what was recorded",
    ):
        assert words in shown, words
    assert "<li>Small wins. [3.1.1.1]</li>" in shown
    assert "<li>Due: $50.00.</li>" in shown
    assert f"Every entry below {index + 1}" in page(inspector, COVERAGE)


def test_a_grouped_finding_shows_the_money_under_each_reading(house: House, inspector: Client) -> None:
    table = house.open_table()
    house.state(table, WagersOfferedValue(wagers=("even",)), at=table.added_at)
    for _ in range(3):
        house.play((4, 2, 4), wager("even", 1_000, 2_000))
    house.audit()
    shown = page(inspector, Finding.objects.get().get_absolute_url())
    assert "every even total" in shown
    assert "$60.00" in shown
    assert shown.count("<td>w-even-1000</td>") == 3


def test_the_exported_list_has_amounts_tables_and_wagers(house: House, inspector: Client) -> None:
    """One wager overpaid, and three wagers at two tables settled by a reading that was not adopted."""
    house.open_tables_with_even("sb-1", "sb-2")
    house.play((4, 2, 4), wager("small", 2_500, 5_100, id="w-7"), wager("even", 1_000, 2_000), table="sb-1")
    for _ in range(2):
        house.play((4, 2, 4), wager("even", 1_000, 2_000), table="sb-2")
    house.audit()
    answer = inspector.get(LIST, {"format": "csv"})
    lines = b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()  # type: ignore[attr-defined]
    rows = {row["Code"]: row for row in csv.DictReader(lines)}
    members = ("Table", "Clause", "Wager", "Due", "Handed back")
    assert [rows["SETTLE-OVERPAID"][name] for name in members] == ["sb-1", "7.1", "w-7", "50.00", "51.00"]
    assert [rows["SETTLE-READING"][name] for name in members] == [
        "sb-1, sb-2", "3.2.2.1", "3 wagers", "0.00", "60.00",
    ]  # fmt: skip
    shown = page(inspector, LIST)
    assert "sb-1, sb-2" in shown
    assert ">Handed back<" not in shown
    narrowed = page(inspector, f"{LIST}?table=sb-2")
    assert ("SETTLE-READING</a>" in narrowed, "SETTLE-OVERPAID</a>" in narrowed) == (True, False)


def test_a_finding_on_which_the_rules_are_silent_says_so(house: House, inspector: Client) -> None:
    """No clause of the Licensee's forbids a wager after the close (U20); New South Wales has 3.10."""
    silent = {LICENSEE: True, NSW: False}
    for rules in silent:
        house.open_table(rules, rules=rules)
        house.play((4, 2, 4), wager("small", 2_500, 5_000, placed_at=at(31)), table=rules)
    house.audit()
    for finding in Finding.objects.filter(code="WAGER-LATE"):
        shown = page(inspector, finding.get_absolute_url())
        assert ("Rules are silent" in shown) is silent[finding.table]


def test_what_waits_and_why_is_on_the_page_of_what_was_audited(house: House, inspector: Client) -> None:
    table = house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_000))
    consume_new_entries("harbour")
    size = size_of("harbour")
    shown = inspector.get(COVERAGE).content.decode()
    assert f"0 to {size - 1}" in shown
    assert "New." in shown
    house.audit()
    assert "None: everything recorded so far was audited." in inspector.get(COVERAGE).content.decode()
    house.state(table, LimitsValue(min=500, max=1_000), at=table.added_at)
    consume_new_entries("harbour")
    assert "says what held at sb-1 earlier." in inspector.get(COVERAGE).content.decode()
    audited = audit_position(house.casino).once_up_to
    assert audited
    for address in (LIST, COVERAGE):
        shown = " ".join(inspector.get(address).content.decode().split())
        assert f"Every entry below {audited:,} was audited; 1 stretch of it is being audited again" in shown
        assert "Nothing was audited yet." not in shown


def test_filters_narrow_the_list_and_nonsense_does_not_break_it(house: House, inspector: Client) -> None:
    many(house, 12)

    def count(query: str) -> int:
        return int(inspector.get(f"{LIST}?{query}").context["table"].count)

    assert count("") == 12
    assert count("code=WAGER-LATE") == 6
    assert count("code=WAGER-LATE&table=sb-0") == 2
    assert count("severity=note") == 6
    # Harbour is eleven hours ahead of UTC in November, so noon there is 01:00 UTC.
    assert count("until=2026-11-16T23:05") == 5
    assert count("since=2026-11-16T23:05") == 7
    assert count("state=superseded") == 0
    assert count("code=NONSENSE&since=yesterday&page=99") == 12
    assert "No finding fits this filter." in page(inspector, f"{LIST}?code=DICE-24H")


def test_ten_thousand_take_as_many_queries_as_one(
    house: House, inspector: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    many(house, 1)
    page(inspector, LIST)
    with CaptureQueriesContext(connection) as for_one:
        page(inspector, LIST)
    many_more(house)
    with django_assert_num_queries(len(for_one)):
        assert "10,001" in page(inspector, LIST)


def test_the_tables_to_choose_from_are_read_one_by_one_however_much_was_found(house: House) -> None:
    assert tables_with_findings(house.casino) == []
    many(house, 3_000)
    one_more(table="")
    one_more(table="zz", casino=house.crew.cast.marina)
    assert tables_with_findings(house.casino) == ["sb-0", "sb-1", "sb-2"]
    assert tables_with_findings(house.crew.cast.marina) == ["zz"]
    with connection.cursor() as cursor:
        # Independent of the current table statistics.
        cursor.execute("SET LOCAL enable_sort = off")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {TABLES_SQL}", {"casino": house.casino.pk})
        [[[explained]]] = cursor.fetchall()
    scans = [node for node in nodes_of(explained["Plan"]) if node.get("Relation Name") == "audit_finding"]
    assert {scan["Index Name"] for scan in scans} == {"audit_finding_by_table"}
    assert sum(scan["Actual Rows"] * scan["Actual Loops"] for scan in scans) == pytest.approx(3, abs=0.1)


def one_more(**other: object) -> None:
    """Inserts a copy of the last finding with these changes."""
    row = Finding.objects.latest("entry_index")
    row.pk, row.entry_index, row.subject_index = None, row.entry_index + 1, row.subject_index + 1
    for name, value in other.items():
        setattr(row, name, value)
    row.save(force_insert=True)


def nodes_of(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All nodes of a PostgreSQL query plan."""
    yield node
    for below in node.get("Plans", ()):
        yield from nodes_of(below)


def many_more(house: House) -> None:
    row = Finding.objects.get()
    rows = []
    for number in range(1, 10_001):
        row.pk, row.entry_index, row.subject_index = None, 5_000 + number, number
        rows.append(Finding(**{f.attname: getattr(row, f.attname) for f in Finding._meta.fields if f.name != "id"}))
    Finding.objects.bulk_create(rows, batch_size=2_000)


def test_whose_finding_it_is_decides_who_sees_it(house: House) -> None:
    many(house, 1)
    finding = Finding.objects.get()
    assert access_finding(house.crew.sid, house.casino, finding.entry_index) == finding
    for person, casino in (
        (house.crew.cast.mara, house.casino),
        (house.crew.cast.ada, house.casino),
        (house.crew.cast.otto, house.casino),
        (house.crew.sid, house.crew.cast.marina),
    ):
        with pytest.raises(NotFound):
            access_finding(person, casino, finding.entry_index)


def test_marketing_reads_findings_about_promotions_and_no_others(house: House) -> None:
    many(house, 1)
    finding = Finding.objects.get()
    mara, casino = house.crew.cast.mara, house.casino
    assert readable_codes(mara, casino) == MARKETING_CODES
    assert "PROMO-FILED-LATE" in MARKETING_CODES
    assert finding.code not in MARKETING_CODES
    assert readable_codes(house.crew.sid, casino) is None
    assert readable_codes(house.crew.cast.otto, casino) == ()


def test_the_way_in_leads_straight_to_the_only_casino(inspector: Client) -> None:
    assert inspector.get("/findings/").headers["Location"] == LIST
