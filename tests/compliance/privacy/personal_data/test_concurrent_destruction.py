"""A record that is held and destroyed at the same time, with real commits: one of the two, never both."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from threading import Barrier

import pytest
from django.db import connections

from compliance.privacy.personal_data.errors import PersonalRefusal
from compliance.privacy.personal_data.models import Destruction, RetentionHold
from compliance.privacy.personal_data.services import destroy_details, destroy_due, hold_record
from tests.compliance.core.accounts.people import Cast, assemble
from tests.compliance.privacy.personal_data.conftest import Overseers
from tests.compliance.privacy.personal_data.records import KEPT_AT, keep

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cast() -> Cast:
    return assemble()


def at_once(*acts: Callable[[], object]) -> list[str]:
    """Runs them concurrently; returns "done" or the refusal's code for each."""
    start = Barrier(len(acts))

    def run(act: Callable[[], object]) -> str:
        start.wait()
        try:
            act()
        except PersonalRefusal as refusal:
            return refusal.code
        finally:
            connections.close_all()
        return "done"

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def test_a_hold_and_a_destruction_cannot_both_win(cast: Cast, more: Overseers) -> None:
    for _ in range(5):
        kept = keep(cast.harbour)
        hold = partial(hold_record, until_on=date(2040, 1, 1), reason="Court case 7", actor=cast.ines, now=KEPT_AT)
        destroy = partial(destroy_details, reason="Asked for", actor=more.aron, now=KEPT_AT)
        held, destroyed = at_once(partial(hold, held=kept), partial(destroy, doomed=kept))
        assert (held, destroyed) in {("done", "personal-held"), ("personal-destroyed", "done")}
        assert RetentionHold.objects.filter(record=kept).exists() is (held == "done")
        assert Destruction.objects.filter(record=kept).exists() is (destroyed == "done")


def test_two_sweeps_at_once_destroy_each_record_once(cast: Cast) -> None:
    for number in range(6):
        keep(cast.harbour, reference=f"D-{number}")
    later = KEPT_AT.replace(year=2040)

    def sweep() -> int:
        return destroy_due(casino=cast.harbour, now=later)

    assert at_once(sweep, sweep) == ["done", "done"]
    assert Destruction.objects.count() == 6
