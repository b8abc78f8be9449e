"""The page of a clause: what implements it, and each violation case with the finding that it produces."""

import html
import re
from datetime import UTC, datetime

import pytest

from compliance.audit.pages.clause_page import SCREEN_TITLES, RecordPair, explain_citation, is_part_of, pair_records
from compliance.audit.pages.record_text import CaseText
from compliance.audit.run.violation_cases import evaluate_records
from compliance.core.accounts.roles import Role
from compliance.core.web.ui.links import casino_url
from rounds.rulebook.packs.clause_coverage import list_bound_clauses
from rounds.rulepacks import shipped_packs
from rounds.rulepacks.violation_cases import CaseRecord, ViolationCase, violation_cases
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, RWS, SKYCITY
from tests.compliance.core.accounts.people import browser_of, give_phone, hire

ALL_CASES = [case for pack in shipped_packs() for case in violation_cases(pack.slug)]


def read(house: House, clause: str, rules: str = MBS) -> tuple[int, str]:
    address = casino_url("audit:clause", house.casino, rules=rules, number=1, clause=clause)
    page = browser_of(house.crew.cast.ines).get(address)
    return page.status_code, " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page.content.decode())).split())


def test_every_case_of_the_clause_is_shown_with_its_finding(house: House) -> None:
    house.open_table(rules=MBS)
    status, text = read(house, "5.5")
    assert status == 200
    cases = [case for case in violation_cases(MBS) if "5.5" in case.clauses]
    assert cases
    for case in cases:
        assert case.why in text
        assert f"{case.code} , clause {case.cites}" in text
    assert "In the violation In honest play In both" in text


def test_the_version_page_leads_to_its_clauses(house: House) -> None:
    house.open_table(rules=MBS)
    page = browser_of(house.crew.cast.ines).get(casino_url("rulebook:version", house.casino, rules=MBS, number=1))
    assert casino_url("audit:clause", house.casino, rules=MBS, number=1, clause="5.5") in page.content.decode()


@pytest.mark.parametrize("role", sorted(Role))
def test_everybody_who_reads_the_version_can_follow_its_links_to_clauses(house: House, role: Role) -> None:
    house.open_table(rules=MBS)
    person = hire("reader", house.casino, role, by=house.crew.cast.ada)
    give_phone(person)
    browser = browser_of(person)
    page = browser.get(casino_url("rulebook:version", house.casino, rules=MBS, number=1)).content.decode()
    [link, *_] = re.findall(r'href="([^"]+/clauses/[^"]+/)"', page)
    assert browser.get(link).status_code == 200


def test_a_clause_that_is_not_automated_says_why(house: House) -> None:
    house.open_table(rules=MBS)
    status, text = read(house, "2.3")
    assert status == 200
    assert "Not automated because" in text
    assert "How a violation is found" not in text


def test_a_clause_that_the_document_lacks_is_not_found(house: House) -> None:
    house.open_table(rules=MBS)
    assert read(house, "99")[0] == 404


def kinds(pair: RecordPair) -> set[str]:
    return {record.kind for record in pair if record}


def test_a_row_has_records_of_one_kind_and_every_record_has_one_row() -> None:
    for case in ALL_CASES:
        pairs = pair_records(case)
        assert all(len(kinds(pair)) == 1 for pair in pairs), case.name
        shown = [record for pair in pairs for record in pair if record]
        assert len(shown) == len(case.breach) + len(case.honest), case.name
        assert set(shown) == {*case.breach, *case.honest}, case.name


def find_case(rules: str, why: str) -> ViolationCase:
    return next(case for case in violation_cases(rules) if case.why.startswith(why))


def test_a_further_record_of_the_violation_stands_beside_none() -> None:
    case = find_case(LICENSEE, "A round is played with the manual shaker, beside which")
    alone = [pair[0] for pair in pair_records(case) if pair[1] is None]
    assert [(record.kind, record.body.get("shaker")) for record in alone if isinstance(record, CaseRecord)] == [
        ("shaker-placed", "s-auto"),
        ("inspection", None),
    ]


def test_only_records_that_differ_have_rows(house: House) -> None:
    house.open_table(rules=LICENSEE)
    status, text = read(house, "6(d)", LICENSEE)
    assert status == 200
    assert "The same The same" not in text
    assert "The same in both: Shaker put to use, Round." in text


def test_results_entered_in_a_trial_are_in_words(house: House) -> None:
    house.open_table(rules=LICENSEE)
    text = read(house, "6(d)", LICENSEE)[1]
    assert "Numbers entered: 1-3-6, 2-2-5, 4-5-6" in text


