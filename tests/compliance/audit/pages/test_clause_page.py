"""The page of a clause: what implements it, and each violation case with the finding that it produces."""

import html
import re

from compliance.core.web.ui.links import casino_url
from rounds.rulepacks.violation_cases import violation_cases
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import MBS
from tests.compliance.core.accounts.people import browser_of


def read(house: House, clause: str) -> tuple[int, str]:
    address = casino_url("audit:clause", house.casino, rules=MBS, number=1, clause=clause)
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


def test_a_clause_that_is_not_automated_says_why(house: House) -> None:
    house.open_table(rules=MBS)
    status, text = read(house, "2.3")
    assert status == 200
    assert "Not automated because" in text
    assert "How a violation is found" not in text


def test_a_clause_that_the_document_lacks_is_not_found(house: House) -> None:
    house.open_table(rules=MBS)
    assert read(house, "99")[0] == 404
