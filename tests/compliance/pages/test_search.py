"""The search finds every kind of record for those who may open it, and never one of another casino."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from compliance.audit.models import PackedRound
from compliance.core.accounts.roles import Role
from compliance.disputes.services import log_dispute
from compliance.disputes.subject.disputed_entry import subject_at
from promotions.terms.services import begin_draft, file_terms
from rounds.ledger.models import IndexedTerm, Log
from rounds.ledger.readers.search_index import index_new_entries
from tests.compliance.audit.conftest import house
from tests.compliance.core.accounts.people import browser_of, give_phone, hire
from tests.compliance.inspection.reviews.conftest import office
from tests.compliance.inspection.reviews.scenario import ReviewScenario, many_reviews
from tests.promotions.crew import answers
from tests.rounds.floor.conftest import crew

__all__ = ["crew", "house", "office"]


def kinds(browser: Client, text: str) -> dict[str, list[str]]:
    page = browser.get("/search/", {"q": text})
    assert page.status_code == 200
    found = page.context.get("kinds", [])
    return {one.title: [hit.label for hit in one.hits] for one in found}


@pytest.fixture
def filled(office: ReviewScenario) -> ReviewScenario:
    """An overpaid round r-1 at table sb-1, a dispute about it, and a promotion."""
    [review] = office.overpay()
    subject = subject_at(office.casino, review.finding.subject_index)
    assert subject is not None
    log_dispute(
        subject=subject,
        wagers=["w-7"],
        grounds="other",
        statement="Odd.",
        present=[],
        patron={"name": "Pat Example"},
        actor=office.sid,
        now=office.now,
    )
    now = timezone.now()
    draft = begin_draft(casino=office.casino, actor=office.house.crew.cast.mara, now=now)
    draft.answers = answers(now + timedelta(days=3))
    draft.save()
    file_terms(draft=draft, actor=office.house.crew.cast.mara, now=now)
    index_new_entries("harbour")
    return office


def test_each_kind_is_found_by_its_own_name(filled: ReviewScenario) -> None:
    browser = browser_of(filled.ines)
    [finding] = [one.finding for one in filled.audit()]
    by_round = kinds(browser, "R-1")
    assert by_round["Rounds"] == ["Round r-1"]
    assert by_round["Findings"] == [f"SETTLE-OVERPAID, {finding.entry_index}"], "what was found about the round"
    assert by_round["Disputes"] == ["D-1"]
    assert kinds(browser, "sb-1")["Tables"] == ["Table SB-1"]
    assert kinds(browser, "overpaid") == {"Findings": [f"SETTLE-OVERPAID, {finding.entry_index}"]}
    assert kinds(browser, "D-1") == {"Disputes": ["D-1"], "References": ["D-1"]}
    assert kinds(browser, "p-1")["Promotions"] == ["P-1"]
    number = kinds(browser, f"{finding.entry_index}")
    assert number["Findings"] == [f"SETTLE-OVERPAID, {finding.entry_index}"]
    assert number["Entries of the ledger"] == [f"Entry {finding.entry_index}"]
    page = browser.get("/search/", {"q": "r-1"}).content.decode()
    found = page.partition('class="hits"')[2]
    for href in re.findall(r'<li><a href="(/casinos/[^"]+)"', found):
        assert browser.get(href).status_code == 200, href


def test_people_are_found_by_name_or_role_by_those_who_administer(filled: ReviewScenario) -> None:
    administrator = browser_of(filled.house.crew.cast.ada)
    assert kinds(administrator, "Mara")["People"] == ["Mara"]
    assert kinds(administrator, "compliance officer")["People"] == ["Cora"]
    assert kinds(administrator, "Ines") == {}, "who works for the government"
    of_government = browser_of(filled.house.crew.cast.gail)
    assert kinds(of_government, "Ines")["People"] == ["Ines"]
    assert kinds(of_government, "authority officer")["People"] == ["Olga"]
    assert kinds(of_government, "Mara") == {}
    assert kinds(administrator, "r-1") == {}, "administrators keep accounts and nothing else"
    assert kinds(browser_of(filled.ines), "Ines") == {}


def test_nothing_of_another_casino_and_no_patron_is_ever_found(filled: ReviewScenario) -> None:
    cast = filled.house.crew.cast
    stranger = hire("stan", cast.marina, Role.INSPECTOR, by=cast.otto)
    give_phone(stranger)
    for text in ("r-1", "sb-1", "overpaid", "D-1", "P-1", "hatchback", "12", "Ines"):
        assert kinds(browser_of(stranger), text) == {}, text
    assert set(kinds(browser_of(stranger), "1")) == {"Entries of the ledger"}, "of Marina's own log"
    for text in ("Pat Example", "Example"):
        assert kinds(browser_of(filled.ines), text) == {}, "details of patrons are not searched"


def test_marketing_finds_promotions_and_no_rounds(filled: ReviewScenario) -> None:
    marketing = browser_of(filled.house.crew.cast.mara)
    assert kinds(marketing, "r-1") == {}
    assert kinds(marketing, "P-1") == {"Promotions": ["P-1"]}


def test_empty_too_short_and_nothing_found(office: ReviewScenario) -> None:
    browser = browser_of(office.ines)

    def said(text: str) -> str:
        return browser.get("/search/", {"q": text}).content.decode()

    assert "Type what you look for" in said("   ")
    assert "at least 2 letters" in said("x")
    assert kinds(browser, "1")["Entries of the ledger"] == ["Entry 1"], "the first nine have one figure"
    assert "Nothing that you may open is called so." in said("xyzzy")
    assert "Nothing that you may open" in said("99999999999999999999")
    assert "Nothing that you may open" in said("a\x00b")
    assert "&lt;script&gt;" in said("<script>")
    assert len(said("y" * 5_000)) < 20_000
    assert 'action="/search/"' in browser.get("/").content.decode(), "the box is in the header"
    assert 'action="/search/"' not in Client().get("/sign-in/").content.decode()


def test_many_take_as_many_queries_as_one_and_rounds_come_from_an_index(filled: ReviewScenario) -> None:
    browser = browser_of(filled.ines)
    one = queries(browser, "overpaid"), queries(browser, "r-1")
    many_reviews(filled, 10_000)
    log = Log.objects.get(slug="harbour")
    IndexedTerm.objects.bulk_create(
        (IndexedTerm(log=log, what="round", value=f"m-{number}", index=500_000 + number) for number in range(5_000)),
        batch_size=5_000,
    )
    PackedRound.objects.bulk_create(
        (
            PackedRound(
                log="harbour",
                entry_index=500_000 + number,
                table="sb-1",
                round=f"m-{number}",
                gaming_day=filled.now.date(),
                started_at=filled.now,
                ended_at=filled.now,
                outcome=1,
                is_plain=True,
                is_void=False,
                have_lights_failed=False,
                events=b"",
                wagers=b"",
            )
            for number in range(5_000)
        ),
        batch_size=5_000,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE ledger_mention, audit_packedround, audit_finding")
    assert (queries(browser, "overpaid"), queries(browser, "r-1")) == one
    page = browser.get("/search/", {"q": "overpaid"}).content.decode()
    assert "There are more." in page
    with CaptureQueriesContext(connection) as captured:
        assert kinds(browser, "m-777")["Rounds"] == ["Round m-777"]
    for table in ("ledger_mention", "audit_packedround"):
        [sql] = [query["sql"] for query in captured.captured_queries if f'FROM "{table}"' in query["sql"]]
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {sql}")
            plan = "\n".join(row[0] for row in cursor.fetchall())
        assert f"Seq Scan on {table}" not in plan, plan


def queries(browser: Client, text: str) -> int:
    """Number of queries of a search, after a first visit has warmed the caches."""
    kinds(browser, text)
    with CaptureQueriesContext(connection) as found:
        kinds(browser, text)
    return len(found)
