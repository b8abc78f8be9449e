"""Two people decide on the same version at once: one decision counts, the other is refused."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from pytest_django import Settings

from compliance.core.web.errors import Refusal
from rounds.rulebook.errors import EffectiveTimeTaken, NotAwaitingApproval
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.versions.approve import withdraw_version
from tests.rounds.rulebook.rule_makers import APPROVED_AT, RuleMakers, approve, create_rule_makers, propose


@pytest.fixture
def rulers(settings: Settings, transactional_db: None) -> RuleMakers:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return create_rule_makers()


def at_once(*acts: Callable[[], object]) -> list[str]:
    """Runs them concurrently on separate connections; returns the outcome of each."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], object]) -> str:
        try:
            barrier.wait(timeout=30)
            act()
        except Refusal as refusal:
            return refusal.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(len(acts)) as threads:
        return sorted(threads.map(run, acts))


def test_one_of_two_approvals_wins(rulers: RuleMakers) -> None:
    version = propose(rulers)
    outcomes = at_once(
        lambda: approve(rulers, version, actor=rulers.ines), lambda: approve(rulers, version, actor=rulers.olga)
    )
    assert outcomes == ["done", NotAwaitingApproval.code]
    assert RuleVersion.objects.approved().count() == 1


def test_an_approval_and_a_withdrawal_by_the_proposer_do_not_both_happen(rulers: RuleMakers) -> None:
    version = propose(rulers)
    outcomes = at_once(
        lambda: approve(rulers, version),
        lambda: withdraw_version(version=version, reason="Typed wrongly.", actor=rulers.cora, now=APPROVED_AT),
    )
    assert outcomes in (["done", "may-not-withdraw"], ["done", NotAwaitingApproval.code])


def test_two_versions_are_not_approved_for_the_same_instant(rulers: RuleMakers) -> None:
    first, second = propose(rulers), propose(rulers)
    outcomes = at_once(
        lambda: approve(rulers, first, actor=rulers.ines), lambda: approve(rulers, second, actor=rulers.olga)
    )
    assert outcomes == ["done", EffectiveTimeTaken.code]


def test_proposals_at_once_are_numbered_without_gap(rulers: RuleMakers) -> None:
    assert at_once(*[lambda: propose(rulers)] * 4) == ["done"] * 4
    assert sorted(RuleVersion.objects.values_list("number", flat=True)) == [1, 2, 3, 4]
