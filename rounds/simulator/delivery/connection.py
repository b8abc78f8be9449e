"""Joining the running service: is it there, with which key does a controller speak, which number comes next."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

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
    """Nobody answers at the address."""


def wait_for_service(address: str, *, seconds: float, sleep: Callable[[float], None] = time.sleep) -> None:
    """Raises if nobody answers in that time. Any answer will do: a sick service still takes rounds, or says why not."""
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
    """In the folder named, or where the demo keeps those of its own controllers."""
    demo = key_file(casino, controller)
    return demo if keys is None else keys / demo.name


def open_feed(table: Table, controller: str, *, address: str | None, keys: Path | None) -> ControllerFeed:
    """The controller of a table, with its key and the log's verifier key, as an integrator would be given them.

    Without an address there is no server between it and the service.
    """
    return ControllerFeed(
        address=(address or "") + ENTRIES_PATH,
        sender_class=Sender if address else DirectSender,
        key=read_private_key(key_path(keys, table.casino.slug, controller)),
        verifier=str(signing.verifier_key_for(table.casino.slug)),
        clock=timezone.now,
        wait=time.sleep,
    )


def next_sequence(table: Table, controller: str) -> int:
    """After all that the service has seen of this feed, what it refused included."""
    mine = {"casino": table.casino, "controller__slug": controller, "table": table.slug}
    taken = Feed.objects.filter(**mine).values_list("last_sequence", flat=True).first() or 0
    refused = Quarantined.objects.filter(**mine).aggregate(last=Max("sequence"))["last"] or 0
    return max(taken, refused) + 1


def is_play_stopped(table: Table) -> bool:
    """A fault stopped play there, and nobody has signed for its return: an honest dealer waits."""
    return table.slug in stopped_tables(table.casino.slug)


def state_path(table: Table) -> Path:
    """Where a table's state is kept from one live run to the next."""
    return Path(settings.DATA_DIR) / "simulator" / f"{table.casino.slug}.{table.slug}.json"
