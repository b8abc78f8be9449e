"""Address policy: private addresses are refused in every spelling, as typed and as resolved."""

import re
import socket
from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from compliance.notify.webhooks.delivery.address_policy import AddressPolicy, is_public, parse_address
from compliance.notify.webhooks.delivery.http_client import post_message
from compliance.notify.webhooks.errors import AddressRefused
from compliance.notify.webhooks.services import register_endpoint
from tests.compliance.notify.alerts.alert_scenario import FAILED_AT, House
from tests.compliance.notify.webhooks.receiver import Receiver

PUBLIC = AddressPolicy((443, 8443))
HOME = AddressPolicy((443, 8443), (ip_network("127.0.0.0/8"), ip_network("fd00:17::/32")))

NOT_PUBLIC = re.findall(
    r"\S+",
    """
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.255.255.254 169.254.169.254
172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255
198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:7f00:1 64:ff9b::127.0.0.1
64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 2001::1 2001:0:7f00:1::1 2001:2::1 2001:10::1 2001:20::1
2001:db8::1 2002:7f00:1::1 2002:a00:1::1 2002:808:808::1 3fff::1 5f00::1 fc00::1 fd12:3456::1 fe80::1 febf::1 fec0::1
ff02::1 ff0e::1 4000::1 1::1
""",
)
IS_PUBLIC = re.findall(
    r"\S+",
    """
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255
169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
2606:4700:4700::1111 2a00:1450:4001::1 2001:200::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8
""",
)

REFUSED_FORMS = [
    "", "hooks.example.com", "//hooks.example.com/", "https:", "https://", "https:///hooks", "https://?a",
    "http://hooks.example.com/", "HTTP://hooks.example.com/", "ftp://hooks.example.com/", "file:///etc/passwd",
    "gopher://hooks.example.com/", "unix:///run/x.sock", "javascript:alert(1)", "data:text/html,x",
    "https://user@hooks.example.com/", "https://user:word@hooks.example.com/", "https://@hooks.example.com/",
    "https://hooks.example.com@127.0.0.1/", "https://127.0.0.1\\@hooks.example.com/",
    "https://hooks.example.com:80/", "https://hooks.example.com:22/", "https://hooks.example.com:6379/",
    "https://hooks.example.com:0/", "https://hooks.example.com:/", "https://hooks.example.com:65536/",
    "https://hooks.example.com:-1/", "https://hooks.example.com:4 43/", "https://hooks.example.com/#part",
    "https://hooks.example.com/#", "https://hooks.example.com/a b", "https://hooks.example.com/\r\nX-Evil: 1",
    "https://hooks.example.com/\t", "https://hooks.example.com/\0", "https://hooks.example.com/ü",
    "https://hööks.example.com/", "https://127。0。0。1/", "https://１２７.0.0.1/", "https://ⓛocalhost.example.com/",
    "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://x.localhost/", "https://printer.local/",
    "https://db.internal/", "https://metadata.google.internal/", "https://router.lan/", "https://a.home.arpa/",
    "https://wiki.corp/", "https://intranet/", "https://metadata/", "https://hooks.example.com./",
    "https://hooks..example.com/", "https://.example.com/", "https://-a.example.com/", "https://a_b.example.com/",
    "https://%31%32%37.0.0.1/", "https://hooks.example.com%2f@10.0.0.1/", "https://hooks.example.com%00.evil.net/",
    "https://2130706433/", "https://017700000001/", "https://0x7f000001/", "https://0x7f.1/", "https://127.1/",
    "https://127.0.1/", "https://0177.0.0.1/", "https://127.0.0.01/", "https://0x7f.0.0.1/", "https://127.0.0.0x1/",
    "https://0/", "https://0x/", "https://256.1.1.1/", "https://1.2.3.4.5/", "https://127.0.0.1./", "https://a.0x1/",
    "https://[::1", "https://::1/", "https://[127.0.0.1]/", "https://[fe80::1%25eth0]/", "https://[fe80::1%eth0]/",
    "https://[2606:4700::1%25lo]/", "https://[v1.a]/", "https://[]/", "https://[::1]@hooks.example.com/",
    "https://hooks.example.com/<script>", "https://" + "a" * 64 + ".example.com/",
    "https://hooks.example.com/" + "a" * 400,
]  # fmt: skip


@pytest.mark.parametrize("text", NOT_PUBLIC)
def test_a_number_that_leads_inside_is_not_public_and_is_refused_as_typed(text: str) -> None:
    assert not is_public(ip_address(text))
    host = f"[{text}]" if ":" in text else text
    with pytest.raises(AddressRefused, match="not public"):
        parse_address(f"https://{host}/hooks", PUBLIC)


