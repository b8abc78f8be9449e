"""Displays of the result that are disregarded: NSW 8.9, RWS 5.8. The dice show 1-2-4."""

from typing import Any

import pytest

from compliance.audit.catalogue import CODES_BY_NAME
from compliance.audit.catalogue.finding_code import Severity
from rounds.intake.protocol.round import Displayed
from tests.compliance.audit.checks.round.test_procedure import HONEST, MANUAL, codes, judge
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, RWS, SKYCITY, at, void, wager


@pytest.mark.parametrize(("rules", "clause"), [(NSW, "8.9"), (RWS, "5.8")])
def test_a_wrong_display_is_disregarded_and_noted(rules: str, clause: str) -> None:
    """One face is wrong; the wager is settled by the dice."""
    settled = wager("small", 100, 200, rules=rules, placed_at=at(1))
    shown: dict[str, Any] = {"wagers": (settled,), "displayed": (Displayed(device="wnd", faces=(1, 2, 5)),)}
    [draft] = judge(rules, **shown)
    assert (draft.code, draft.clause) == ("ROUND-DISPLAY", clause)
    assert CODES_BY_NAME[draft.code].severity is Severity.NOTE
    assert draft.sentence == "The display wnd showed 1-2-5; the result is 1-2-4."
    assert draft.explanation == ("What a display shows is disregarded: the round is settled by its result.",)


@pytest.mark.parametrize("rules", [NSW, RWS])
def test_each_wrong_display_is_named(rules: str) -> None:
    faces = {"wnd": (1, 2, 5), "board": (1, 2, 4), "screen": (6, 6, 6)}
    displayed = tuple(Displayed(device=device, faces=faces) for device, faces in faces.items())
    [draft] = judge(rules, displayed=displayed)
    assert draft.sentence == "The display wnd showed 1-2-5 and screen showed 6-6-6; the result is 1-2-4."


@pytest.mark.parametrize("rules", HONEST)
def test_a_display_in_another_order_is_right(rules: str) -> None:
    assert codes(rules, equipment=MANUAL, displayed=(Displayed(device="wnd", faces=(4, 1, 2)),)) == []


@pytest.mark.parametrize("rules", [MBS, SKYCITY, LICENSEE])
def test_documents_without_displays_ask_nothing_of_them(rules: str) -> None:
    assert codes(rules, equipment=MANUAL, displayed=(Displayed(device="wnd", faces=(1, 2, 5)),)) == []


def test_a_wrong_display_without_a_result_is_nothing() -> None:
    shown = (Displayed(device="wnd", faces=(1, 2, 5)),)
    assert codes(NSW, dice=None, displayed=shown, **void("not-flat")) == []


def test_wrong_lights_beside_a_wrong_display_are_two_findings() -> None:
    shown = (Displayed(device="wnd", faces=(1, 2, 5)),)
    assert codes(NSW, displayed=shown, lit=("small",)) == ["ROUND-LIT", "ROUND-DISPLAY"]
