"""Checklists: every clause of the document, the audit's evidence, the answer, and the sign-off that freezes it."""

import hashlib
import re
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compliance.core.web.errors import NotFound
from compliance.inspection.checklists.answer_choices import AnswerBasis, ClauseVerdict
from compliance.inspection.checklists.clause_evidence import count_audited_rounds, load_clause_evidence
from compliance.inspection.checklists.errors import (
    AnsweredMeanwhile,
    ClausesUnanswered,
    NotSignedYet,
    SignedAlready,
    SupersededAlready,
)
from compliance.inspection.checklists.models import Checklist, ClauseAnswer, DraftAnswer, SignOff
from rounds.ledger.readers.consumer import read_entries
from rounds.transparency_log.formats.leaf import encode_body
from tests.compliance.audit.round_builders import LICENSEE
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.inspection.checklists.scenario import SINCE, UNTIL, ChecklistScenario

HOME = "/casinos/harbour/checklists/"


@pytest.fixture
def inspector(desk: ChecklistScenario) -> Client:
    return browser_of(desk.ines)


def test_it_has_every_clause_of_the_document_with_what_the_audit_says(desk: ChecklistScenario) -> None:
    desk.play(honest=2, overpaid=1)
    said = {one.clause: one for one in load_clause_evidence(desk.version, SINCE, UNTIL)}
    assert list(said)[:2] == ["1.1", "1.1 casino promotional voucher"]
    assert said["1.1"].sentence == "No check bears on this clause."
    cited = [one for one in said.values() if one.cited]
    assert [one.cited for one in cited] == [1]
    assert cited[0].sentence == "3 rounds audited; 1 finding cites it."
    assert said["3.1.1"].sentence == "3 rounds audited; no finding cites it."
    later = load_clause_evidence(desk.version, UNTIL, UNTIL + timedelta(days=1))
    assert {one.rounds for one in later} == {0}
    assert sum(one.cited for one in later) == 0


def test_only_rounds_played_by_these_rules_count(desk: ChecklistScenario) -> None:
    desk.play(honest=2)
    version = desk.version
    desk.house.open_table("li-1", LICENSEE)
    desk.house.play((1, 2, 3), table="li-1")
    desk.office.audit()
    assert count_audited_rounds(version, SINCE, UNTIL) == 2


def test_examination_and_reperformance_need_a_comment(desk: ChecklistScenario, inspector: Client) -> None:
    desk.play(honest=1)
    checklist = desk.begin()
    address = f"{HOME}{checklist.entry_index}/clauses/1/"
    for basis, words in (("examination", "Say what you looked at."), ("re-performance", "Say what you did.")):
        typed = {"verdict": "yes", "basis": basis, "comment": "", "seen": "0"}
        assert words in inspector.post(address, typed).content.decode()
    with pytest.raises(IntegrityError), transaction.atomic():
        desk.answer(checklist, "1.1", basis=AnswerBasis.EXAMINATION)
    assert DraftAnswer.objects.count() == 0
    for basis in ("representation", "observation"):
        typed = {"verdict": "no", "basis": basis, "comment": "", "seen": str(DraftAnswer.objects.count())}
        assert inspector.post(address, typed).status_code == 302
    assert DraftAnswer.objects.get().changed_times == 2


def test_a_colleagues_answer_is_read_before_it_is_replaced(desk: ChecklistScenario, inspector: Client) -> None:
    desk.play(honest=1)
    checklist = desk.begin()
    desk.answer(checklist, "1.1", by=desk.iris)
    with pytest.raises(AnsweredMeanwhile, match="Iris"):
        desk.answer(checklist, "1.1", ClauseVerdict.NO)
    typed = {"verdict": "no", "basis": "observation", "comment": "My own words.", "seen": "0"}
    page = inspector.post(f"{HOME}{checklist.entry_index}/clauses/1/", typed).content.decode()
    assert "Iris answered this clause meanwhile." in page
    assert "My own words." in page
    assert 'name="seen" value="1"' in page
    assert DraftAnswer.objects.get().verdict == "yes"


