"""A record that is held and destroyed at the same instant, with real commits: one of the two, never both."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from threading import Barrier

import pytest
from django.db import connections

from compliance.patrons.errors import PersonalRefusal
from compliance.patrons.models import Destruction, Hold
from compliance.patrons.services import destroy_due, destroy_personal, hold_personal
from tests.compliance.accounts.cast import Cast, assemble
from tests.compliance.patrons.conftest import Overseers
from tests.compliance.patrons.people import KEPT_AT, keep

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cast() -> Cast:
    return assemble()


def at_once(*acts: Callable[[], object]) -> list[str]:
    """Run them together; what each came to: "done", or the code of its refusal."""
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
        hold = partial(hold_personal, until_on=date(2040, 1, 1), reason="Court case 7", actor=cast.ines, now=KEPT_AT)
        destroy = partial(destroy_personal, reason="Asked for", actor=more.aron, now=KEPT_AT)
        held, destroyed = at_once(partial(hold, held=kept), partial(destroy, doomed=kept))
        assert (held, destroyed) in {("done", "personal-held"), ("personal-destroyed", "done")}
        assert Hold.objects.filter(record=kept).exists() is (held == "done")
        assert Destruction.objects.filter(record=kept).exists() is (destroyed == "done")


def test_two_sweeps_at_once_destroy_each_record_once(cast: Cast) -> None:
    for number in range(6):
        keep(cast.harbour, reference=f"D-{number}")
    later = KEPT_AT.replace(year=2040)

    def sweep() -> int:
        return destroy_due(casino=cast.harbour, now=later)

    assert at_once(sweep, sweep) == ["done", "done"]
    assert Destruction.objects.count() == 6
