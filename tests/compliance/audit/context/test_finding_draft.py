"""Recorded explanations of findings as people read them."""

from compliance.audit.context.finding_draft import explanation_text
from compliance.audit.models import Finding
from compliance.inspection.reviews.recheck import recheck_finding
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import wager


def test_names_stand_instead_of_codes_and_earlier_findings_say_due() -> None:
    recorded = [
        "The result is 4-2-4, total 10.",
        "total:10 wins. [3.1.6]",
        "single:5 wins (two). [5.h]",
        "big loses. [3.1.2.2]",
        "three:1-2-3 is not a wager of rws-sic-bo-etg@8, pay table 1. [4.1.1]",
        "The round has no result (nmb-not-pressed). [8.2]",
        "Handed back: $70.00.",
    ]
    assert explanation_text(None, recorded) == [
        "The result is 4-2-4, total 10.",
        "Total: 10 wins. [3.1.6]",
        "Single number: 5 wins (two). [5.h]",
        "Big loses. [3.1.2.2]",
        "Three numbers: 1-2-3 is not a wager of rws-sic-bo-etg@8, pay table 1. [4.1.1]",
        "The round has no result (the “no more bets” button was not pressed). [8.2]",
        "Due: $70.00.",
    ]


def test_a_finding_that_says_handed_back_for_what_is_due_is_rechecked_as_the_same(house: House) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("total:10", 1_000, 0, id="w-7"))
    house.audit()
    finding = Finding.objects.get()
    assert "Three Dice Totals: 10 wins. [3.1.6]" in explanation_text(finding.version, finding.explanation)
    assert finding.explanation[-1] == "Due: $70.00."
    finding.explanation[-1] = "Handed back: $70.00."
    assert recheck_finding(finding).is_same
    finding.explanation[-1] = "Handed back: $71.00."
    assert not recheck_finding(finding).is_same
