"""Worker: from an entry to another system; once if all is well, retried if not, in order, and given up in the end."""

import json
import random
import time
from datetime import datetime, timedelta

import pytest
from cryptography.exceptions import InvalidSignature
from django.db import DatabaseError, IntegrityError, connection, transaction
from pytest_django import Settings

from compliance.config.run.embedded_servers import free_port
from compliance.core.accounts.models import Casino, User
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.services import acknowledge_alert
from compliance.notify.webhooks.consumer import consume_events
from compliance.notify.webhooks.delivery import http_client, worker
from compliance.notify.webhooks.delivery.http_client import DeliveryResult
from compliance.notify.webhooks.delivery.worker import (
    RETRY_DELAYS,
    claim_next_delivery,
    deliver_due,
    record_attempt,
    send_claimed,
)
from compliance.notify.webhooks.errors import EndpointStateConflict
from compliance.notify.webhooks.health import check_webhooks
from compliance.notify.webhooks.models import Attempt, Delivery, Endpoint
from compliance.notify.webhooks.services import (
    change_endpoint,
    disable_endpoint,
    enable_endpoint,
    remove_endpoint,
    resend_delivery,
    send_test_message,
)
from rounds.ledger.readers.consumer import position_of
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.notify.alerts.alert_scenario import FAILED_AT, House, lights_failed
from tests.compliance.notify.webhooks.receiver import Receiver, receiver
from tests.compliance.notify.webhooks.webhook_scenario import Hours, check_signature, register, states, work

DAYS, SECOND = timedelta(days=1), timedelta(seconds=1)


@pytest.fixture
def hours() -> Hours:
    return Hours()


def test_an_alert_is_told_once_with_a_signature_that_fits(house: House, there: Receiver, hours: Hours) -> None:
    endpoint = register(house, there.address)
    alert = lights_failed(house)
    assert work(hours) == 1
    assert work(hours) == 0
    [came] = there.received
    check_signature(came)
    assert came.id == f"harbour_{alert.entry_index}_{endpoint.pk}"
    assert int(came.headers["webhook-timestamp"]) == int(hours.now.timestamp())
    said = json.loads(came.body)
    assert (said["type"], said["id"], said["code"]) == ("alert.raised", came.id, "equipment-fault")
    assert (said["casino"], said["log"], said["index"]) == ("harbour", "harbour", alert.entry_index)
    assert (said["table"], said["at"]) == ("sb-1", "2026-11-16T09:30:00.400000Z")
    assert said["page"].endswith(f"/casinos/harbour/alerts/{alert.entry_index}/")
    assert states() == [("delivered", 1)]
    attempt = Attempt.objects.get()
    assert (attempt.status, attempt.trouble, attempt.outcome_text) == (204, "", "It was taken.")


def test_the_signature_of_another_body_or_by_another_key_does_not_fit(
    house: House, there: Receiver, hours: Hours, settings: Settings
) -> None:
    register(house, there.address)
    lights_failed(house)
    work(hours)
    [came] = there.received
    came.body += b" "
    with pytest.raises(InvalidSignature):
        check_signature(came)
    came.body = came.body[:-1]
    check_signature(came)
    settings.WEBHOOK_KEY_FILE = settings.WEBHOOK_KEY_FILE.parent / "other.key"
    create_key_file(settings.WEBHOOK_KEY_FILE)
    with pytest.raises(InvalidSignature):
        check_signature(came)


def test_a_receiver_that_was_down_is_told_when_it_is_up(house: House, hours: Hours) -> None:
    port = free_port()
    register(house, f"http://127.0.0.1:{port}/")
    lights_failed(house)
    assert work(hours) == 0
    assert Attempt.objects.get().trouble == "It refused the connection."
    with receiver(port=port) as there:
        hours.go(seconds=4)
        assert work(hours) == 0, "not before its time"
        hours.go(seconds=2)
        assert work(hours) == 1
        check_signature(there.received[0])
    assert states() == [("delivered", 2)]


def test_after_a_500_the_same_message_is_sent_again(house: House, there: Receiver, hours: Hours) -> None:
    register(house, there.address)
    lights_failed(house)
    there.answers = [500, 503, 200]
    for _ in range(3):
        work(hours)
        hours.go(minutes=2)
    assert len(set(there.ids)) == 1
    assert len({one.body for one in there.received}) == 1
    times = [int(one.headers["webhook-timestamp"]) for one in there.received]
    assert times == sorted(set(times)), "each attempt has its own time"
    assert list(Attempt.objects.values_list("number", "status")) == [(1, 500), (2, 503), (3, 200)]