def test_it_is_signed_only_whole_and_each_answer_is_an_entry(desk: ChecklistScenario) -> None:
    desk.play(honest=1, overpaid=1)
    checklist = desk.begin()
    desk.answer(checklist, "3.1.1.1", ClauseVerdict.NO, AnswerBasis.REPERFORMANCE, "One round paid a dollar too much.")
    with pytest.raises(ClausesUnanswered, match=r"clauses are not answered, the first of them 1.1"):
        desk.sign(checklist)
    clauses = desk.answer_all(checklist)
    signed = desk.sign(checklist)
    entries = read_entries("harbour", signed.entry_index - len(clauses), signed.entry_index + 1)
    assert [entry.kind for entry in entries] == ["checklist-answer"] * len(clauses) + ["checklist-signed"]
    bodies = [entry.content() for entry in entries[:-1]]
    assert [body["clause"] for body in bodies] == clauses
    [commented] = [body for body in bodies if body["comment"]]
    assert (commented["clause"], commented["verdict"], commented["basis"]) == ("3.1.1.1", "no", "re-performance")
    assert "2 rounds audited" in commented["audit_said"]
    digest = hashlib.sha256(encode_body({"answers": bodies})).hexdigest()
    assert entries[-1].content()["answers_sha256"] == digest == signed.answers_sha256
    kept = ClauseAnswer.rows_between("harbour", 0, signed.entry_index)
    assert [row.entry_body() for row in kept] == bodies, "what verify_ledger compares"


def test_what_is_signed_is_frozen_for_services_and_for_the_database(desk: ChecklistScenario) -> None:
    desk.play(honest=1)
    checklist = desk.begin()
    desk.answer_all(checklist)
    desk.sign(checklist)
    with pytest.raises(SignedAlready):
        desk.answer(checklist, "1.1", ClauseVerdict.NO, seen=1)
    with pytest.raises(SignedAlready):
        desk.sign(checklist)
    for statement in (
        "UPDATE checklists_draftanswer SET verdict = 'no'",
        "UPDATE checklists_clauseanswer SET verdict = 'no'",
        "DELETE FROM checklists_signoff",
        "UPDATE checklists_checklist SET since = since - interval '1 day'",
    ):
        with pytest.raises(Exception, match=r"refused|denied|does not change"), transaction.atomic():
            connection.cursor().execute(statement)


def test_a_change_is_a_new_one_that_supersedes(desk: ChecklistScenario, inspector: Client) -> None:
    desk.play(honest=1)
    first = desk.begin()
    with pytest.raises(NotSignedYet):
        desk.begin(supersedes=first)
    desk.answer_all(first)
    desk.sign(first)
    page = inspector.post(f"{HOME}{first.entry_index}/supersede/", follow=True).content.decode()
    second = Checklist.objects.get(supersedes=first)
    assert "The answers were taken over." in page
    assert second.drafts.count() == first.answers.count()
    with pytest.raises(SupersededAlready):
        desk.begin(supersedes=first)
    old = f"{HOME}{first.entry_index}/"
    assert "is in work" in inspector.get(old).content.decode()
    desk.answer(second, "1.1", ClauseVerdict.NO, seen=1)
    desk.sign(second)
    assert "is superseded by" in inspector.get(old).content.decode()
    assert ClauseAnswer.objects.get(checklist=first, clause="1.1").verdict == "yes"
    assert ClauseAnswer.objects.get(checklist=second, clause="1.1").verdict == "no"


def test_rounds_are_judged_again_inside_the_checklist_and_bring_a_comment(
    desk: ChecklistScenario, inspector: Client
) -> None:
    desk.play(honest=2, overpaid=1)
    checklist, sample = desk.begin(), desk.sample(3)
    [flagged] = [one for one in load_clause_evidence(desk.version, SINCE, UNTIL) if one.cited]
    address = f"{HOME}{checklist.entry_index}/clauses/{flagged.place}/"
    page = inspector.get(f"{address}again/").content.decode()
    assert "the stored bytes of 1 round," in page
    page = inspector.get(f"{address}again/?sample={sample.entry_index}").content.decode()
    assert "the stored bytes of 3 rounds" in page
    assert "Every round came out as the audit had recorded." in page
    words = f"3 rounds of sample {sample.entry_index} judged again: 1 with a finding under {flagged.clause}; 3 came out"
    assert words in page
    brought = inspector.get(address, {"comment": words}).content.decode()
    assert words in brought
    assert re.search(r'value="re-performance"[^>]* checked', brought)


