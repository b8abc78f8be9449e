"""Rulings: an inspector adopts another reading of one clause from an instant on; a second person approves it."""

import pytest

from compliance.core.accounts.separation import TookPartBefore
from rounds.engine.odds.truth_table import truth_table_differences
from rounds.ledger.readers.consumer import read_entries
from rounds.rulebook.errors import MayNotRule, NothingToRule, NotRulable
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import previous_version, rules_of, version_in_force
from rounds.rulebook.versions.propose import propose_ruling
from tests.rounds.rulebook.rule_makers import (
    APPROVED_AT,
    EFFECTIVE_AT,
    NSW,
    RuleMakers,
    approve,
    days_later,
    propose,
    propose_and_approve,
)


def rule(rulers: RuleMakers, version: RuleVersion, **changes: object) -> RuleVersion:
    ruling: dict[str, object] = {
        "version": version,
        "reading": "even",
        "choice": "every-even-total",
        "reasons": "Ten is an even total; its absence is a slip.",
        "wanted_at": days_later(10),
        "actor": rulers.ines,
        "now": EFFECTIVE_AT,
    }
    return propose_ruling(**ruling | changes)  # type: ignore[arg-type]


def test_a_ruling_is_a_new_version_that_differs_in_that_one_reading(rulers: RuleMakers) -> None:
    version = propose_and_approve(rulers)
    ruling = approve(rulers, rule(rulers, version), actor=rulers.olga, evidence="", now=days_later(1))
    assert ruling.number == 2
    assert ruling.effective_at == days_later(10)
    assert ruling.readings == version.readings | {"even": "every-even-total"}
    assert ruling.pack_id == version.pack_id
    assert ruling.source_document == version.source_document
    assert previous_version(ruling) == version
    # N1: 28 of the 216 outcomes differ, and no other wager.
    cells = truth_table_differences(rules_of(version), rules_of(ruling))
    assert {cell.code for cell in cells} == {"even"}
    assert len(cells) == 28
    assert version_in_force(rulers.harbour, NSW, days_later(9)) == version
    assert version_in_force(rulers.harbour, NSW, days_later(10)) == ruling


def test_the_entry_of_a_ruling_says_reading_choice_and_reasons(rulers: RuleMakers) -> None:
    ruling = rule(rulers, propose_and_approve(rulers))
    [entry] = [e for e in read_entries("harbour", 0, 100) if e.kind == "reading-ruled"]
    body = entry.content()
    assert entry.index == ruling.proposed_index
    assert (body["reading"], body["choice"], body["rules_on"]) == ("even", "every-even-total", 1)
    assert body["reasons"] == "Ten is an even total; its absence is a slip."


def test_an_inspector_rules_and_another_person_of_government_approves(rulers: RuleMakers) -> None:
    version = propose_and_approve(rulers)
    for nobody in (rulers.olga, rulers.cora, rulers.gus, rulers.otto):
        with pytest.raises(MayNotRule):
            rule(rulers, version, actor=nobody)
    ruling = rule(rulers, version)
    with pytest.raises(TookPartBefore):
        approve(rulers, ruling, actor=rulers.ines, now=days_later(1))
    assert approve(rulers, ruling, actor=rulers.igor, now=days_later(1)).approved_by == rulers.igor


def test_there_must_be_something_to_rule_on(rulers: RuleMakers) -> None:
    version = propose_and_approve(rulers)
    for reading, choice in (("even", "as-printed"), ("odd", "as-printed"), ("even", "no-such-choice")):
        with pytest.raises(NothingToRule):
            rule(rulers, version, reading=reading, choice=choice)
    with pytest.raises(NotRulable):
        rule(rulers, propose(rulers), now=APPROVED_AT)
