"""Load shedding: running and waiting requests are limited, further ones refused at once, and slots are released."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from compliance.core.web.http.load_shedding import Busy, ConcurrencyLimit, SheddingMiddleware


def test_all_places_are_given_and_no_more() -> None:
    turnstile = ConcurrencyLimit(at_work=2, waiting=0, longest_wait=60)
    with ExitStack() as inside:
        inside.enter_context(turnstile.acquire_slot())
        inside.enter_context(turnstile.acquire_slot())
        with pytest.raises(Busy), turnstile.acquire_slot():
            pass
    with turnstile.acquire_slot(), turnstile.acquire_slot():
        pass


def test_a_place_comes_back_however_the_work_ended() -> None:
    turnstile = ConcurrencyLimit(at_work=1, waiting=0, longest_wait=60)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), turnstile.acquire_slot():
            raise ZeroDivisionError
    with turnstile.acquire_slot():
        pass


def test_whoever_waits_too_long_is_sent_away_and_leaves_room() -> None:
    turnstile = ConcurrencyLimit(at_work=1, waiting=1, longest_wait=0.01)
    with turnstile.acquire_slot():
        for _ in range(3):
            with pytest.raises(Busy), turnstile.acquire_slot():
                pass


def test_whoever_waits_comes_in_when_a_place_is_free() -> None:
    turnstile, came_in = ConcurrencyLimit(at_work=1, waiting=1, longest_wait=600), threading.Event()

    def wait_and_come_in() -> None:
        with turnstile.acquire_slot():
            came_in.set()

    with turnstile.acquire_slot():
        thread = threading.Thread(target=wait_and_come_in)
        thread.start()
        assert not came_in.is_set()
    thread.join(600)
    assert came_in.is_set()


class Held:
    """A view that blocks until it is released."""

    def __init__(self) -> None:
        self.is_inside, self.may_go = threading.Event(), threading.Event()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.headers.get("X-Held"):
            self.is_inside.set()
            self.may_go.wait(600)
        return HttpResponse("done")


@pytest.fixture
def held(settings: Settings) -> Iterator[tuple[Held, SheddingMiddleware]]:
    """The only slot for controllers is taken."""
    settings.CONCURRENT_REQUESTS_EACH, settings.QUEUED_REQUESTS_EACH = 1, 0
    view = Held()
    middleware = SheddingMiddleware(view)
    request = RequestFactory().post("/api/v1/entries", headers={"X-Held": "1"})
    thread = threading.Thread(target=middleware, args=(request,))
    thread.start()
    view.is_inside.wait(600)
    yield view, middleware
    view.may_go.set()
    thread.join(30)


def test_controllers_are_told_when_to_come_back_in_their_own_envelope(held: tuple[Held, SheddingMiddleware]) -> None:
    answer = held[1](RequestFactory().post("/api/v1/entries"))
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
    assert 1 <= int(answer["Retry-After"]) <= 4


@pytest.mark.parametrize("path", ["/", "/casinos/harbour/floor/", "/healthz", "/readyz", "/api/v1/"])
def test_a_flood_of_batches_keeps_nobody_else_out(held: tuple[Held, SheddingMiddleware], path: str) -> None:
    assert held[1](RequestFactory().get(path)).status_code == 200


def test_when_it_is_over_everybody_comes_in_again(held: tuple[Held, SheddingMiddleware]) -> None:
    view, middleware = held
    view.may_go.set()
    for _ in range(3000):
        if middleware(RequestFactory().post("/api/v1/entries")).status_code == 200:
            return
        threading.Event().wait(0.01)
    raise AssertionError("The place never came back.")


def test_people_get_a_page_that_needs_nobody(settings: Settings) -> None:
    settings.CONCURRENT_REQUESTS_EACH, settings.QUEUED_REQUESTS_EACH = 1, 0
    middleware = SheddingMiddleware(lambda request: HttpResponse("done"))
    with middleware.people.acquire_slot():
        answer = middleware(RequestFactory().get("/casinos/harbour/floor/"))
    assert answer.status_code == 503
    assert "The service is very busy" in answer.content.decode()
