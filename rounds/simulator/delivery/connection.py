"""Connects to the running service: waits until it answers, opens a controller's feed, finds its next number."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.db.models import Max
from django.utils import timezone

from compliance.tables.equipment.selectors import stopped_tables
from rounds.floor.demo import key_file
from rounds.floor.models import Table
from rounds.intake.models import Feed, Quarantined
from rounds.ledger import signing
from rounds.simulator.client.sender import Sender
from rounds.simulator.delivery.controller_feed import ControllerFeed
from rounds.simulator.delivery.controller_keys import read_private_key
from rounds.simulator.delivery.direct_client import DirectSender

ENTRIES_PATH = "/api/v1/entries"
HEALTH_PATH = "/healthz"


class ServiceNotRunning(Exception):
    """No answer at the address."""


def wait_for_service(address: str, *, seconds: float, sleep: Callable[[float], None] = time.sleep) -> None:
    """Raises ServiceNotRunning after that time. Any HTTP answer will do: an unhealthy service still accepts rounds, or
    says why not."""
    until = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(address + HEALTH_PATH, timeout=5).close()  # noqa: S310 - the service's own address
            return
        except urllib.error.HTTPError:
            return
        except OSError as error:
            if time.monotonic() >= until:
                raise ServiceNotRunning(
                    f"The service does not answer at {address}. Start it with `make run`, or say --address."
                ) from error
        sleep(0.2)


def key_path(keys: Path | None, casino: str, controller: str) -> Path:
    """In the given folder, or where the demo stores its controllers' keys."""
    demo = key_file(casino, controller)
    return demo if keys is None else keys / demo.name


def open_feed(table: Table, controller: str, *, address: str | None, keys: Path | None) -> ControllerFeed:
    """The controller's feed for a table, with its key, as an integrator would get it."""
    key = read_private_key(key_path(keys, table.casino.slug, controller))
    return open_feed_with_key(table.casino.slug, key, address=address)


def open_feed_with_key(casino: str, key: Ed25519PrivateKey, *, address: str | None) -> ControllerFeed:
    """A controller's feed with the log's verifier key. Without an address the service is called in process."""
    return ControllerFeed(
        address=(address or "") + ENTRIES_PATH,
        sender_class=Sender if address else DirectSender,
        key=key,
        verifier=str(signing.verifier_key_for(casino)),
        clock=timezone.now,
        wait=time.sleep,
    )


def next_sequence(table: Table, controller: str) -> int:
    """One more than the highest number of this feed that the service knows, quarantined lines included."""
    mine = {"casino": table.casino, "controller__slug": controller, "table": table.slug}
    taken = Feed.objects.filter(**mine).values_list("last_sequence", flat=True).first() or 0
    refused = Quarantined.objects.filter(**mine).aggregate(last=Max("sequence"))["last"] or 0
    return max(taken, refused) + 1


def is_play_stopped(table: Table) -> bool:
    """True while a fault has stopped play at the table and nobody has signed for its return."""
    return table.slug in stopped_tables(table.casino.slug)


def state_path(table: Table) -> Path:
    """File in which a table's state is stored between live runs."""
    return Path(settings.DATA_DIR) / "simulator" / f"{table.casino.slug}.{table.slug}.json"
