"""The demo's mailbox stores e-mails instead of sending them, in the demo only."""

from typing import Any

import pytest
from django.core.mail import EmailMessage, get_connection
from django.test import Client

from compliance.core.web.models import CapturedEmail
from tests.compliance.core.web.conftest import Elements

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.compliance.core.web.component_gallery")]


def send(subject: str, body: str, *to: str) -> int:
    backend = get_connection("compliance.core.web.mail.demo_mailbox.MailboxBackend")
    return int(backend.send_messages([EmailMessage(subject, body, "fairthrow@localhost", list(to))]) or 0)


def test_a_mail_is_kept_and_shown_newest_first(client: Client) -> None:
    assert send("Invitation", "Open https://example.com/invitation/x", "ina@example.com", "mo@example.com") == 1
    send("Reset", "…", "mo@example.com")
    page = Elements(client.get("/demo/mailbox/").content.decode())
    assert page.texts("th", scope="row") == ["Reset", "Invitation"]
    assert "ina@example.com, mo@example.com" in page.texts("td")


def test_links_in_a_mail_can_be_followed_and_its_markup_cannot(client: Client) -> None:
    send("Invitation", "<img src=x> Open https://example.com/invitation/x", "ina@example.com")
    page = Elements(client.get(f"/demo/mailbox/{CapturedEmail.objects.get().pk}/").content.decode())
    assert [attrs["href"] for attrs, words in page.all("a") if "invitation" in words] == [
        "https://example.com/invitation/x"
    ]
    assert page.all("img", src="x") == []


def test_an_empty_mailbox_says_so(client: Client) -> None:
    assert "No e-mail has been sent yet." in client.get("/demo/mailbox/").content.decode()


def test_an_unknown_mail_is_not_found(client: Client) -> None:
    assert client.get("/demo/mailbox/1/").status_code == 404


def test_outside_the_demo_there_is_no_mailbox(client: Client, settings: Any) -> None:
    send("Secret", "…", "ina@example.com")
    settings.DEMO = False
    settings.SECURE_SSL_REDIRECT = False
    assert client.get("/demo/mailbox/").status_code == 404
    assert client.get(f"/demo/mailbox/{CapturedEmail.objects.get().pk}/").status_code == 404
