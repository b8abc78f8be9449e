"""The page of a clause: what implements it, and each violation case with the finding that it produces."""

import html
import re

import pytest

from compliance.audit.pages.clause_page import RecordPair, pair_records
from compliance.audit.run.violation_cases import evaluate_records
from compliance.core.accounts.roles import Role
from compliance.core.web.ui.links import casino_url
from rounds.rulepacks import shipped_packs
from rounds.rulepacks.violation_cases import CaseRecord, ViolationCase, violation_cases
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW
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
    assert "In the violation In honest play" in text


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
        pairs = pair_records(case.breach, case.honest)
        assert all(len(kinds(pair)) == 1 for pair in pairs), case.name
        shown = [record for pair in pairs for record in pair if record]
        assert len(shown) == len(case.breach) + len(case.honest), case.name
        assert set(shown) == {*case.breach, *case.honest}, case.name


def find_case(rules: str, why: str) -> ViolationCase:
    return next(case for case in violation_cases(rules) if case.why.startswith(why))


def test_a_further_record_of_the_violation_stands_beside_none() -> None:
    case = find_case(LICENSEE, "A round is played with the manual shaker, beside which")
    alone = [pair[0] for pair in pair_records(case.breach, case.honest) if pair[1] is None]
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
    assert "entered: 1-3-6, 2-2-5, 4-5-6" in text


def test_an_event_that_happens_again_is_shown_where_it_differs(house: House) -> None:
    house.open_table(rules=LICENSEE)
    assert "events tumbled at: 2026-03-03T01:00:29Z" in read(house, "5(d)(1)", LICENSEE)[1]


def test_an_amount_paid_is_in_words(house: House) -> None:
    house.open_table(rules=NSW)
    text = read(house, "10.3", NSW)[1]
    assert "Prize paid: Claim C-1: $79.99 cash" in text
    assert "paid cash: $80.00" in text
    assert "{'" not in text


def test_findings_about_cases_are_correct_sentences() -> None:
    pack = shipped_packs().find(NSW)
    codes = {"PROMO-INCOMPLETE", "PROMO-PROHIBITED", "DISPUTE-RANK", "ROUND-CALLED", "ROUND-ENTRY"}
    cases = [case for case in violation_cases(NSW) if case.code in codes]
    drafts = [draft for case in cases for draft in evaluate_records(case, case.breach, pack)]
    assert codes <= {draft.code for draft in drafts}
    for draft in drafts:
        assert not re.search(r"\.\.|\.;|\ba inspector|offers “|no prize may[.;]", draft.sentence), draft.sentence