@pytest.mark.parametrize("text", IS_PUBLIC)
def test_its_neighbours_are_public(text: str) -> None:
    assert is_public(ip_address(text))
    assert parse_address(f"https://{f'[{text}]' if ':' in text else text}/", PUBLIC).literal == ip_address(text)


@pytest.mark.parametrize("text", REFUSED_FORMS)
def test_a_form_that_misleads_is_refused_as_typed_and_when_it_is_sent(text: str) -> None:
    with pytest.raises(AddressRefused) as refused:
        parse_address(text, PUBLIC)
    assert refused.value.detail
    assert refused.value.remedy
    sent = post_message(text, b"{}", {}, PUBLIC)
    assert (sent.status, sent.trouble) == (None, refused.value.detail)


def test_there_are_more_than_forty_of_each() -> None:
    assert len(NOT_PUBLIC) > 40
    assert len(REFUSED_FORMS) > 40


@pytest.mark.parametrize(
    ("text", "host", "port", "path", "header"),
    [
        ("https://hooks.example.com", "hooks.example.com", 443, "/", "hooks.example.com"),
        ("https://Hooks.Example.COM:8443/a?b=c", "hooks.example.com", 8443, "/a?b=c", "hooks.example.com:8443"),
        ("https://xn--hks-snab.example.com:443/", "xn--hks-snab.example.com", 443, "/", "xn--hks-snab.example.com"),
        ("https://[2606:4700::1]/", "2606:4700::1", 443, "/", "[2606:4700::1]"),
    ],
)
def test_an_address_in_order_is_read(text: str, host: str, port: int, path: str, header: str) -> None:
    target = parse_address(text, PUBLIC)
    assert (target.host, target.port, target.path, target.host_header) == (host, port, path, header)


def test_plain_http_and_other_ports_are_for_the_networks_that_are_named() -> None:
    assert parse_address("http://127.0.0.1:8080/", HOME).port == 8080
    assert parse_address("https://[fd00:17::1]:9443/", HOME).port == 9443
    assert parse_address("https://[::ffff:127.0.0.1]/", HOME).literal is not None
    # A name is only known once it is resolved.
    assert parse_address("http://hooks.example.com:8080/", HOME).port == 8080
    for text in ("http://8.8.8.8/", "https://8.8.8.8:9443/", "https://10.0.0.1/", "http://10.0.0.1/"):
        with pytest.raises(AddressRefused):
            parse_address(text, HOME)


class Resolver:
    """Replaces `socket.getaddrinfo`: one list of addresses a call, and the number of calls."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers, self.asked = list(answers), 0

    def __call__(self, host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
        self.asked += 1
        found = self.answers.pop(0)
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in found
        ]


@pytest.mark.parametrize(
    "found",
    [
        ["127.0.0.1"],
        ["10.0.0.1"],
        ["8.8.8.8", "10.0.0.1"],
        ["10.0.0.1", "8.8.8.8"],
        ["2606:4700::1", "::1"],
        ["8.8.8.8", "fe80::1%eth0"],
        ["::ffff:169.254.169.254"],
        ["8.8.8.8", "64:ff9b::7f00:1"],
    ],
)
def test_a_name_of_which_one_address_leads_inside_is_not_called(
    found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(*args: Any) -> None:
        raise AssertionError("a connection was begun")

    resolver = Resolver(found)
    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    monkeypatch.setattr(socket.socket, "connect", nobody)
    sent = post_message("https://hooks.example.com/", b"{}", {}, PUBLIC)
    assert sent.trouble == "The address leads into a network that is not public."
    assert resolver.asked == 1


def test_a_public_address_beside_one_of_ours_is_not_called_without_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", Resolver(["127.0.0.1", "8.8.8.8"]))
    assert post_message("http://hooks.example.com/", b"{}", {}, HOME).trouble == "The address must begin with https://."


def test_a_resolver_that_answers_otherwise_the_second_time_is_asked_once(
    there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolver = Resolver(["127.0.0.1"], ["10.0.0.1"])
    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    sent = post_message(f"http://hooks.example.com:{there.port}/", b"{}", {"webhook-id": "1"}, HOME)
    assert sent.is_delivered
    assert resolver.asked == 1
    assert there.received[0].headers["host"] == f"hooks.example.com:{there.port}"


def test_a_name_that_nobody_knows_is_said_to_be_that(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*args: Any, **kwargs: Any) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert post_message("https://hooks.example.com/", b"{}", {}, PUBLIC).trouble == "The host's name is not known."


def test_the_service_itself_refuses_what_the_form_would(house: House) -> None:
    for address in ("https://10.0.0.1/", "https://0x7f.1/", "https://printer.local/", "http://8.8.8.8/"):
        with pytest.raises(AddressRefused):
            register_endpoint(
                casino=house.harbour, name="X", address=address, events=["alert.raised"], actor=house.ada, now=FAILED_AT
            )