def test_a_redirect_is_a_failure(house: House, there: Receiver, hours: Hours) -> None:
    with receiver() as elsewhere:
        register(house, there.address)
        lights_failed(house)
        there.answers, there.location = [302], elsewhere.address
        work(hours)
        assert elsewhere.received == []
    assert states() == [("waiting", 1)]


def test_a_slow_receiver_holds_no_other_up(house: House, hours: Hours, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "READ_SECONDS", 1.5)
    taken: list[float] = []
    with receiver() as slow, receiver() as quick:
        slow.answers = [30.0]
        slower, quicker = register(house, slow.address, name="A"), register(house, quick.address, name="B")
        for number in range(3):
            lights_failed(house, table=f"sb-{number}")
        monkeypatch.setattr(worker, "record_attempt", noting(taken, quicker.pk))
        begun = time.monotonic()
        assert work(hours) == 3
        assert [at - begun < 1.0 for at in taken] == [True] * 3, "all were taken while the other was silent"
        assert states(quicker) == [("delivered", 1)] * 3
        assert states(slower) == [("waiting", 1), ("waiting", 0), ("waiting", 0)]
    assert Attempt.objects.get(delivery__endpoint=slower).trouble == "It did not answer in time."


def noting(taken: list[float], endpoint_id: int) -> object:
    """The real function, which also notes when it was called for this endpoint."""

    def timed(claimed: worker.ClaimedDelivery, answer: DeliveryResult, now: object) -> None:
        record_attempt(claimed, answer, now)  # type: ignore[arg-type]
        if claimed.endpoint_id == endpoint_id:
            taken.append(time.monotonic())

    return timed


def test_the_order_of_the_log_is_kept_however_long_the_first_one_takes(
    house: House, there: Receiver, hours: Hours
) -> None:
    register(house, there.address)
    alerts = [lights_failed(house, table=f"sb-{number}") for number in range(4)]
    there.answers = [500, 204]
    work(hours)
    assert states() == [("waiting", 1), ("waiting", 0), ("waiting", 0), ("waiting", 0)]
    hours.go(seconds=6)
    work(hours)
    order = [json.loads(one.body)["index"] for one in there.received]
    assert order == [alerts[0].entry_index, *(alert.entry_index for alert in alerts)]


def test_a_worker_that_dies_between_sending_and_noting_sends_it_again_under_the_same_id(
    house: House, there: Receiver, hours: Hours
) -> None:
    endpoint = register(house, there.address)
    lights_failed(house)
    consume_events(hours)
    claimed = claim_next_delivery(endpoint.pk, hours())
    assert claimed is not None
    assert send_claimed(claimed, hours).is_delivered
    # The worker dies here: its attempt has no end.
    assert (Attempt.objects.get().ended_at, states()) == (None, [("waiting", 1)])
    assert deliver_due(hours) == 0, "it might still be at work"
    hours.go(minutes=2, seconds=1)
    assert deliver_due(hours) == 1
    assert len(there.ids) == 2
    assert len(set(there.ids)) == 1
    assert states() == [("delivered", 2)]
    assert Attempt.objects.first().outcome_text == "It was begun, and its end is not known."  # type: ignore[union-attr]


def test_one_that_was_only_slow_changes_nothing_of_what_came_since(house: House, there: Receiver, hours: Hours) -> None:
    endpoint = register(house, there.address)
    lights_failed(house)
    consume_events(hours)
    late = claim_next_delivery(endpoint.pk, hours())
    assert late is not None
    hours.go(minutes=3)
    newer = claim_next_delivery(endpoint.pk, hours())
    assert newer is not None
    next_try_at = Delivery.objects.get().next_try_at
    record_attempt(late, DeliveryResult(None, "It did not answer in time."), hours())
    assert Delivery.objects.get().next_try_at == next_try_at, "it is not for the late one to put it off"
    endpoint.refresh_from_db()
    assert endpoint.busy_until is not None, "the newer one is still at work"
    record_attempt(newer, DeliveryResult(204), hours())
    assert states() == [("delivered", 2)]


