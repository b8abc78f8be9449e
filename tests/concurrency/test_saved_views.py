"""A view is deleted while a worker looks for new rows in it: no e-mail is sent, and neither fails."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connection

from compliance.notify.saved_views.models import MessagePart, NewRowsMessage, SavedView, Subscription
from compliance.notify.saved_views.services import remove_view, subscribe
from compliance.notify.saved_views.states import Frequency
from compliance.notify.saved_views.subscriptions.new_rows import check_due_subscriptions
from tests.compliance.inspection.reviews.conftest import (
    committed_crew,
    committed_house,
    committed_office,
    quick_passwords,
)
from tests.compliance.inspection.reviews.scenario import ReviewScenario, many_reviews
from tests.compliance.notify.saved_views.save_view import keep
from tests.compliance.notify.saved_views.subscriptions.test_new_rows import DAY, NOON

__all__ = ["committed_crew", "committed_house", "committed_office", "quick_passwords"]


@contextmanager
def a_worker_looks_before(begins: str) -> Iterator[list[int]]:
    """Runs the worker on its own connection just before the first statement that begins so; yields how many messages it
    wrote."""
    wrote: list[int] = []

    def look() -> int:
        try:
            return check_due_subscriptions(lambda: NOON + DAY)
        finally:
            connection.close()

    def watch(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith(begins) and not wrote:
            with ThreadPoolExecutor(1) as worker:
                wrote.append(worker.submit(look).result(60))
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        yield wrote


def test_a_view_is_removed_while_a_worker_looks(committed_office: ReviewScenario) -> None:
    office = committed_office
    many_reviews(office, 3)
    view = keep(office.ines)
    subscribe(view=view, every=Frequency.ONCE, actor=office.ines, now=NOON)
    many_reviews(office, 3, first=3)
    with a_worker_looks_before('DELETE FROM "saved_subscription"') as wrote:
        remove_view(view=view, actor=office.ines)
    assert wrote == [0]
    for rows in (SavedView, Subscription, MessagePart, NewRowsMessage):
        assert not rows.objects.exists()
