"""One request over real HTTP and HTTPS: certificates are checked, redirects not followed, slow responses cut off."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from pathlib import Path

import pytest

from compliance.notify.webhooks.delivery import http_client
from compliance.notify.webhooks.delivery.address_policy import AddressPolicy
from compliance.notify.webhooks.delivery.http_client import DeliveryResult, post_message
from tests.compliance.notify.webhooks.receiver import Receiver, certify, receiver

HOME = AddressPolicy((443,), (ip_network("127.0.0.0/8"),))
ID = {"webhook-id": "harbour_1_1"}


def send(address: str) -> DeliveryResult:
    return post_message(address, b'{"a":1}', ID, HOME)


def test_what_arrives_is_what_was_sent(there: Receiver) -> None:
    assert send(there.address) == DeliveryResult(204)
    [came] = there.received
    assert (came.path, came.body) == ("/hooks?from=fairthrow", b'{"a":1}')
    assert came.headers["host"] == f"127.0.0.1:{there.port}"
    assert came.headers["content-type"] == "application/json"
    assert came.id == "harbour_1_1"


def test_a_certificate_that_is_trusted_and_fits_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tls, trusted = certify(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    with receiver(tls) as there:
        assert send(there.address) == DeliveryResult(204)
        assert there.ids == ["harbour_1_1"]


def test_one_that_nobody_vouches_for_is_not(tmp_path: Path) -> None:
    tls, _ = certify(tmp_path)
    with receiver(tls) as there:
        answer = send(there.address)
        assert "certificate was not accepted: self-signed" in answer.trouble
        assert there.received == []


def test_nor_one_for_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate is checked against the name in the URL, though the connection goes to an IP address."""
    tls, trusted = certify(tmp_path, "hooks.example.com")
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    where = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: where)
    with receiver(tls) as there:
        assert send(f"https://hooks.example.com:{there.port}/") == DeliveryResult(204)
        assert "certificate was not accepted" in send(f"https://other.example.com:{there.port}/").trouble
        assert "certificate was not accepted" in send(there.address).trouble
        assert len(there.received) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(there: Receiver, status: int) -> None:
    with receiver() as elsewhere:
        there.answers, there.location = [status], elsewhere.address
        answer = send(there.address)
        assert answer == DeliveryResult(status, f"It answered {status} and points elsewhere, where we do not follow.")
        assert elsewhere.received == []


@pytest.mark.parametrize("status", [199, 400, 401, 404, 410, 429, 500, 503])
def test_what_is_not_a_yes_is_a_no(there: Receiver, status: int) -> None:
    there.answers = [status]
    assert send(there.address).is_delivered is False


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_yes_is_one(there: Receiver, status: int) -> None:
    there.answers = [status]
    assert send(there.address) == DeliveryResult(status)


def test_nobody_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert send(f"http://127.0.0.1:{port}/") == DeliveryResult(None, "It refused the connection.")


def test_a_receiver_that_says_nothing_is_not_waited_for(there: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "READ_SECONDS", 0.3)
    there.answers = [5.0]
    begun = time.monotonic()
    assert send(there.address) == DeliveryResult(None, "It did not answer in time.")
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize("drips", [b"HTTP/1.1 " + b"2" * 200, b"HTTP/1.1 100 Continue\r\n\r\n" * 20])
def test_one_that_answers_drop_by_drop_is_cut_off(
    there: Receiver, monkeypatch: pytest.MonkeyPatch, drips: bytes
) -> None:
    monkeypatch.setattr(http_client, "MAX_SECONDS", 0.5)
    there.drips = drips
    begun = time.monotonic()
    assert send(there.address) == DeliveryResult(None, "It did not answer in time.")
    assert time.monotonic() - begun < 3


def test_a_handshake_that_never_ends_is_cut_off_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "MAX_SECONDS", 0.5)
    with raw_server(b"\x16\x03\x03\x40\x00" + b"\x02" * 200, pause=0.1) as port:
        begun = time.monotonic()
        assert send(f"https://127.0.0.1:{port}/") == DeliveryResult(None, "It did not answer in time.")
        assert time.monotonic() - begun < 3


@contextmanager
def raw_server(said: bytes, pause: float = 0.0) -> Iterator[int]:
    """Sends these bytes whatever the request is."""

    def serve(listening: socket.socket) -> None:
        try:
            with listening.accept()[0] as one:
                asked = one.recv(65_536)
                # Read to its end: closing with unread data resets the connection. A handshake is one piece.
                while asked[:1] == b"P" and b'{"a":1}' not in asked:
                    asked += one.recv(65_536)
                for place in range(len(said) if pause else 1):
                    one.sendall(said[place : place + 1] if pause else said)
                    time.sleep(pause)
        except OSError:
            """The client has disconnected."""

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, args=(listening,), daemon=True).start()
        yield listening.getsockname()[1]


@pytest.mark.parametrize("said", [b"SSH-2.0-OpenSSH_9\r\n", b"\0\1\2\3\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b""])
def test_what_is_not_http_is_said_to_be_that(said: bytes) -> None:
    with raw_server(said) as port:
        answer = send(f"http://127.0.0.1:{port}/")
    assert answer == DeliveryResult(None, "What it answered is not HTTP.")


def test_no_more_than_a_few_kilobytes_of_an_answer_are_read(there: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0
    as_it_is = socket.SocketIO.readinto

    def counted(self: socket.SocketIO, buffer: bytearray) -> int | None:
        nonlocal read
        came = as_it_is(self, buffer)
        read += came or 0
        return came

    there.answers, there.extra = [200], b"x" * 5_000_000
    monkeypatch.setattr(socket.SocketIO, "readinto", counted)
    assert send(there.address) == DeliveryResult(200)
    assert 0 < read <= 64 * 1024


def test_no_proxy_of_the_environment_is_used(there: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert send(there.address) == DeliveryResult(204)