def test_an_event_that_happens_again_is_shown_where_it_differs(house: House) -> None:
    house.open_table(rules=LICENSEE)
    assert "Dice tumbled: 20:00:29 EST" in read(house, "5(d)(1)", LICENSEE)[1]


def test_an_amount_paid_is_in_words(house: House) -> None:
    house.open_table(rules=NSW)
    text = read(house, "10.3", NSW)[1]
    assert "Prize paid: Claim C-1: $79.99 cash" in text
    assert "Paid by cash: $80.00" in text
    assert "{'" not in text


def test_findings_about_cases_are_correct_sentences() -> None:
    pack = shipped_packs().find(NSW)
    codes = {"PROMO-INCOMPLETE", "PROMO-PROHIBITED", "DISPUTE-RANK", "ROUND-CALLED", "ROUND-ENTRY"}
    cases = [case for case in violation_cases(NSW) if case.code in codes]
    drafts = [draft for case in cases for draft in evaluate_records(case, case.breach, pack)]
    assert codes <= {draft.code for draft in drafts}
    for draft in drafts:
        assert not re.search(r"\.\.|\.;|\ba inspector|offers “|no prize may[.;]", draft.sentence), draft.sentence


def test_a_label_stands_for_one_member_of_a_record() -> None:
    for case in ALL_CASES:
        text = CaseText(case)
        for pair in pair_records(case):
            if pair[0] and pair[1] and text.members(pair[0]) == text.members(pair[1]):
                assert pair[0].body == pair[1].body, case.name


def test_records_are_stated_in_words() -> None:
    stated = {
        f"{label}: {value}"
        for case in ALL_CASES
        for record in (*case.honest, *case.breach)
        for label, value in CaseText(case).members(record).items()
    }
    raw = re.compile(r"_|@|\dT\d|\dZ|\d{4}-\d\d|[{}\[\]]|cents|\b(?:True|False|None)\b|: *$")
    assert sorted(line for line in stated if raw.search(line)) == []
    money = re.compile(r"(?i)stake|returned|minimum|maximum|paid by|value|amount|marker|tokens")
    amounts = [line for line in stated if money.search(line.rpartition(": ")[0]) and line[-1].isdigit()]
    assert len(amounts) > 100
    assert [line for line in amounts if not re.search(r": \$[\d,]+\.\d\d$", line)] == []


@pytest.mark.parametrize(
    ("at", "text"),
    [
        ("2026-03-02T09:00:40Z", "20:00:40 AEDT"),
        ("2026-03-02T09:00:40.250Z", "20:00:40.25 AEDT"),
        ("2026-03-02T12:59:59Z", "23:59:59 AEDT"),
        ("2026-03-02T13:00:00Z", "3 Mar 2026 00:00:00 AEDT"),
    ],
)
def test_a_time_is_local_and_has_its_date_on_another_day(at: str, text: str) -> None:
    case = find_case(NSW, "The promotion was filed without a name")
    assert CaseText(case).time(datetime.fromisoformat(at)) == text


def test_the_times_of_a_finding_are_local() -> None:
    text = CaseText(find_case(NSW, "The promotion was filed without a name"))
    at = datetime(2026, 3, 1, 23, 59, 50, tzinfo=UTC)
    stated = "Paid at 23:59:58.500000 UTC, collected at 00:00:01.000000 UTC."
    assert text.local_times(stated, at) == "Paid at 10:59:58.5 AEDT, collected at 11:00:01 AEDT."


def test_no_page_states_a_time_in_utc(house: House) -> None:
    house.open_table(rules=NSW)
    assert "ROUND-EXPOSED , clause 8.3: The result was in sight at 20:00:39 AEDT" in read(house, "8.3", NSW)[1]
    for case in ALL_CASES:
        text, pack = CaseText(case), shipped_packs().find(case.rules)
        for draft in evaluate_records(case, case.breach, pack):
            assert not re.search(r"UTC(?!\+8)", text.local_times(draft.sentence, draft.at)), draft.sentence


@pytest.mark.parametrize(
    ("part", "whole", "is_part"),
    [
        ("9.4.1", "9.4", True),
        ("5.k(1)", "5.k", True),
        ("5(a)(1)", "5(a)", True),
        ("6.a", "6", True),
        ("9.4", "9.4", False),
        ("9.4", "9.4.1", False),
        ("10.12", "10.1", False),
        ("5(d)(2)", "5(a)", False),
    ],
)
def test_which_clause_is_part_of_another(part: str, whole: str, is_part: bool) -> None:
    assert is_part_of(part, whole) is is_part


