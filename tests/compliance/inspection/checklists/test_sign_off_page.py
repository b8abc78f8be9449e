"""The sign-off page shows what is being signed, and points out where answers and audit disagree."""

import re

import pytest
from django.test import Client

from compliance.core.web.ui.precheck import CONFIRMED_FIELD, REASON_FIELD
from compliance.inspection.checklists.answer_choices import AnswerBasis, ClauseVerdict
from compliance.inspection.checklists.clause_evidence import load_clause_evidence
from compliance.inspection.checklists.models import Checklist, DraftAnswer, SignOff
from compliance.inspection.checklists.selectors import load_clause_rows, unchecked_rows
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.core.web.confirming import REASON
from tests.compliance.inspection.checklists.scenario import SINCE, UNTIL, ChecklistScenario

HOME = "/casinos/harbour/checklists/"


@pytest.fixture
def inspector(desk: ChecklistScenario) -> Client:
    return browser_of(desk.ines)


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def address_of(checklist: Checklist, page: str) -> str:
    return f"{HOME}{checklist.entry_index}/{page}/"


def confirmation(page: str) -> dict[str, str]:
    [digest] = re.findall(r'name="confirmed_findings" value="(\w+)"', page)
    return {CONFIRMED_FIELD: digest, REASON_FIELD: REASON}


def test_the_page_states_casino_period_rounds_answers_and_findings_per_clause(
    desk: ChecklistScenario, inspector: Client
) -> None:
    desk.play(honest=2, overpaid=3)
    checklist = desk.begin()
    [cited] = [one for one in load_clause_evidence(desk.version, SINCE, UNTIL) if one.cited]
    desk.answer(checklist, "1.1", ClauseVerdict.NOT_APPLICABLE)
    desk.answer(checklist, cited.clause, ClauseVerdict.NO)
    clauses = desk.answer_all(checklist)
    page = text_of(inspector.get(address_of(checklist, "sign-off")).content.decode())
    assert f"Casino {desk.casino}" in page
    assert "Time 16 Nov 2026, 11:00" in page
    assert "Rounds audited in this time 5 " in page
    assert f"Yes {len(clauses) - 2} No 1 Not applicable 1 Not answered 0 Findings of this time 3 " in page
    assert re.search(rf"{re.escape(cited.clause)} {re.escape(cited.entry.gist)} 3 No Observation", page)
    assert "in spite of findings" not in page


def test_a_yes_against_findings_is_signed_only_after_it_was_pointed_out(
    desk: ChecklistScenario, inspector: Client
) -> None:
    desk.play(honest=1, overpaid=5)
    checklist = desk.begin()
    [cited] = [one for one in load_clause_evidence(desk.version, SINCE, UNTIL) if one.cited]
    desk.answer_all(checklist)
    address, typed = address_of(checklist, "sign-off"), {"conclusion": "All is kept."}
    assert "“Yes” in spite of findings" in inspector.get(address).content.decode()
    page = inspector.post(address, typed | sign_off(desk.ines)).content.decode()
    assert f"{cited.clause} is answered “Yes”, but 5 findings of this time cite it." in page
    assert "No round of this time" not in page
    assert SignOff.objects.count() == 0
    inspector.post(address, typed | sign_off(desk.ines) | confirmation(page))
    assert SignOff.objects.get().conclusion == "All is kept."


def test_a_time_without_audited_rounds_is_pointed_out(desk: ChecklistScenario, inspector: Client) -> None:
    desk.house.open_table()
    checklist = desk.begin()
    desk.answer_all(checklist)
    address, typed = address_of(checklist, "sign-off"), {"conclusion": "All is kept."}
    page = inspector.post(address, typed | sign_off(desk.ines)).content.decode()
    assert "No round of this time was audited under these rules." in page
    assert SignOff.objects.count() == 0
    inspector.post(address, typed | sign_off(desk.ines) | confirmation(page))
    assert SignOff.objects.count() == 1


def test_the_audit_is_a_basis_where_it_checked_rounds(desk: ChecklistScenario, inspector: Client) -> None:
    desk.play(honest=1)
    checklist = desk.begin()
    places = {row.said.clause: row.said.place for row in load_clause_rows(checklist)}
    typed = {"verdict": "yes", "basis": "audit", "comment": "", "seen": "0"}
    unchecked = inspector.post(address_of(checklist, f"clauses/{places['1.1']}"), typed)
    assert "audit is not one of the available choices" in unchecked.content.decode()
    assert inspector.post(address_of(checklist, f"clauses/{places['3.1.1']}"), typed).status_code == 302
    answer = DraftAnswer.objects.get()
    assert (answer.clause, answer.basis) == ("3.1.1", AnswerBasis.AUDIT)
    desk.answer_all(checklist)
    desk.sign(checklist)
    assert checklist.answers.get(clause="3.1.1").basis == "audit"


def test_the_audit_is_no_basis_without_rounds(desk: ChecklistScenario, inspector: Client) -> None:
    desk.house.open_table()
    checklist = desk.begin()
    place = next(row.said.place for row in load_clause_rows(checklist) if row.said.clause == "3.1.1")
    assert 'value="audit"' not in inspector.get(address_of(checklist, f"clauses/{place}")).content.decode()


def test_clauses_without_checks_are_answered_together(desk: ChecklistScenario, inspector: Client) -> None:
    desk.play(honest=1)
    checklist = desk.begin()
    desk.answer(checklist, "1.1 float tray")
    offered = [row.said.clause for row in unchecked_rows(load_clause_rows(checklist))]
    assert "1.1" in offered
    assert not {"1.1 float tray", "3.1.1"} & set(offered), "answered already, and checked by the audit"
    address = address_of(checklist, "unchecked-clauses")
    assert f'href="{address}"' in inspector.get(f"{HOME}{checklist.entry_index}/").content.decode()
    typed = {"clauses": ["1.1", "1.1 dealer"], "verdict": "not-applicable", "basis": "observation", "comment": ""}
    assert inspector.post(address, typed).status_code == 302
    assert dict(checklist.drafts.values_list("clause", "verdict")) == {
        "1.1 float tray": "yes",
        "1.1": "not-applicable",
        "1.1 dealer": "not-applicable",
    }
    refused = inspector.post(address, typed | {"clauses": ["3.1.1"]}).content.decode()
    assert "3.1.1 is not one of the available choices" in refused
    desk.answer_all(checklist)
    desk.sign(checklist)
    assert inspector.get(address).status_code == 404
