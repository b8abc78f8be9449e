"""Concurrent workers on their own connections: no message is sent twice, and none waits for a lock."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection, transaction

from compliance.notify.webhooks.consumer import consume_events
from compliance.notify.webhooks.delivery.worker import claim_next_delivery, deliver_due
from compliance.notify.webhooks.models import Attempt, Endpoint
from tests.compliance.notify.alerts.alert_scenario import House, lights_failed
from tests.compliance.notify.webhooks.receiver import Receiver, receiver
from tests.compliance.notify.webhooks.webhook_scenario import Hours, register, states

WORKERS = 4


def at_once(work: object, times: int = WORKERS) -> list[object]:
    start = Barrier(times)

    def one(_: int) -> object:
        try:
            start.wait(timeout=60)
            return work()  # type: ignore[operator]
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(one, range(times)))


def test_workers_that_ring_together_send_each_message_once_and_in_order(committed: House, there: Receiver) -> None:
    hours = Hours()
    with receiver() as other:
        first, second = register(committed, there.address), register(committed, other.address, name="B")
        for number in range(6):
            lights_failed(committed, table=f"sb-{number}")

        def turn() -> int:
            consume_events(hours)
            return deliver_due(hours)

        for _ in range(3):
            at_once(turn)
        for told, endpoint in ((there, first), (other, second)):
            assert len(told.ids) == len(set(told.ids)) == 6
            assert told.ids == sorted(told.ids, key=lambda one: int(one.split("_")[1]))
            assert states(endpoint) == [("delivered", 1)] * 6


def test_one_message_is_claimed_by_one(committed: House, there: Receiver) -> None:
    hours, endpoint = Hours(), register(committed, there.address)
    lights_failed(committed)
    consume_events(hours)
    claims = at_once(lambda: claim_next_delivery(endpoint.pk, hours()))
    assert sum(one is not None for one in claims) == 1
    assert Attempt.objects.count() == 1


def test_whoever_finds_it_locked_goes_on_at_once(committed: House, there: Receiver) -> None:
    hours, endpoint = Hours(), register(committed, there.address)
    lights_failed(committed)
    consume_events(hours)
    with transaction.atomic():
        Endpoint.objects.select_for_update().get(pk=endpoint.pk)

        def claims_nothing() -> object:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '1s'")
            return claim_next_delivery(endpoint.pk, hours())

        assert at_once(claims_nothing, 1) == [None]
    assert claim_next_delivery(endpoint.pk, hours()) is not None


def test_no_lock_is_held_while_a_receiver_is_waited_for(committed: House, there: Receiver) -> None:
    """Somebody disables it meanwhile without waiting."""
    hours, endpoint = Hours(), register(committed, there.address)
    lights_failed(committed)
    consume_events(hours)
    assert claim_next_delivery(endpoint.pk, hours()) is not None

    def locks() -> object:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '1s'")
            return Endpoint.objects.select_for_update().get(pk=endpoint.pk).pk

    assert at_once(locks, 1) == [endpoint.pk]
