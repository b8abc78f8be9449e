"""The page that approves a version shows what it changes and every house edge."""

from tests.compliance.core.accounts.people import browser_of
from tests.rounds.rulebook.rule_makers import NSW, RuleMakers, propose, propose_and_approve
from tests.rounds.rulebook.versions.test_rulings import rule

RULEBOOK = "/casinos/harbour/rulebook/"


def test_the_first_version_has_nothing_to_compare_with(rulers: RuleMakers) -> None:
    propose(rulers)
    page = browser_of(rulers.ines).get(f"{RULEBOOK}{NSW}/1/approve/").content.decode()
    assert "there is nothing to compare it with" in page
    edges = page.partition("House edges of all wagers")[2].partition("</table>")[0]
    assert "2.78" in edges, "small and big"
    assert edges.count("As adopted") + edges.count("(adopted)") > 10


def test_what_differs_from_the_version_in_force_is_on_the_page_itself(rulers: RuleMakers) -> None:
    approved = propose_and_approve(rulers)
    ruling = rule(rulers, approved)
    browser = browser_of(rulers.olga)
    page = browser.get(f"{RULEBOOK}{NSW}/{ruling.number}/approve/").content.decode()
    listed = browser.get(f"{RULEBOOK}{NSW}/{ruling.number}/diff/").content.decode()
    changes = listed.partition("What is not listed pays the same.")[2].partition("</table>")[0]
    assert "<caption" in changes
    assert changes in page


def test_a_version_that_changes_no_settlement_says_so(rulers: RuleMakers) -> None:
    propose_and_approve(rulers)
    propose(rulers)
    page = browser_of(rulers.olga).get(f"{RULEBOOK}{NSW}/2/approve/").content.decode()
    assert "Nothing that decides a settlement differs." in page
