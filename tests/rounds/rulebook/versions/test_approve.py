"""Approving a version: second person of government, effective time with evidence, confirmation of house edges."""

from datetime import UTC, datetime, timedelta

import pytest

from compliance.core.accounts.separation import TookPartBefore
from compliance.core.accounts.services import end_role
from rounds.ledger.readers.consumer import read_entries
from rounds.rulebook.errors import (
    EdgesNotConfirmed,
    EffectiveTimeTaken,
    EvidenceNeeded,
    InForceAlready,
    MayNotApprove,
    MayNotWithdraw,
    NotAwaitingApproval,
)
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.versions.approve import withdraw_version
from tests.compliance.core.accounts.people import government_administrator
from tests.rounds.rulebook.rule_makers import (
    APPROVED_AT,
    EFFECTIVE_AT,
    LICENSEE,
    RWS,
    RuleMakers,
    approve,
    days_later,
    propose,
    propose_and_approve,
)

MBS = "mbs-3-card-sic-bo"
SECOND = timedelta(seconds=1)


def test_the_entry_says_who_approved_what_from_when_and_on_what_evidence(rulers: RuleMakers) -> None:
    version = propose_and_approve(rulers)
    [entry] = [e for e in read_entries("harbour", 0, 100) if e.kind == "rule-version-approved"]
    body = entry.content()
    assert entry.index == version.approved_index
    assert body["by"] == {"id": rulers.ines.pk, "name": "Ines"}
    assert body["effective_at"] == "2026-06-01T00:00:00.000000Z"
    assert body["evidence"] == "Gazetted on 29 May 2026."
    assert body["pack_sha256"] == version.pack_id


def test_only_a_second_person_of_government_approves(rulers: RuleMakers) -> None:
    version = propose(rulers)
    for nobody in (rulers.cora, rulers.gus, rulers.otto):
        with pytest.raises(MayNotApprove):
            approve(rulers, version, actor=nobody)
    own = propose(rulers, actor=rulers.ines)
    with pytest.raises(TookPartBefore):
        approve(rulers, own, actor=rulers.ines)
    assert approve(rulers, own, actor=rulers.olga).approved_by == rulers.olga


def test_an_inspector_whose_role_ended_meanwhile_approves_nothing(rulers: RuleMakers) -> None:
    version = propose(rulers)
    end_role(held=rulers.ines.roles.get(), actor=government_administrator(), now=APPROVED_AT)
    with pytest.raises(MayNotApprove):
        approve(rulers, version)


def test_an_undated_document_needs_evidence_for_its_instant_and_a_dated_one_only_for_another(
    rulers: RuleMakers,
) -> None:
    nsw, rws = propose(rulers), propose(rulers, RWS)
    with pytest.raises(EvidenceNeeded):
        approve(rulers, nsw, evidence="")
    with pytest.raises(EvidenceNeeded):
        approve(rulers, rws, evidence="", effective_at=EFFECTIVE_AT)
    printed = datetime(2021, 5, 24, 0, 0, tzinfo=UTC)
    assert approve(rulers, rws, evidence="", effective_at=printed).is_retroactive


def test_edges_below_nought_or_above_35_percent_need_a_reason_and_are_recorded_exactly(rulers: RuleMakers) -> None:
    licensee = propose(rulers, LICENSEE)
    with pytest.raises(EdgesNotConfirmed):
        approve(rulers, licensee, edge_reason="")
    confirmed = approve(rulers, licensee).edges_confirmed
    # U1: one of a kind at 1 to 10 keeps 39.12 % for the house, 84.5 of 216.
    assert {
        "pay_table": "1",
        "bets": [f"single:{face}" for face in range(1, 7)],
        "readings": {},
        "edges": [{"decks": None, "edge": "169/432"}],
    } in (confirmed or [])


def test_a_version_whose_edges_are_all_ordinary_needs_no_reason(rulers: RuleMakers) -> None:
    version = approve(rulers, propose(rulers, MBS), edge_reason="Not asked for.", evidence="")
    assert version.edges_confirmed == []
    assert version.edge_reason == ""


def test_two_versions_of_the_same_rules_never_take_effect_at_the_same_instant(rulers: RuleMakers) -> None:
    propose_and_approve(rulers)
    second = propose(rulers)
    with pytest.raises(EffectiveTimeTaken):
        approve(rulers, second)
    assert approve(rulers, second, effective_at=EFFECTIVE_AT + SECOND).number == 2


def test_a_withdrawn_version_frees_its_instant(rulers: RuleMakers) -> None:
    withdraw_version(version=propose_and_approve(rulers), reason="Wrong text.", actor=rulers.olga, now=APPROVED_AT)
    assert propose_and_approve(rulers).effective_at == EFFECTIVE_AT


def test_what_was_decided_is_not_decided_again(rulers: RuleMakers) -> None:
    version = propose_and_approve(rulers)
    with pytest.raises(NotAwaitingApproval):
        approve(rulers, version, actor=rulers.igor, effective_at=days_later(1))
    withdrawn = withdraw_version(version=propose(rulers), reason="Typed wrongly.", actor=rulers.cora, now=APPROVED_AT)
    with pytest.raises(NotAwaitingApproval):
        approve(rulers, withdrawn)
    with pytest.raises(NotAwaitingApproval):
        withdraw_version(version=withdrawn, reason="Again.", actor=rulers.cora, now=APPROVED_AT)


def test_an_approved_version_is_withdrawn_up_to_the_second_before_its_effect(rulers: RuleMakers) -> None:
    version = propose_and_approve(rulers)
    with pytest.raises(InForceAlready):
        withdraw_version(version=version, reason="Too late.", actor=rulers.ines, now=EFFECTIVE_AT)
    withdrawn = withdraw_version(version=version, reason="In time.", actor=rulers.ines, now=EFFECTIVE_AT - SECOND)
    assert withdrawn.withdrawn_by == rulers.ines


def test_whoever_proposed_withdraws_the_proposal_but_not_the_approved_version(rulers: RuleMakers) -> None:
    waiting, approved = propose(rulers), propose_and_approve(rulers)
    with pytest.raises(MayNotWithdraw):
        withdraw_version(version=waiting, reason="Not mine.", actor=rulers.gus, now=APPROVED_AT)
    with pytest.raises(MayNotWithdraw):
        withdraw_version(version=approved, reason="Mine.", actor=rulers.cora, now=APPROVED_AT)
    withdraw_version(version=waiting, reason="Mine.", actor=rulers.cora, now=APPROVED_AT)
    assert RuleVersion.objects.waiting().count() == 0
