"""A view is removed while a worker looks for news of it: nobody is told of what is gone, and neither fails."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connection

from compliance.saved.models import Message, Part, SavedView, Subscription
from compliance.saved.news import find_news
from compliance.saved.services import remove_view, subscribe
from compliance.saved.states import Every
from tests.compliance.reviews.conftest import committed_crew, committed_house, committed_office, quick_passwords
from tests.compliance.reviews.office import Office, many_reviews
from tests.compliance.saved.keeping import keep
from tests.compliance.saved.test_telling import DAY, NOON

__all__ = ["committed_crew", "committed_house", "committed_office", "quick_passwords"]


@contextmanager
def a_worker_looks_before(begins: str) -> Iterator[list[int]]:
    """Over a connection of its own, just before the first statement that begins so; how many messages it wrote."""
    wrote: list[int] = []

    def look() -> int:
        try:
            return find_news(lambda: NOON + DAY)
        finally:
            connection.close()

    def watch(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith(begins) and not wrote:
            with ThreadPoolExecutor(1) as worker:
                wrote.append(worker.submit(look).result(60))
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        yield wrote


def test_a_view_is_removed_while_a_worker_looks(committed_office: Office) -> None:
    office = committed_office
    many_reviews(office, 3)
    view = keep(office.ines)
    subscribe(view=view, every=Every.ONCE, actor=office.ines, now=NOON)
    many_reviews(office, 3, first=3)
    with a_worker_looks_before('DELETE FROM "saved_subscription"') as wrote:
        remove_view(view=view, actor=office.ines)
    assert wrote == [0]
    for rows in (SavedView, Subscription, Part, Message):
        assert not rows.objects.exists()
