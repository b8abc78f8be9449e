"""Harbour's case system subscribes to alerts; the clock moves as the test says."""

import base64
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from compliance.core.accounts.models import Casino, User
from compliance.notify.webhooks.consumer import consume_events
from compliance.notify.webhooks.delivery.message_signature import public_key_text
from compliance.notify.webhooks.delivery.worker import deliver_due
from compliance.notify.webhooks.models import Delivery, Endpoint
from compliance.notify.webhooks.services import register_endpoint
from tests.compliance.notify.alerts.alert_scenario import FAILED_AT, House
from tests.compliance.notify.webhooks.receiver import Received


class Hours:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = FAILED_AT + timedelta(minutes=1)

    def __call__(self) -> datetime:
        return self.now

    def go(self, **by: float) -> None:
        self.now += timedelta(**by)


def register(
    house: House,
    address: str,
    events: Collection[str] = ("alert.raised",),
    *,
    name: str = "Case system",
    casino: Casino | None = None,
    by: User | None = None,
) -> Endpoint:
    return register_endpoint(
        casino=casino or house.harbour,
        name=name,
        address=address,
        events=events,
        actor=by or house.cora,
        now=FAILED_AT,
    )


def work(hours: Hours) -> int:
    """One run of the task."""
    consume_events(hours)
    return deliver_due(hours)


def states(endpoint: Endpoint | None = None) -> list[tuple[str, int]]:
    found = Delivery.objects.all() if endpoint is None else Delivery.objects.to_endpoint(endpoint)
    return list(found.order_by("entry_index").values_list("state", "attempts_made"))


def check_signature(came: Received, key: str = "") -> None:
    """Verifies by the Standard Webhooks convention, with only the public key from the page."""
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode((key or public_key_text()).removeprefix("whpk_")))
    variant, _, signature = came.headers["webhook-signature"].partition(",")
    assert variant == "v1a"
    signed = f"{came.id}.{came.headers['webhook-timestamp']}.".encode() + came.body
    public.verify(base64.b64decode(signature), signed)


Json = dict[str, Any]
