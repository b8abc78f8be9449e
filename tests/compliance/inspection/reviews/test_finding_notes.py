"""What pages and lists of records show of the findings about them, and which records may be green."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compliance.audit.models import Finding
from compliance.core.accounts.roles import Role
from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.record_notes import RecordNotes
from compliance.disputes.services import log_dispute
from compliance.disputes.subject.disputed_entry import subject_at
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.views.finding_notes import MAX_LISTED, FindingNotes
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from rounds.ledger.readers.search_index import index_new_entries
from tests.compliance.audit.house import NOW
from tests.compliance.audit.round_builders import wager
from tests.compliance.core.accounts.people import browser_of, give_phone, hire
from tests.compliance.inspection.reviews.scenario import FIRST_SUBJECT, ReviewScenario, many_reviews

HARBOUR = "/casinos/harbour"
GREEN = re.compile(r'tag-success">([^<]*)<')


@pytest.fixture
def supervisor(office: ReviewScenario) -> Client:
    return browser_of(office.sid)


def text_of(browser: Client, url: str) -> str:
    response = browser.get(url)
    assert response.status_code == 200, url
    return " ".join(response.content.decode().split())


@pytest.mark.parametrize(
    ("notes", "label", "kind"),
    [
        (RecordNotes(), "Paid", "success"),
        (RecordNotes(serious=1), "Paid, 1 finding", "danger"),
        (RecordNotes(breaches=2), "Paid, 2 findings", "warning"),
        (RecordNotes(serious=1, breaches=1), "Paid, 2 findings", "danger"),
        (RecordNotes(void="Invalidated"), "Invalidated, Paid", "danger"),
    ],
)
def test_green_is_only_for_records_in_order(notes: RecordNotes, label: str, kind: str) -> None:
    assert notes.tag(Tag("Paid", "success")) == Tag(label, kind)  # type: ignore[arg-type]


def test_the_page_of_a_round_shows_what_was_found_claimed_due_and_decided(
    office: ReviewScenario, supervisor: Client
) -> None:
    [review] = office.overpay()
    found = review.finding
    page = text_of(supervisor, f"{HARBOUR}/rounds/{found.subject_index}/")
    for words in (
        f"Finding {found.entry_index:,}",
        found.code,
        found.sentence,
        f"clause {found.clause}",
        "Serious",
        "Open",
        'Difference <data class="figure" value="1.00">$1.00</data>.',
        "Won, 1 finding",
    ):
        assert words in page, words
    assert f"{HARBOUR}/findings/{found.entry_index}/comment/" in page
    assert "Won" not in GREEN.findall(page)
    office.decide(review, Outcome.UPHELD)
    assert "Upheld" in text_of(supervisor, f"{HARBOUR}/rounds/{found.subject_index}/")
    office.decide(review, Outcome.NOT_UPHELD)
    page = text_of(supervisor, f"{HARBOUR}/rounds/{found.subject_index}/")
    assert "Not upheld" in page
    assert "Won" in GREEN.findall(page)


def test_lists_of_rounds_say_what_stands_against_each_in_one_query(office: ReviewScenario, supervisor: Client) -> None:
    office.overpay(1)
    counts = []
    for further in (1, 8):
        office.overpay(further)
        text_of(supervisor, f"{HARBOUR}/floor/tables/sb-1/play/")
        with CaptureQueriesContext(connection) as captured:
            page = text_of(supervisor, f"{HARBOUR}/floor/tables/sb-1/play/")
        counts.append(len(captured))
    assert counts[0] == counts[1]
    rows = page[page.index('id="rounds"') :]
    assert rows.count("1 finding<") == 10
    taken = supervisor.get(f"{HARBOUR}/floor/tables/sb-1/play/?rounds-format=csv").getvalue().decode()
    assert taken.count("1 finding") == 10


def test_an_invalidated_round_says_so_wherever_it_is_shown(office: ReviewScenario, supervisor: Client) -> None:
    house = office.house
    table = house.open_table()
    index = house.play((2, 3, 3), wager("small", 1_000, 2_000, id="won"), wager("big", 1_000, 0, id="lost"))
    subject = subject_at(office.casino, index)
    assert subject is not None
    dispute = log_dispute(
        subject=subject,
        wagers=["lost"],
        grounds="not-paid",
        statement="The dice were touched.",
        present=["dealer"],
        actor=office.sid,
        now=NOW,
    )
    pages = (f"{HARBOUR}/rounds/{index}/", f"{HARBOUR}/floor/tables/sb-1/play/", dispute.get_absolute_url())
    assert all("Invalidated" not in text_of(supervisor, url) for url in pages)
    report = ConductReport(at=NOW + timedelta(hours=2), kind="invalidation", grounds="disruption", rounds=[str(index)])
    record_conduct(table=table, report=report, actor=office.sid, now=NOW + timedelta(hours=2))
    office.audit()
    for url in pages:
        assert "Invalidated" in text_of(supervisor, url), url
    page = text_of(supervisor, f"{HARBOUR}/rounds/{index}/")
    assert page.index("The outcome of this round was invalidated") < page.index("round-result")
    assert "Invalidated, Lost, 1 finding" in page
    assert "Won" not in GREEN.findall(page)
    about = text_of(supervisor, dispute.get_absolute_url())
    assert about.index("The outcome of this round was invalidated") < about.index("What is disputed")
    assert "SETTLE-VOID-KEPT" in about
    assert "Invalidated" in text_of(supervisor, f"{HARBOUR}/disputes/new/tables/sb-1/")
    replayed = text_of(supervisor, f"{HARBOUR}/rounds/{index}/replay/")
    assert replayed.index("The outcome of this round was invalidated") < replayed.index("After the beginning")
    assert "SETTLE-VOID-KEPT" in replayed
    index_new_entries("harbour")
    [hit] = re.findall(rf'<li><a href="{HARBOUR}/rounds/{index}/">.*?</li>', text_of(supervisor, "/search/?q=r-1"))
    assert "Invalidated, 1 finding" in hit
    shift_manager = hire("shirin", office.casino, Role.SHIFT_MANAGER, by=office.house.crew.cast.ada)
    give_phone(shift_manager)
    asked = "table=sb-1&dice_set=set-1&since=2020-01-01T00:00&until=2030-01-01T00:00"
    candidates = text_of(browser_of(shift_manager), f"{HARBOUR}/equipment/damaged-dice/new/?{asked}")
    assert "Invalidated, 1 finding" in candidates


def test_a_finding_is_about_the_entry_that_was_checked_and_not_about_what_it_rests_on(office: ReviewScenario) -> None:
    first, _ = office.overpay(2)
    [approval] = set(first.finding.evidence) - {first.finding.subject_index}
    about = Finding.objects.about
    assert list(about("harbour", [first.finding.subject_index])) == [first.finding]
    assert not about("harbour", [approval]).exists()
    assert not about("marina", [first.finding.subject_index]).exists()
    assert not about("harbour", [first.finding.entry_index]).exists()


def test_more_findings_than_a_page_lists_are_counted(office: ReviewScenario) -> None:
    many_reviews(office, 3 * MAX_LISTED)
    notes = FindingNotes().one(office.sid, office.casino, range(FIRST_SUBJECT, FIRST_SUBJECT + 3 * MAX_LISTED), "")
    assert (len(notes.findings), notes.more, notes.serious, notes.breaches) == (MAX_LISTED, 2 * MAX_LISTED, 25, 25)
    assert {finding.level for finding in notes.findings} == {"serious"}


def test_the_floor_counts_as_open_what_nobody_has_decided(office: ReviewScenario, supervisor: Client) -> None:
    first, *_ = office.overpay(3)
    floor = f"{HARBOUR}/floor/"
    assert "3 open" in text_of(supervisor, f"{HARBOUR}/floor/tables/sb-1/play/")
    office.decide(first)
    page = text_of(supervisor, f"{HARBOUR}/floor/tables/sb-1/play/")
    assert "2 open" in page
    listed = text_of(supervisor, f"{HARBOUR}/findings/?table=sb-1&state=undecided")
    assert listed.count("SETTLE-OVERPAID</a>") == 2
    assert supervisor.get(floor).status_code == 200