def test_sign_off_asks_who_it_is_and_keeps_the_conclusion(desk: ChecklistScenario, inspector: Client) -> None:
    desk.play(honest=1)
    checklist = desk.begin()
    address = f"{HOME}{checklist.entry_index}/sign-off/"
    typed = {"conclusion": "All is kept."}
    refused = inspector.post(address, typed | sign_off(desk.ines)).content.decode()
    assert "clauses are not answered" in refused
    desk.answer_all(checklist)
    refused = inspector.post(address, typed).content.decode()
    assert "Enter your password" in refused
    assert "All is kept." in refused
    assert SignOff.objects.count() == 0
    page = inspector.post(address, typed | sign_off(desk.ines), follow=True).content.decode()
    assert "The checklist is signed off." in page
    assert SignOff.objects.get().signed_by == desk.ines


def test_outsiders_and_the_operator_see_nothing_of_it(desk: ChecklistScenario) -> None:
    desk.play(honest=1)
    checklist = desk.begin()
    for person in (desk.office.cora, desk.office.sid, desk.house.crew.cast.otto):
        browser = browser_of(person)
        for address in ("", "new/", f"{checklist.entry_index}/", f"{checklist.entry_index}/clauses/1/"):
            assert browser.get(HOME + address).status_code == 404
        with pytest.raises(NotFound):
            desk.answer(checklist, "1.1", by=person)


def test_filters_and_nonsense_in_the_address(desk: ChecklistScenario, inspector: Client) -> None:
    desk.play(honest=1, overpaid=1)
    checklist = desk.begin()
    clauses = len(load_clause_evidence(desk.version, SINCE, UNTIL))
    desk.answer(checklist, "1.1")

    def count(query: str) -> int:
        return int(inspector.get(f"{HOME}{checklist.entry_index}/?{query}").context["table"].count)

    assert count("") == clauses
    assert count("answer=none") == clauses - 1
    assert count("answer=yes") == 1
    assert count("audit=found") == 1
    assert count("answer=perhaps&audit=loud&page=99") == clauses
    assert inspector.get(f"{HOME}{checklist.entry_index}/clauses/9999/").status_code == 404
    assert inspector.get(f"{HOME}999999/").status_code == 404
    typed = {"version": "0", "since": "2026-11-17T00:00", "until": "2026-11-16T00:00"}
    page = inspector.post(f"{HOME}new/", typed).content.decode()
    assert "The end must come after the beginning." in page


def test_lists_and_pages_take_as_many_queries_for_many_as_for_one(desk: ChecklistScenario, inspector: Client) -> None:
    desk.play(honest=1)
    assert "No checklist was begun yet." in inspector.get(HOME).content.decode()
    checklist = desk.begin()
    page = f"{HOME}{checklist.entry_index}/"
    one = [queries(inspector, address) for address in (HOME, page, f"{page}clauses/40/")]
    version = desk.version
    rows = [
        Checklist(
            log="harbour",
            entry_index=100_000 + number,
            casino=desk.casino,
            version=version,
            since=SINCE,
            until=UNTIL,
            begun_by=desk.ines,
            begun_by_name="Ines",
            begun_at=desk.now,
        )
        for number in range(10_000)
    ]
    Checklist.objects.bulk_create(rows, batch_size=2_000)
    desk.play(honest=3, overpaid=4)
    desk.answer_all(checklist)
    assert "10,001" in inspector.get(HOME).content.decode()
    assert [queries(inspector, address) for address in (HOME, page, f"{page}clauses/40/")] == one


def queries(browser: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as found:
        assert browser.get(address).status_code == 200
    return len(found)
