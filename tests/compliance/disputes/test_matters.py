"""A dispute about a matter that is neither a recorded round nor a promotion: chips, a closing, a refusal, a rule."""

import pytest

from compliance.audit.models import Finding
from compliance.audit.run.worker import audit_log
from compliance.core.accounts.roles import Role
from compliance.core.web.errors import NotFound
from compliance.disputes import entry_kinds
from compliance.disputes.entry_bodies import DecisionBody
from compliance.disputes.errors import NotAllowedToDecide
from compliance.disputes.models import Dispute
from compliance.disputes.pdf.dispute_file import dispute_file
from compliance.disputes.selectors import access_dispute
from compliance.disputes.services import record_decision, record_matter
from compliance.disputes.subject.disputed_entry import DisputedEntry, access_subject
from rounds.ledger.readers.consumer import read_entries
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.disputes.disputed_round import LICENSEE, MINUTE, NOW, NSW, PLAYED, RWS, SKYCITY, Floor
from tests.pdf_text import extract_text
from tests.rounds.floor.crew import refusal_of

ALL = "/casinos/harbour/disputes/"
WORDS = "Two red checks were not redeemed after the table had closed."


def recorded(floor: Floor, table: str = "sb-1") -> DisputedEntry:
    return record_matter(
        casino=floor.harbour, description=WORDS, table=table, happened_at=PLAYED, actor=floor.gina, now=NOW
    )


def logged(floor: Floor, table: str = "sb-1") -> Dispute:
    return floor.log(recorded(floor, table), wagers=[], grounds="other")


@pytest.mark.parametrize(
    ("rules", "clauses"),
    [(NSW, ["9.12", "9.12", "9.13"]), (SKYCITY, ["8.h", "8.h"]), (RWS, ["5.10"]), (LICENSEE, [""])],
)
@pytest.mark.parametrize("table", ["sb-1", ""])
def test_the_rules_in_force_say_who_decides(floor: Floor, rules: str, clauses: list[str], table: str) -> None:
    floor.open_table(rules)
    dispute = logged(floor, table)
    assert [rung.clause for rung in dispute.ladder.rungs] == clauses
    assert (dispute.subject_kind, dispute.table, dispute.is_promotion) == (entry_kinds.MATTER, table, False)
    [entry] = read_entries("harbour", dispute.subject_index, dispute.subject_index + 1)
    assert entry.content()["description"] == WORDS


def test_the_first_decision_is_the_games_supervisors_and_another_is_flagged(floor: Floor) -> None:
    floor.open_table(NSW)
    dispute = logged(floor)
    assert isinstance(refusal_of(lambda: floor.decide(dispute, floor.sam)), NotAllowedToDecide)
    floor.decide(dispute, floor.gina)
    other = logged(floor)
    made = DecisionBody(outcome="refused", reasons="They were another table's.")
    record_decision(
        dispute=other, decision=made, rung=0, decider=floor.sam, role=Role.SHIFT_MANAGER, at=NOW + MINUTE,
        actor=floor.gina, now=NOW + 2 * MINUTE,
    )  # fmt: skip
    list(audit_log(floor.harbour))
    standing = Finding.objects.current().filter(code__startswith="DISPUTE-")
    assert [(finding.code, finding.clause) for finding in standing] == [("DISPUTE-DECIDER", "9.12")]
    assert f"Dispute {other.reference}" in standing[0].sentence


def test_it_is_logged_on_the_pages_and_wrong_input_is_said_and_not_lost(floor: Floor) -> None:
    floor.open_table(NSW)
    browser = browser_of(floor.gina)
    assert f"{ALL}new/matter/" in browser.get(f"{ALL}new/").content.decode()
    typed = {"description": WORDS, "table": "sb-1", "happened_at": "2026-11-16T20:41"}
    for changed, sentence in (
        ({"description": ""}, "Describe what it is about."),
        ({"happened_at": "2099-01-01T10:00"}, "That is still to come."),
        ({"table": "sb-99"}, "sb-99 is not one of the available choices."),
    ):
        answer = browser.post(f"{ALL}new/matter/", typed | changed)
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
        assert (typed | changed)["description"] in answer.content.decode()
    answer = browser.post(f"{ALL}new/matter/", typed, follow=True)
    assert WORDS in answer.content.decode()
    page = answer.redirect_chain[-1][0]
    browser.post(page, {"grounds": "other", "statement": "They were mine.", "act": "log"})
    dispute = Dispute.objects.get()
    shown = browser.get(f"{ALL}{dispute.number}/").content.decode()
    assert WORDS in shown
    assert "9.12" in shown


def test_marketing_does_not_read_it_and_the_file_names_the_matter(floor: Floor) -> None:
    floor.open_table(NSW)
    dispute = logged(floor)
    for read in (
        lambda: access_dispute(floor.crew.cast.mara, floor.harbour, dispute.number),
        lambda: access_subject(floor.crew.cast.mara, floor.harbour, dispute.subject_index),
    ):
        assert isinstance(refusal_of(read), NotFound)
    found = access_dispute(floor.ines, floor.harbour, dispute.number)
    words = extract_text(dispute_file(found, patron=None, is_government=True, made_for="Ines", now=NOW))
    assert "Another matter has no wager to settle" in words
    assert WORDS in words