def test_what_a_slow_one_did_deliver_is_delivered(house: House, there: Receiver, hours: Hours) -> None:
    endpoint = register(house, there.address)
    lights_failed(house)
    consume_events(hours)
    late = claim_next_delivery(endpoint.pk, hours())
    hours.go(minutes=3)
    newer = claim_next_delivery(endpoint.pk, hours())
    assert late is not None
    assert newer is not None
    record_attempt(late, DeliveryResult(204), hours())
    record_attempt(newer, DeliveryResult(500, "It answered 500."), hours())
    assert states() == [("delivered", 2)]


def test_casino_a_never_hears_of_casino_b(house: House, there: Receiver, hours: Hours) -> None:
    marina, mia = Casino.objects.get(slug="marina"), User.objects.get(email="mia@example.com")
    with receiver() as other:
        register(house, there.address)
        register(house, other.address, casino=marina, by=mia)
        ours, theirs = lights_failed(house), lights_failed(house, casino=marina)
        work(hours)
        assert [json.loads(one.body)["casino"] for one in there.received] == ["harbour"]
        assert [json.loads(one.body)["casino"] for one in other.received] == ["marina"]
        assert json.loads(there.received[0].body)["index"] == ours.entry_index
        assert json.loads(other.received[0].body)["index"] == theirs.entry_index


def test_it_is_told_only_of_what_it_asked_for_and_only_since_it_is_there(
    house: House, there: Receiver, hours: Hours
) -> None:
    before = lights_failed(house)
    register(house, there.address, ["alert.acknowledged"])
    after = lights_failed(house, table="sb-2")
    for alert in (before, after):
        acknowledge_alert(alert=alert, actor=house.ines, now=FAILED_AT + timedelta(seconds=30))
    # The consumer did not run meanwhile, and reads the log from its beginning.
    work(hours)
    said = [json.loads(one.body) for one in there.received]
    assert [(one["type"], one["about"]) for one in said] == [
        ("alert.acknowledged", before.entry_index),
        ("alert.acknowledged", after.entry_index),
    ]
    assert [one["page"].rpartition("/alerts/")[2] for one in said] == [
        f"{before.entry_index}/",
        f"{after.entry_index}/",
    ]


def test_what_was_recorded_while_it_was_off_is_not_told_and_what_waited_is(
    house: House, there: Receiver, hours: Hours
) -> None:
    endpoint = register(house, there.address)
    first = lights_failed(house, table="sb-1")
    consume_events(hours)
    disable_endpoint(endpoint=endpoint, reason="It moves.", actor=house.ada, now=hours())
    lights_failed(house, table="sb-2")
    assert work(hours) == 0
    assert there.received == []
    enable_endpoint(endpoint=endpoint, actor=house.ada, now=hours())
    third = lights_failed(house, table="sb-3")
    assert work(hours) == 2
    assert [json.loads(one.body)["index"] for one in there.received] == [first.entry_index, third.entry_index]


def test_the_cursor_and_the_deliveries_move_together(house: House, there: Receiver, hours: Hours) -> None:
    endpoint = register(house, there.address)
    lights_failed(house)
    consume_events(hours)
    passed = position_of("webhooks", "harbour")
    first, second = (lights_failed(house, table=table) for table in ("sb-2", "sb-3"))
    with transaction.atomic():
        # The second one cannot be stored: its id exists.
        Delivery.objects.create(
            endpoint=endpoint,
            message_id=f"harbour_{second.entry_index}_{endpoint.pk}",
            event="test",
            body="{}",
            made_at=hours(),
            next_try_at=hours(),
        )
        with pytest.raises(IntegrityError), transaction.atomic():
            consume_events(hours)
        assert position_of("webhooks", "harbour") == passed
        assert not Delivery.objects.filter(entry_index=first.entry_index).exists()
        transaction.set_rollback(True)
    consume_events(hours)
    assert Delivery.objects.count() == 3
    assert consume_events(hours) == 0


def test_a_change_of_address_holds_for_what_waits(house: House, there: Receiver, hours: Hours) -> None:
    endpoint = register(house, f"http://127.0.0.1:{free_port()}/")
    lights_failed(house)
    work(hours)
    change_endpoint(
        endpoint=endpoint,
        name="Case system",
        address=there.address,
        events=["alert.raised"],
        actor=house.ada,
        now=hours(),
    )
    hours.go(seconds=10)
    assert work(hours) == 1


