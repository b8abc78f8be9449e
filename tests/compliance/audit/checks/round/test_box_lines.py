"""SkyCity 3.e: a wager that the table reports as not wholly within its box."""

from typing import Any

import pytest

from compliance.audit.checks import evaluate_round
from compliance.audit.context.finding_draft import FindingDraft
from rounds.intake.columns.round_encoding import NEEDS_EXACT_CHECK, decode_wagers, encode_wagers
from rounds.intake.protocol.round import Round, Wager
from tests.compliance.audit.round_builders import (
    LICENSEE,
    MBS,
    NSW,
    RWS,
    SKYCITY,
    build_round,
    round_context,
    rules_in_force,
    wager,
)

CODE = "WAGER-OUTSIDE-BOX"


def small(rules: str, **rest: Any) -> Wager:
    return wager("small", 1_000, rest.pop("returned", 2_000), rules=rules, **rest)


def played(rules: str, **rest: Any) -> Round:
    return build_round(rules, (1, 2, 4), small(rules, **rest))


def found(rules: str, **rest: Any) -> list[FindingDraft]:
    drafts = evaluate_round(round_context(played(rules, **rest), rules_in_force(rules)))
    return [draft for draft in drafts if draft.code == CODE]


def test_a_wager_across_the_lines_is_found_and_settled_as_usual() -> None:
    [draft] = found(SKYCITY, within_box=False)
    assert (draft.wager, draft.clause, draft.is_silent) == ("w-small-1000", "3.e", True)
    assert evaluate_round(round_context(played(SKYCITY, within_box=False), rules_in_force(SKYCITY))) == [draft]


@pytest.mark.parametrize(
    "rest",
    [{"within_box": True}, {}, {"within_box": False, "verdict": "refused", "returned": 1_000}],
    ids=["within", "not-reported", "refused"],
)
def test_a_wager_within_its_box_or_not_taken_is_not_found(rest: dict[str, Any]) -> None:
    assert found(SKYCITY, **rest) == []


@pytest.mark.parametrize("rules", [NSW, RWS, MBS, LICENSEE])
def test_documents_that_do_not_ask_for_it_find_nothing(rules: str) -> None:
    assert found(rules, within_box=False) == []


@pytest.mark.parametrize(("within_box", "is_exact"), [(False, True), (True, False), (None, False)])
def test_the_columns_mark_a_wager_across_the_lines_for_an_exact_check(within_box: bool | None, is_exact: bool) -> None:
    [packed] = encode_wagers([played(SKYCITY, within_box=within_box)])
    [record] = decode_wagers([packed])
    assert bool(record["laid_on"] == NEEDS_EXACT_CHECK) is is_exact
