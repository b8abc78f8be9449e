"""Files and registers: each kind built from a small real ledger, compared between PDF and page, and verified
offline."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from msgspec import UNSET
from msgspec.structs import replace as changed

from compliance.core.web.pdf.sections import Row
from compliance.disputes.entry_bodies import DecisionBody
from compliance.disputes.models import Dispute
from compliance.disputes.pdf.dispute_file import dispute_file
from compliance.disputes.services import decide_dispute, log_dispute
from compliance.disputes.subject.disputed_entry import subject_at
from compliance.reports.document.structure import Document, IllustratedDocument, decode_document, encode_document
from compliance.reports.errors import NothingToReport, ReportTooLarge
from compliance.reports.jobs import size_limits
from compliance.reports.jobs.request import request_report
from compliance.reports.kinds import REPORT_KINDS
from compliance.reports.models import Report
from compliance.tables.closures.services import announce_closure
from compliance.tables.equipment.consumer import consume_equipment
from compliance.tables.limit_notices.services import schedule_notice
from promotions.claims.services import decide_claim, record_claim
from promotions.draws.services import hold_draw, record_winner, schedule_draw
from promotions.terms.services import begin_draft, file_terms
from rounds.floor.fact_values import BetLimitsValue, LimitsValue
from rounds.intake.protocol import equipment as lines
from rounds.intake.protocol.fields import Staff
from tests.compliance.audit.round_builders import wager
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.reports.report_builder import make_report, verify_offline
from tests.compliance.tables.signs.builders import MINUTE, START, nsw_table, put_up, raise_minimum, run_workers
from tests.pdf_text import extract_text
from tests.promotions.crew import answers

JUNE = {"first": "2026-06-01", "last": "2026-06-30"}
YEAR = {"first": "2026-01-01", "last": "2026-12-31"}


def assert_shown(
    office: ReviewScenario, kind: str, chosen: dict[str, str], *words: str, short: dict[str, str] | None = None
) -> None:
    """Generates the report, verifies it, and compares PDF and page. `short` is the expected summary at its head."""
    report = make_report(office, kind, **chosen)
    checked = verify_offline(report.path(".pdf"))
    assert checked.returncode == 0, (kind, checked.stdout)
    head, *_ = decode_document(report.path(".json").read_bytes()).sections
    assert short is None or {fact.name: fact.value for fact in head.facts} == short, kind
    on_paper = extract_text(report.path(".pdf").read_bytes())
    twin = browser_of(office.ines).get(f"/casinos/harbour/reports/{report.pk}/").content.decode()
    for word in (*words, "Checkpoint", "What was audited", "Sic Bo (New South Wales), version 1", "Readings"):
        assert word in on_paper, (kind, word)
        assert word in twin, (kind, word)


def test_notices_of_limits_by_type_of_wager(committed_office: ReviewScenario) -> None:
    office, crew = committed_office, committed_office.house.crew
    table, triples = nsw_table(crew), {"triple:any": BetLimitsValue(max=10_000)}
    office.house.rules["sb-1"] = "nsw-sic-bo"
    for by_bet in (UNSET, triples):
        limits = LimitsValue(min=400, max=50_000, by_bet=by_bet)
        schedule_notice(table=table, limits=limits, actor=crew.sid, now=START + (by_bet is triples) * MINUTE)
    office.audit()
    assert_shown(office, "notices", JUNE, "By type of wager", "Any Triple $4.00 to $100.00")


def test_notices_closures_and_equipment(committed_office: ReviewScenario) -> None:
    office, crew = committed_office, committed_office.house.crew
    table = nsw_table(crew)
    office.house.rules["sb-1"] = "nsw-sic-bo"
    notice = raise_minimum(crew, table)
    put_up(crew, notice.sign, START + 2 * MINUTE)
    run_workers(START + 22 * MINUTE)
    announce_closure(
        table=table,
        closes_at=START + 90 * MINUTE,
        players_present=True,
        streak_in_progress=False,
        actor=crew.sid,
        now=START + 60 * MINUTE,
    )
    office.house.report(
        "fault",
        lines.Fault(fault="F-204", equipment="electrical-device", effect="not-lit"),
        at=START + 5 * MINUTE,
    )
    office.house.report("dice-placed", lines.DicePlaced(dice="set-1"), at=START - 40 * MINUTE)
    office.house.report(
        "inspection",
        lines.Inspection(
            item="electrical-device",
            occasion="before-opening",
            trials=3,
            passed=True,
            entered=(),
            by=Staff(position="games-supervisor", number="G-7"),
        ),
        at=START - 30 * MINUTE,
    )
    consume_equipment(lambda: START + 6 * MINUTE)
    office.audit()
    assert_shown(
        office,
        "notices",
        JUNE,
        "$25.00",
        "$500.00",
        "4.5",
        "20 of 20 min",
        "In force",
        "Closings",
        "Never up; 20 min were needed",
        short={
            "Changes of limits": "1",
            "In force": "1",
            "Closings": "1, of which 0 in an emergency",
            "Announced": "1",
        },
    )
    assert_shown(
        office,
        "equipment",
        JUNE,
        "F-204",
        "Stopped",
        "Games supervisor G-7",
        "Passed",
        "Electrical device: not lit",
        short={
            "Faults": "1, of which 1 stopped play",
            "Not over yet": "1",
            "Inspections": "1, of which 0 failed",
            "Dice, shakers and shoes at tables": "1",
        },
    )


def test_the_file_of_a_dispute(committed_office: ReviewScenario) -> None:
    office, crew = committed_office, committed_office.house.crew
    office.house.open_table()
    index = office.house.play((4, 2, 4), wager("small", 2_500, 0, id="w-7", verdict="lose"))
    subject = subject_at(office.casino, index)
    assert subject is not None
    now = timezone.now()
    dispute = log_dispute(
        subject=subject,
        wagers=["w-7"],
        grounds="not-paid",
        statement="Ten is small.",
        present=["dealer"],
        patron={"name": "Ling Patron"},
        actor=crew.gina,
        now=now,
    )
    decide_dispute(
        dispute=dispute,
        rung=0,
        decision=DecisionBody(outcome="upheld", reasons="The dealer misread it."),
        actor=crew.gina,
        now=now + MINUTE,
    )
    assert_shown(
        office,
        "dispute",
        {"dispute": "D-1"},
        "Ten is small.",
        "4-2-4, total 10",
        "$25.00",
        "$50.00",
        "The dealer misread it.",
        "Left out",
    )
    report = REPORT_KINDS["dispute"].build(office.casino, {"dispute": "D-1"}, now).document
    it = Dispute.objects.with_file().get()
    made: dict[str, Any] = {"is_government": False, "made_for": "Ines", "now": now}
    printed = extract_text(dispute_file(it, patron={"name": "Ling Patron"}, **made)).replace(" ", "")
    for section in report.sections:
        cells = [cell for row in section.grid.rows for cell in row.cells] if section.grid else []
        facts = [words for fact in section.facts if fact.value != "Left out" for words in (fact.name, fact.value)]
        for words in (section.title, *section.texts, *facts, *cells):
            assert words.replace(" ", "") in printed, words
    assert "Patron'snameLingPatron" in printed
    assert b"Ling Patron" not in encode_document(report)
    form = browser_of(office.ines).post("/casinos/harbour/reports/new/dispute/", {"dispute": "D-2"})
    assert b"There is no dispute with this reference" in form.content


def test_the_file_of_a_promotion_and_the_register_of_denied_claims(committed_office: ReviewScenario) -> None:
    office = committed_office
    office.house.open_table()
    mara = office.house.crew.cast.mara
    now = timezone.now() - timedelta(days=1)
    draft = begin_draft(casino=office.casino, actor=mara, now=now)
    draft.answers = answers(now + timedelta(days=10))
    draft.save()
    version = file_terms(draft=draft, actor=mara, now=now)
    draw = schedule_draw(
        promotion=version.promotion, scheduled_at=now, place="Stage", method="Barrel", actor=mara, now=now
    )
    hold_draw(
        draw=draw,
        held_at=now,
        place="Stage",
        method="Barrel",
        entries=10,
        result="Ticket 4",
        scrutineer="Sam Keen",
        is_confirmed=True,
        actor=mara,
        now=now,
    )
    record_winner(
        draw=draw,
        prize="Hatchback",
        value_cents=2_500_000,
        entry_drawn="Stub 4B",
        person={"name": "Pat"},
        actor=mara,
        now=now,
    )
    claim = record_claim(
        promotion=version.promotion,
        prize="Trip to Cairns",
        value_cents=400_000,
        claimed_at=now,
        details="",
        actor=mara,
        now=now,
    )
    person = {"name": "Pat Example", "address": "12 Quay Street"}
    decide_claim(claim=claim, is_met=False, reasons="Entries had closed.", person=person, actor=mara, now=now)
    assert_shown(
        office,
        "promotion",
        {"promotion": "P-1"},
        "Spring Draw",
        "$25,000.00",
        "Ticket 4",
        "Stub 4B",
        "Sam Keen",
        "Entries had closed.",
        "Denied",
        version.terms_sha256[:20],
    )
    day = now.astimezone(office.casino.zone).date().isoformat()
    assert_shown(
        office,
        "denials",
        {"first": day, "last": day},
        "C-1",
        "$4,000.00",
        "Entries had closed.",
        "Not told for",
        "Personal record",
        short={"Claims denied": "1", "Worth together": "$4,000.00", "Nobody was told why": "1"},
    )
    for report in Report.objects.all():
        said = extract_text(report.path(".pdf").read_bytes()) + report.path(".json").read_text()
        assert "Pat Example" not in said
        assert "Quay Street" not in said


def test_a_row_that_says_another_amount_than_its_record_is_found(
    committed_office: ReviewScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dishonest service: its pages are recorded and proved, but the amounts do not match the entries."""
    office = committed_office
    office.overpay()
    honest = REPORT_KINDS["discrepancies"]

    def lie(casino: object, chosen: object, now: object) -> IllustratedDocument:
        drawn = honest.build(casino, chosen, now)  # type: ignore[arg-type]
        return IllustratedDocument(_with_cell(drawn.document, "$51.00", "$50.00"), drawn.drawings)

    monkeypatch.setitem(REPORT_KINDS, "discrepancies", replace(honest, build=lie))
    checked = verify_offline(make_report(office, "discrepancies").path(".pdf"))
    assert checked.returncode == 1
    assert "A row says '$50.00' as 'Handed back'" in checked.stdout
    assert "must not be relied on" in checked.stdout


