"""Response times of pages with a long log against a short one: the 95th percentile."""

import http.client
import time
from collections.abc import Iterator, Sequence
from contextlib import closing

from django.conf import settings
from django.db import connection

from compliance.config.database_roles import as_owner
from compliance.core.accounts.models import User
from compliance.inspection.reviews.models import Review
from tests.bench.support.controllers import Controller, controllers_at, receive_rounds, run_consumers
from tests.bench.support.measurement import Case, Way, at_most, figure_of
from tests.bench.support.web_server import percentile, web_server
from tests.bench.support.workload_size import Size
from tests.compliance.core.accounts.people import browser_of
from tests.rounds.floor.crew import gather

FEW = 10_000
MOST_MILLISECONDS = 200
KEPT_UP_EVERY = 50_000
TABLES, ONE_WRONG_IN = 20, 100
# A finding's URL is known once there is one.
PAGES = {
    "queue": "/casinos/harbour/reviews/",
    "finding": "",
    "floor": "/casinos/harbour/floor/",
    "dashboard": "/casinos/harbour/dashboard/?first=2026-06-08&last=2026-06-21",
    "search": "/search/?q=sb-1-77",
}


def cases(size: Size) -> Iterator[Case]:
    crew = gather()
    controllers = controllers_at(crew, TABLES, wagers=1, wrong_every=ONE_WRONG_IN)
    with web_server() as port:
        visitor = Visitor(port, crew.cast.ines, size.visits)
        grow_log(FEW, controllers)
        few = {name: [visitor.worst(name) for _ in range(size.times)] for name in PAGES}
        grow_log(size.rounds, controllers)
        for name in PAGES:
            yield Case(
                f"page {name} with {size.rounds:,} rounds: p95",
                "ms",
                ours=visitor.way(name),
                peers={f"{FEW:,} rounds": iter(few[name]).__next__, "the most allowed": lambda: MOST_MILLISECONDS},
                aims={f"{FEW:,} rounds": at_most(1.5), "the most allowed": at_most(1)},
                figure=figure_of,
            )


def grow_log(rounds: int, controllers: Sequence[Controller]) -> None:
    """Through intake, the audit and all consumers; then ANALYZE, as autovacuum does."""
    while (sent := sum(controller.sent for controller in controllers)) < rounds:
        receive_rounds(controllers, min(KEPT_UP_EVERY, rounds - sent))
        run_consumers()
        print(f"   {min(sent + KEPT_UP_EVERY, rounds):,} rounds received, audited and followed", flush=True)
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")


class Visitor:
    """A signed-in inspector's requests to the web server."""

    def __init__(self, port: int, person: User, visits: int) -> None:
        self.port, self.visits = port, visits
        session = browser_of(person).cookies[settings.SESSION_COOKIE_NAME].value
        self.headers = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={session}", "Host": "localhost"}

    def way(self, name: str) -> Way:
        return lambda: self.worst(name)

    def worst(self, name: str) -> float:
        """The 95th percentile in milliseconds, without the first visits, which warm up the server."""
        address = PAGES[name] or last_finding()
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)) as caller:
            taken = [self._visit(caller, address) for _ in range(4 + self.visits)]
        return 1000 * percentile(taken[4:], 95)

    def _visit(self, caller: http.client.HTTPConnection, address: str) -> float:
        begun = time.perf_counter()
        caller.request("GET", address, headers=self.headers)
        answer = caller.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{address} answered {answer.status}.")
        return time.perf_counter() - begun


def last_finding() -> str:
    review = Review.objects.select_related("finding").latest("pk")
    return f"/casinos/harbour/reviews/{review.finding.entry_index}/"
