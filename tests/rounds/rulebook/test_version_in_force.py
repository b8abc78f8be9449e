"""version_in_force(): the latest version that had taken effect when the round commenced, to the second."""

from datetime import UTC, datetime, timedelta

from rounds.rulebook.selectors import version_in_force, versions_in_force
from rounds.rulebook.states import RuleVersionState
from rounds.rulebook.versions.approve import withdraw_version
from tests.rounds.rulebook.rule_makers import (
    APPROVED_AT,
    EFFECTIVE_AT,
    NSW,
    RWS,
    RuleMakers,
    days_later,
    propose,
    propose_and_approve,
)

# The document of RWS: 24 May 2021, 08:00 in Singapore, which is eight hours ahead of UTC.
EIGHT_O_CLOCK = datetime(2021, 5, 24, 0, 0, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_rws_governs_from_eight_o_clock_and_not_a_second_before(rulers: RuleMakers) -> None:
    version = propose_and_approve(rulers, RWS, evidence="")
    assert version.effective_at == EIGHT_O_CLOCK
    assert version_in_force(rulers.harbour, RWS, EIGHT_O_CLOCK - SECOND) is None
    assert version_in_force(rulers.harbour, RWS, EIGHT_O_CLOCK) == version
    assert version_in_force(rulers.harbour, RWS, EIGHT_O_CLOCK + SECOND) == version


def test_the_next_version_takes_over_to_the_second_and_the_first_still_governs_what_came_before(
    rulers: RuleMakers,
) -> None:
    first, second = propose_and_approve(rulers), propose_and_approve(rulers, effective_at=days_later(10))
    handover = days_later(10)
    assert version_in_force(rulers.harbour, NSW, handover - SECOND) == first
    assert version_in_force(rulers.harbour, NSW, handover) == second
    assert versions_in_force(rulers.harbour, handover) == {NSW: second}


def test_a_proposal_and_a_withdrawn_version_never_govern(rulers: RuleMakers) -> None:
    propose(rulers)
    assert version_in_force(rulers.harbour, NSW, days_later(400)) is None
    approved = propose_and_approve(rulers)
    withdraw_version(version=approved, reason="Wrong text.", actor=rulers.igor, now=APPROVED_AT + SECOND)
    assert version_in_force(rulers.harbour, NSW, days_later(400)) is None


def test_a_version_governs_at_its_own_casino_and_for_its_own_rules_only(rulers: RuleMakers) -> None:
    propose_and_approve(rulers)
    assert version_in_force(rulers.marina, NSW, EFFECTIVE_AT) is None
    assert version_in_force(rulers.harbour, RWS, EFFECTIVE_AT) is None


def test_a_version_runs_through_its_states_by_time_alone(rulers: RuleMakers) -> None:
    propose_and_approve(rulers)
    propose_and_approve(rulers, effective_at=days_later(10))
    first = version_in_force(rulers.harbour, NSW, EFFECTIVE_AT)
    assert first is not None
    instants = (EFFECTIVE_AT - SECOND, EFFECTIVE_AT, days_later(10) - SECOND, days_later(10))
    states = [
        RuleVersionState.APPROVED,
        RuleVersionState.IN_FORCE,
        RuleVersionState.IN_FORCE,
        RuleVersionState.SUPERSEDED,
    ]
    assert [first.state(at) for at in instants] == states