@pytest.mark.parametrize(
    ("rules", "clause", "code", "cited", "sentence"),
    [
        (SKYCITY, "8.a", "ROUND-REASON", "8.a", ""),
        (
            SKYCITY,
            "8.a(i)",
            "ROUND-REASON",
            "8.a",
            "The finding cites clause 8.a as a whole, of which clause 8.a(i) is part.",
        ),
        (RWS, "5.2", "WAGER-UNREGISTERED", "5.2.2", "Clause 5.2.2, which the finding cites, is part of clause 5.2."),
        (
            NSW,
            "2.3",
            "ROUND-LIT",
            "5.4",
            "The same records violate clause 5.4 (“The three numbers are entered.”); ROUND-LIT checks both clauses, and"
            " a finding cites only one.",
        ),
    ],
)
def test_a_finding_that_cites_another_clause_says_why(
    house: House, rules: str, clause: str, code: str, cited: str, sentence: str
) -> None:
    bound = next(each for each in list_bound_clauses([shipped_packs().find(rules)]) if each.clause == clause)
    assert explain_citation(bound, code, cited) == sentence
    house.open_table(rules=rules)
    assert sentence in read(house, clause, rules)[1]


def test_every_page_that_a_clause_names_has_a_title() -> None:
    names = {name for each in list_bound_clauses(shipped_packs()) for name in each.entry.bind}
    assert {name for name in names if name.startswith("screen:")} == {f"screen:{each}" for each in SCREEN_TITLES}


def cells(house: House, rules: str, clause: str, why: str) -> list[list[str]]:
    """The rows of an example's table, each with its record and its three columns."""
    house.open_table(rules=rules)
    address = casino_url("audit:clause", house.casino, rules=rules, number=1, clause=clause)
    page = html.unescape(browser_of(house.crew.cast.ines).get(address).content.decode())
    section = next(each for each in page.split("<section>")[1:] if f"<h3>{why}" in each)
    rows = re.findall(r"<tr>(.*?)</tr>", section.partition("<tbody>")[2], re.DOTALL)
    return [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in rows]


@pytest.mark.parametrize(
    ("rules", "clause", "why", "fact"),
    [
        (SKYCITY, "4.b", "A wager placed two seconds after the bell", "Bell rung: 20:00:40 ACDT"),
        (NSW, "8.7.1", "No area lit up at the second Small", "Areas lit: none"),
        (RWS, "5.1.1", "Power fails after 1-2-4 could be read, so the round counts; the winning", "1-2-4"),
        (SKYCITY, "8.b", "A winning wager was refused before the bell", "Wager 1: refused: "),
    ],
)
def test_facts_that_decide_are_shown_where_both_records_state_them(
    house: House, rules: str, clause: str, why: str, fact: str
) -> None:
    [row] = cells(house, rules, clause, why)
    assert fact in row[3]
    assert fact not in row[1] + row[2]


def test_times_that_moved_with_the_record_are_no_difference(house: House) -> None:
    rows = cells(house, SKYCITY, "3.h", "The notice with the limits came down")
    [played] = [row for row in rows if "Dice tumbled" in "".join(row)]
    assert played[1] == "<div>Time: 20:04:00 ACDT</div>"
    assert played[2] == "<div>Time: 20:02:00 ACDT</div>"
    assert "Dice tumbled: 20:04:00 ACDT" in played[3]


def test_findings_have_their_severity_and_lead_to_the_help_of_their_code(house: House) -> None:
    house.open_table(rules=NSW)
    address = casino_url("audit:clause", house.casino, rules=NSW, number=1, clause="4.3")
    page = browser_of(house.crew.cast.ines).get(address).content.decode()
    for code in ("LIMIT-OVER-MAX", "SETTLE-CLIP"):
        assert f'<a href="/help/findings/#{code}">{code}</a>' in page
    assert "Serious SETTLE-CLIP" in read(house, "4.3", NSW)[1]


def test_a_note_is_not_called_a_violation(house: House) -> None:
    house.open_table(rules=NSW)
    address = casino_url("audit:clause", house.casino, rules=NSW, number=1, clause="4.3")
    sections = browser_of(house.crew.cast.ines).get(address).content.decode().split("<section>")[1:]
    noted = [each for each in sections if ">LIMIT-OVER-MAX<" in each]
    assert len(noted) == 3
    assert all("Where it is noted" in each and "In the violation" not in each for each in noted)
    assert all("This is noted" not in each for each in sections if each not in noted)
