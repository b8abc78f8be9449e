"""The receiver printed on the help page is extracted, run as it is, and called."""

import subprocess
import sys
import time
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from compliance.config.run.embedded_servers import free_port
from compliance.notify.webhooks.delivery import http_client, worker
from compliance.notify.webhooks.delivery.address_policy import AddressPolicy
from compliance.notify.webhooks.delivery.http_client import post_message
from compliance.notify.webhooks.delivery.message_signature import public_key_text, signed_headers
from compliance.notify.webhooks.models import Delivery
from compliance.notify.webhooks.services import installation_address_policy
from tests.compliance.notify.alerts.alert_scenario import House, lights_failed
from tests.compliance.notify.webhooks.webhook_scenario import Hours, register, work


@pytest.fixture
def page(client: Client, db: None) -> str:
    return client.get("/help/webhooks/").content.decode()


def test_the_receiver_takes_what_is_signed_once_and_refuses_what_is_not(
    page: str, house: House, tmp_path: Path
) -> None:
    (tmp_path / "receive_webhooks.py").write_text(unescape(page.partition('id="receiver">')[2].partition("</code>")[0]))
    port, hours = free_port(), Hours()
    address = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "receive_webhooks.py", public_key_text(), str(port)]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as ran:
        try:
            await_answer(address, AddressPolicy((), installation_address_policy().networks))
            hours.now = hours.now.fromtimestamp(time.time(), hours.now.tzinfo)
            register(house, address)
            alert = lights_failed(house)
            assert work(hours) == 1
            told = Delivery.objects.get()
            body = told.body.encode()
            headers = signed_headers("harbour_x_1", body, hours.now)
            again = signed_headers(told.message_id, body, hours.now)
            old = signed_headers("harbour_y_1", body, hours.now.replace(year=2020))
            assert post_message(address, body, again, installation_address_policy()).status == 204
            assert post_message(address, body + b" ", headers, installation_address_policy()).status == 401
            assert (
                post_message(address, body, headers | {"webhook-id": "other"}, installation_address_policy()).status
                == 401
            )
            assert (
                post_message(
                    address, body, headers | {"webhook-signature": "v1,AAAA v1a,AAAA"}, installation_address_policy()
                ).status
                == 401
            )
            assert post_message(address, body, old, installation_address_policy()).status == 401
            assert (
                post_message(
                    address, body, headers | {"webhook-timestamp": "soon"}, installation_address_policy()
                ).status
                == 401
            )
            assert post_message(address, body, {}, installation_address_policy()).status == 401, (
                "not from us, and no reason to fall silent"
            )
        finally:
            ran.terminate()
        printed = ran.stdout.read() if ran.stdout else ""
    assert printed == body.decode() + "\n"
    assert f'"index":{alert.entry_index}' in printed


def await_answer(address: str, allowed: AddressPolicy) -> None:
    until = time.monotonic() + 20
    while post_message(address, b"{}", {"webhook-timestamp": "0"}, allowed).status is None:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_its_figures_are_those_of_the_program(page: str) -> None:
    words = " ".join(page.split())
    assert f"within {int(http_client.CONNECT_SECONDS)} seconds" in words
    assert f"for {worker.RETRY_PERIOD.days} days" in words
    assert "after 5 seconds, 1 minute, 5 minutes, 30 minutes, 2 hours, 6 hours" in words
    assert "port 443 or 8443" in words