def test_an_address_that_is_no_longer_allowed_is_not_called(
    house: House, there: Receiver, hours: Hours, settings: Settings
) -> None:
    register(house, there.address)
    lights_failed(house)
    settings.WEBHOOK_NETWORKS = ()
    work(hours)
    assert there.received == []
    assert Attempt.objects.get().trouble == "The address leads into a network that is not public."


def test_the_pauses_grow_and_differ_a_little() -> None:
    random.seed(7)
    for tries, pause in enumerate([*RETRY_DELAYS, RETRY_DELAYS[-1], RETRY_DELAYS[-1]], 1):
        found = {worker.next_try_at(tries, FAILED_AT) - FAILED_AT for _ in range(50)}
        assert len(found) > 40
        assert all(pause * 0.9 <= each <= pause * 1.1 for each in found)


def fail_until_given_up(hours: Hours) -> int:
    """Four days, with one run at each due time and one just before; returns the number of attempts."""
    end = hours.now + 4 * DAYS
    while hours.now < end:
        work(hours)
        due = next_due(hours) or end
        hours.now = max(hours.now, min(due, end) - SECOND)
        work(hours)
        hours.now = min(due, end)
    return Attempt.objects.count()


def next_due(hours: Hours) -> datetime | None:
    waiting = Delivery.objects.filter(state="waiting", next_try_at__gt=hours.now).order_by("next_try_at")
    return waiting.values_list("next_try_at", flat=True).first()


def test_after_three_days_it_is_given_up_switched_off_and_the_compliance_officer_told(
    house: House, there: Receiver, hours: Hours
) -> None:
    endpoint, begun = register(house, there.address), hours.now
    lights_failed(house)
    lights_failed(house, table="sb-2")
    there.answers = [500]
    assert 14 <= fail_until_given_up(hours) <= 20
    endpoint.refresh_from_db()
    assert endpoint.standing == "failed"
    assert states(endpoint)[0][0] == "given-up"
    assert states(endpoint)[1] == ("waiting", 0)
    last = Attempt.objects.latest("started_at")
    assert timedelta(0) <= last.started_at - begun - 3 * DAYS <= timedelta(minutes=30)
    alert = Alert.objects.get(duty="webhook-switched-off")
    assert (alert.to, alert.casino) == (["compliance-officer"], house.harbour)
    assert alert.statement == "The webhook Case system took no message for 3 days and is switched off."
    step = endpoint.steps.last()
    assert step is not None
    assert (step.act, step.by, step.standing) == ("failed", None, "failed")

    there.answers = [204]
    given_up = Delivery.objects.to_endpoint(endpoint).get(state="given-up")
    with pytest.raises(EndpointStateConflict):
        resend_delivery(delivery=given_up, actor=house.cora, now=hours())
    enable_endpoint(endpoint=endpoint, actor=house.cora, now=hours())
    resend_delivery(delivery=given_up, actor=house.cora, now=hours())
    before = len(there.received)
    assert work(hours) == 2
    assert there.ids[before] == there.ids[0], "sent again under its own id, and before what came later"
    assert {state for state, _ in states(endpoint)} == {"delivered"}


def test_what_is_sent_again_has_three_days_more(house: House, there: Receiver, hours: Hours) -> None:
    endpoint = register(house, there.address)
    lights_failed(house)
    there.answers = [500]
    fail_until_given_up(hours)
    enable_endpoint(endpoint=endpoint, actor=house.cora, now=hours())
    resend_delivery(delivery=Delivery.objects.to_endpoint(endpoint).get(), actor=house.cora, now=hours())
    work(hours)
    delivery = Delivery.objects.to_endpoint(endpoint).get()
    assert delivery.state == "waiting"
    assert delivery.next_try_at - hours.now <= RETRY_DELAYS[0] * 1.1


def test_a_test_goes_first_is_tried_once_and_wakes_what_waits(house: House, there: Receiver, hours: Hours) -> None:
    endpoint = register(house, there.address)
    lights_failed(house)
    there.answers = [500]
    work(hours)
    first = send_test_message(endpoint=endpoint, actor=house.cora, now=hours())
    work(hours)
    first.refresh_from_db()
    assert (first.state, first.attempts_made) == ("given-up", 1)
    endpoint.refresh_from_db()
    assert endpoint.standing == "active"
    assert Delivery.objects.to_endpoint(endpoint).get(event="alert.raised").attempts_made == 1
    there.answers = [204]
    send_test_message(endpoint=endpoint, actor=house.cora, now=hours())
    assert work(hours) == 2, "without waiting for its time"
    said = [json.loads(one.body)["type"] for one in there.received[-2:]]
    assert said == ["test", "alert.raised"]
    check_signature(there.received[-2])


