"""Which addresses may be called (SSRF protection): syntax of a URL, and resolved IP addresses. No database, no
network. A person types the address and the service calls it from inside its network, so everything not clearly public
is refused. The networks are listed here, because Python's is_global differs between versions."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from compliance.notify.webhooks.errors import AddressRefused

IpAddress = IPv4Address | IPv6Address
IpNetwork = IPv4Network | IPv6Network

MAX_LENGTH = 400
# Printable ASCII without characters that only serve to mislead readers.
PRINTABLE_ASCII = re.compile(r"[!-~]+")
FORBIDDEN_CHARACTERS = set('\\"<>^`{|}')
HOST_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
# Some programs read a name that ends like this as a number: 127.1, 0x7f.1, 2130706433, 017700000001.
NUMERIC_LAST_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")
NOT_PUBLIC_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa")

# IANA special-purpose registry, IPv4: this network, private, shared (CGNAT), loopback, link-local, protocol
# assignments, documentation, 6to4 relay, benchmarks, multicast, reserved with broadcast.
NOT_PUBLIC_4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
# IPv6: global unicast only, without protocol assignments (including Teredo), documentation and 6to4.
PUBLIC_6 = IPv6Network("2000::/3")
NOT_PUBLIC_6 = tuple(IPv6Network(text) for text in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
# IPv6 forms that carry an IPv4 address in their last 32 bits and are routed there.
MAPPED, NAT64 = IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96")


@dataclass(frozen=True)
class AddressPolicy:
    """What this installation allows: ports, and networks beyond the public ones."""

    ports: Sequence[int]
    networks: Sequence[IpNetwork] = ()

    def allows_private(self, address: IpAddress) -> bool:
        plain = unwrap_ipv4(address)
        return any(plain.version == network.version and plain in network for network in self.networks)


@dataclass(frozen=True)
class Target:
    """A URL that passed the syntax checks. `literal` is set if the host is an IP address."""

    scheme: str
    host: str
    port: int
    path: str
    literal: IpAddress | None

    @property
    def is_secure(self) -> bool:
        return self.scheme == "https"

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if isinstance(self.literal, IPv6Address) else self.host
        return host if self.port == (443 if self.is_secure else 80) else f"{host}:{self.port}"


def parse_address(text: str, allowed: AddressPolicy) -> Target:
    """Parses a URL and checks all that can be checked without resolving the name."""
    parts = _split_url(text)
    literal = _parse_ip_literal(parts.hostname or "", is_bracketed="[" in parts.netloc)
    target = Target(
        parts.scheme,
        str(literal) if literal else _validate_host_name(parts.hostname or ""),
        _parse_port(parts),
        (parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
        literal,
    )
    if literal is not None:
        check_resolved_addresses(target, [literal], allowed)
    elif requires_private_network(target, allowed) and not allowed.networks:
        raise _private_network_refusal(target)
    return target


def check_resolved_addresses(target: Target, resolved: Iterable[IpAddress], allowed: AddressPolicy) -> None:
    """Every address that a name resolves to must be allowed, because any of them may be used."""
    for address in resolved:
        if allowed.allows_private(address):
            continue
        if not is_public(address):
            # Without the IP address: a refusal must not reveal names of the internal network.
            raise AddressRefused("The address leads into a network that is not public.")
        if requires_private_network(target, allowed):
            raise _private_network_refusal(target)


def requires_private_network(target: Target, allowed: AddressPolicy) -> bool:
    """Plain HTTP and unusual ports are only allowed to networks that the installation lists."""
    return not target.is_secure or target.port not in allowed.ports


def is_public(address: IpAddress) -> bool:
    plain = unwrap_ipv4(address)
    if isinstance(plain, IPv4Address):
        return not any(plain in network for network in NOT_PUBLIC_4)
    return plain in PUBLIC_6 and not any(plain in network for network in NOT_PUBLIC_6)


def unwrap_ipv4(address: IpAddress) -> IpAddress:
    if isinstance(address, IPv6Address) and (address in MAPPED or address in NAT64):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _split_url(text: str) -> SplitResult:
    if len(text) > MAX_LENGTH:
        raise AddressRefused(f"The address is longer than {MAX_LENGTH} characters.")
    if not PRINTABLE_ASCII.fullmatch(text) or FORBIDDEN_CHARACTERS & set(text):
        raise AddressRefused("The address holds a space or a character that no address has; write it in plain ASCII.")
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError as error:
        raise AddressRefused("This is not an address that can be read.") from error
    if parts.scheme not in ("https", "http"):
        raise AddressRefused("The address must begin with https://.")
    if "@" in parts.netloc:
        raise AddressRefused("The address holds a name or password before the host; messages are signed instead.")
    if parts.fragment or text.endswith("#"):
        raise AddressRefused("The address holds a # part, which is never sent.")
    if not parts.hostname:
        raise AddressRefused("The address names no host.")
    return parts


def _parse_port(parts: SplitResult) -> int:
    if parts.netloc.endswith(":") or parts.port == 0:
        raise AddressRefused("The address names no port after the colon.")
    return parts.port or (443 if parts.scheme == "https" else 80)


def _parse_ip_literal(host: str, *, is_bracketed: bool) -> IpAddress | None:
    """The IP address that the host is, if it is one in canonical spelling."""
    if is_bracketed:
        try:
            found = ip_address(host)
        except ValueError as error:
            raise AddressRefused("What stands between [ and ] is no IPv6 address.") from error
        if not isinstance(found, IPv6Address) or found.scope_id:
            raise AddressRefused("What stands between [ and ] is no IPv6 address of its own.")
        return found
    if not NUMERIC_LAST_LABEL.fullmatch(host.removesuffix(".").rpartition(".")[2]):
        return None
    try:
        number = IPv4Address(host)
    except ValueError as error:
        raise AddressRefused("The host is a number in a form that programs read differently.") from error
    return number


def _validate_host_name(host: str) -> str:
    labels = host.split(".")
    if len(host) > 253 or not all(HOST_LABEL.fullmatch(label) for label in labels):
        raise AddressRefused("The host is no name that can be looked up; write letters, figures and hyphens.")
    if any(host == name or host.endswith(f".{name}") for name in NOT_PUBLIC_NAMES):
        raise AddressRefused("The host has a name that only means something inside a network.")
    if len(labels) < 2:
        raise AddressRefused("Write the full name of the host, such as hooks.example.com.")
    return host


def _private_network_refusal(target: Target) -> AddressRefused:
    if not target.is_secure:
        return AddressRefused("The address must begin with https://.")
    return AddressRefused(f"Port {target.port} is not called.", remedy="Use port 443 or 8443.")
