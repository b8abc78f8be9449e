"""One POST to a checked address: no redirects, no proxy, no second DNS resolution (which could give another address).
Limited in time, and in the size of the response, whatever the receiver does."""

import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv6Address, ip_address

from compliance.notify.webhooks.delivery.address_policy import (
    AddressPolicy,
    IpAddress,
    Target,
    check_resolved_addresses,
    parse_address,
)
from compliance.notify.webhooks.errors import AddressRefused

CONNECT_SECONDS = 3.0
READ_SECONDS = 5.0
# From the first packet to the last byte read, however slowly they arrive.
MAX_SECONDS = 10.0
MAX_RESPONSE_BYTES = 4096


@dataclass(frozen=True)
class DeliveryResult:
    """HTTP status, if there was a response, and what went wrong, as text for a page."""

    status: int | None
    trouble: str = ""

    @property
    def is_delivered(self) -> bool:
        return not self.trouble


def post_message(address: str, body: bytes, headers: Mapping[str, str], allowed: AddressPolicy) -> DeliveryResult:
    try:
        target = parse_address(address, allowed)
        addresses = resolve_host(target)
        check_resolved_addresses(target, addresses, allowed)
    except AddressRefused as refused:
        return DeliveryResult(None, refused.detail)
    except OSError:
        return DeliveryResult(None, "The host's name is not known.")
    try:
        return _post_to_addresses(target, addresses, body, headers)
    except ssl.SSLCertVerificationError as error:
        return DeliveryResult(None, f"Its certificate was not accepted: {error.verify_message}.")
    except ssl.SSLError:
        return DeliveryResult(None, "No secure connection could be made.")
    except TimeoutError:
        return DeliveryResult(None, "It did not answer in time.")
    except ConnectionRefusedError:
        return DeliveryResult(None, "It refused the connection.")
    except (HTTPException, ValueError):
        return DeliveryResult(None, "What it answered is not HTTP.")
    except OSError as error:
        return DeliveryResult(None, f"The connection broke ({type(error).__name__}).")


def resolve_host(target: Target) -> list[IpAddress]:
    """All addresses of the name, resolved once: a second resolution could differ (DNS rebinding)."""
    if target.literal is not None:
        return [target.literal]
    found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(str(place[0]).partition("%")[0]) for *_, place in found))


def _post_to_addresses(
    target: Target, addresses: list[IpAddress], body: bytes, headers: Mapping[str, str]
) -> DeliveryResult:
    with _timed_connection(target, addresses) as (sock, cut_off):
        connection = HTTPConnection(target.host, target.port)
        # The socket is connected already, so http.client opens none itself.
        connection.sock = sock
        try:
            connection.request(
                "POST",
                target.path,
                body,
                {
                    **headers,
                    "Host": target.host_header,
                    "Content-Type": "application/json",
                    "Connection": "close",
                    "User-Agent": "Fairthrow-Webhooks/1",
                },
            )
            answer = connection.getresponse()
            answer.read(MAX_RESPONSE_BYTES)
        except (OSError, HTTPException) as error:
            if cut_off.is_set():
                raise TimeoutError from error
            raise
        return DeliveryResult(answer.status, _status_text(answer.status))


def _status_text(status: int) -> str:
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return f"It answered {status} and points elsewhere, where we do not follow."
    return f"It answered {status}."


@contextmanager
def _timed_connection(target: Target, addresses: list[IpAddress]) -> Iterator[tuple[socket.socket, threading.Event]]:
    """A connection that is shut down at the time limit, even during the TLS handshake."""
    sock, cut_off = _connect_first(target, addresses), threading.Event()
    if target.is_secure:
        context = ssl.create_default_context()
        sock = context.wrap_socket(sock, server_hostname=target.host, do_handshake_on_connect=False)

    def shut_down() -> None:
        cut_off.set()
        with suppress(OSError):
            # On the plain socket: SSLSocket.shutdown would drop TLS and go on reading.
            socket.socket.shutdown(sock, socket.SHUT_RDWR)

    timer = threading.Timer(MAX_SECONDS, shut_down)
    timer.daemon = True
    timer.start()
    try:
        sock.settimeout(READ_SECONDS)
        if isinstance(sock, ssl.SSLSocket):
            _tls_handshake(sock, cut_off)
        yield sock, cut_off
    finally:
        timer.cancel()
        sock.close()


def _tls_handshake(sock: ssl.SSLSocket, cut_off: threading.Event) -> None:
    try:
        sock.do_handshake()
    except OSError as error:
        if cut_off.is_set():
            raise TimeoutError from error
        raise


def _connect_first(target: Target, addresses: list[IpAddress]) -> socket.socket:
    """Connects to the first checked address that accepts: not every machine has IPv6."""
    trouble: OSError = ConnectionRefusedError()
    for address in addresses[:3]:
        family = socket.AF_INET6 if isinstance(address, IPv6Address) else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        try:
            sock.settimeout(CONNECT_SECONDS)
            sock.connect((str(address), target.port))
        except OSError as error:
            sock.close()
            trouble = error
        else:
            return sock
    raise trouble