def _with_cell(document: Document, old: str, new: str) -> Document:
    sections = []
    for section in document.sections:
        grid = section.grid
        if grid is not None:
            rows = tuple(Row(tuple(new if cell == old else cell for cell in row.cells), row.entry) for row in grid.rows)
            section = changed(section, grid=changed(grid, rows=rows))
        sections.append(section)
    return changed(document, sections=tuple(sections))


def test_a_period_with_nothing_in_it_and_one_with_too_much(
    office: ReviewScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    for kind, words in (
        ("notices", "There are no notices and closings in what you chose."),
        ("equipment", "There are no records of equipment in what you chose."),
        ("denials", "There are no denied claims in what you chose."),
    ):
        with pytest.raises(NothingToReport, match=words):
            request_report(casino=office.casino, kind=kind, chosen=JUNE, actor=office.ines, now=now)
        page = browser_of(office.ines).post(f"/casinos/harbour/reports/new/{kind}/", JUNE)
        assert words in page.content.decode()
    office.overpay(2)
    monkeypatch.setattr(size_limits, "MAX_ROWS", 1)
    with pytest.raises(ReportTooLarge, match="That is 2 findings; one report holds at most 1"):
        request_report(casino=office.casino, kind="discrepancies", chosen={}, actor=office.ines, now=now)


def test_whoever_reads_a_thing_may_have_the_report_on_it_and_no_other(office: ReviewScenario) -> None:
    """Marketing may read promotions, supervisors disputes; other kinds look absent to them."""
    mara, place = office.house.crew.cast.mara, "/casinos/harbour/reports/"
    for person, theirs in ((mara, {"promotion", "denials"}), (office.sid, {"dispute"})):
        page = browser_of(person)
        listed = page.get(place).content.decode()
        for kind in REPORT_KINDS:
            assert (page.get(f"{place}new/{kind}/").status_code == 200) is (kind in theirs), (person, kind)
            assert (f"{place}new/{kind}/" in listed) is (kind in theirs), (person, kind)
        assert page.get(f"{place}schedules/").status_code == 404
        assert page.get("/casinos/harbour/dashboard/").status_code == 404


def test_the_list_is_searched_and_says_when_nothing_fits(office: ReviewScenario) -> None:
    now, page = timezone.now(), browser_of(office.ines)
    asked = request_report(casino=office.casino, kind="certificate", chosen={}, actor=office.ines, now=now)
    for query, is_there in (
        ({"words": "integrity"}, True),
        ({"words": str(asked.pk)}, True),
        ({"words": "Ines"}, True),
        ({"kind": "daily"}, False),
        ({"state": "waiting", "kind": "certificate"}, True),
        ({"words": "zebra"}, False),
        ({"kind": "nonsense", "state": "nonsense"}, True),
    ):
        text = page.get("/casinos/harbour/reports/", query).content.decode()
        assert (f"Ledger integrity certificate ({asked.pk})" in text) is is_there, query
        assert ("No report fits." in text) is not is_there, query


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ("2026-06-02", "2026-06-01", "The last day must not come before the first."),
        ("2025-01-01", "2026-01-02", "A period has at most 366 days."),
        ("2150-01-01", "2150-01-02", "This gaming day has not begun yet."),
        ("", "2026-06-01", "Enter the first gaming day."),
        ("yesterday", "2026-06-01", "Enter a day, such as 16 November 2026."),
        ("0001-01-01", "0001-01-01", "Enter a day, such as 16 November 2026."),
    ],
)
def test_a_period_that_makes_no_sense_is_refused_and_kept(
    first: str, last: str, words: str, office: ReviewScenario
) -> None:
    page = browser_of(office.ines).post("/casinos/harbour/reports/new/notices/", {"first": first, "last": last})
    text = page.content.decode()
    assert page.status_code == 200
    assert words in text
    assert f'value="{first}"' in text or not first