def test_what_was_removed_is_told_nothing_more(house: House, there: Receiver, hours: Hours) -> None:
    endpoint = register(house, there.address)
    lights_failed(house)
    consume_events(hours)
    remove_endpoint(endpoint=endpoint, reason="The system is gone.", actor=house.ada, now=hours())
    lights_failed(house, table="sb-2")
    assert work(hours) == 0
    assert there.received == []
    assert states() == [("given-up", 0)]
    for act in (
        lambda: enable_endpoint(endpoint=endpoint, actor=house.ada, now=hours()),
        lambda: send_test_message(endpoint=endpoint, actor=house.ada, now=hours()),
        lambda: remove_endpoint(endpoint=endpoint, reason="Again.", actor=house.ada, now=hours()),
    ):
        with pytest.raises(EndpointStateConflict):
            act()


def test_without_a_key_nothing_is_sent_and_nothing_lost(
    house: House, there: Receiver, hours: Hours, settings: Settings
) -> None:
    register(house, there.address)
    lights_failed(house)
    key = settings.WEBHOOK_KEY_FILE
    settings.WEBHOOK_KEY_FILE = key.parent / "not-here"
    work(hours)
    assert there.received == []
    assert Attempt.objects.get().trouble == "The service has no key to sign them with."
    settings.WEBHOOK_KEY_FILE = key
    hours.go(seconds=10)
    assert work(hours) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM webhooks_endpoint",
        "DELETE FROM webhooks_delivery",
        "DELETE FROM webhooks_attempt",
        "DELETE FROM webhooks_endpointstep",
        "UPDATE webhooks_endpointstep SET address = 'https://evil.example.com/'",
        "UPDATE webhooks_endpoint SET casino_id = (SELECT id FROM accounts_casino WHERE slug = 'marina')",
        "UPDATE webhooks_delivery SET body = '{}'",
        "UPDATE webhooks_delivery SET state = 'waiting', delivered_at = NULL",
        "UPDATE webhooks_delivery SET attempts_made = 0",
        "UPDATE webhooks_attempt SET status = 500",
        "TRUNCATE webhooks_attempt",
    ],
)
def test_what_was_done_stays_written_down(house: House, there: Receiver, hours: Hours, statement: str) -> None:
    register(house, there.address)
    lights_failed(house)
    work(hours)
    with pytest.raises(DatabaseError), transaction.atomic():
        connection.cursor().execute(statement)


def test_the_alarm_of_a_webhook_does_not_go_to_the_webhook(house: House, there: Receiver, hours: Hours) -> None:
    """It is disabled by then; another webhook of the casino may get it."""
    with receiver() as other:
        register(house, there.address, name="A")
        lights_failed(house)
        there.answers = [500]
        register(house, other.address, name="B")
        fail_until_given_up(hours)
        work(hours)
        assert [json.loads(one.body)["code"] for one in other.received] == ["webhook-switched-off"]
        assert len(set(there.ids)) == 1


def test_as_many_as_wait_are_sent_in_one_turn(house: House, there: Receiver, hours: Hours) -> None:
    register(house, there.address)
    for number in range(12):
        lights_failed(house, table=f"sb-{number}")
    assert work(hours) == 12
    assert Endpoint.objects.get().busy_until is None


def test_the_status_page_says_when_webhooks_are_behind_or_failed(house: House, there: Receiver, hours: Hours) -> None:
    register(house, there.address)
    lights_failed(house)
    consume_events(hours)
    assert check_webhooks(hours.now + timedelta(minutes=4)).is_ok
    assert check_webhooks(hours.now + timedelta(minutes=5)).detail == (
        "Webhooks behind: 1. Switched off because nobody answered: 0."
    )
    deliver_due(hours)
    assert check_webhooks(hours.now + timedelta(minutes=10)).is_ok
    there.answers = [500]
    lights_failed(house, table="sb-2")
    fail_until_given_up(hours)
    assert check_webhooks(hours.now).detail == ("Webhooks behind: 0. Switched off because nobody answered: 1.")
