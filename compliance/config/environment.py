"""Every environment variable the service reads, with its default and purpose.

Settings read the environment only through `read()`, so this list is complete by construction.
"""

import os
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

PROJECT = Path(__file__).resolve().parents[2]


class BadEnvironment(Exception):
    """A variable is missing or holds something unusable; the message says what to do."""


@dataclass(frozen=True)
class Variable:
    name: str
    default: str
    purpose: str


VARIABLES = {
    variable.name: variable
    for variable in (
        Variable("PORT", "8000", "Port the web server listens on."),
        Variable("HOST", "127.0.0.1", "Address the web server listens on; 0.0.0.0 for every interface."),
        Variable("DATA_DIR", ".data", "Folder for embedded servers, keys, static files and uploads."),
        Variable("DATABASE_URL", "", "PostgreSQL 16 or newer, as the app role. Empty: an embedded server is started."),
        Variable("DATABASE_OWNER_URL", "", "The same database as the owner role; used by migrations alone."),
        Variable("DATABASE_BACKUP_URL", "", "The same server as a role with REPLICATION; used by base backups alone."),
        Variable("REDIS_URL", "", "Redis 6.2 or newer. Empty: an embedded Redis-compatible server is started."),
        Variable("SECRET_KEY", "", "Signs sessions and links. Required with DATABASE_URL; otherwise made and kept."),
        Variable(
            "SECRET_KEY_FALLBACKS",
            "",
            "Former values of SECRET_KEY, comma-separated, still believed while they stand here.",
        ),
        Variable(
            "LEDGER_KEY_FILE",
            "",
            "Key that signs ledger checkpoints; keep it off the database's disk. Default: in DATA_DIR.",
        ),
        Variable(
            "WEBHOOK_KEY_FILE",
            "",
            "Key that signs webhooks; the same file for web servers and workers. Default: in DATA_DIR.",
        ),
        Variable(
            "WEBHOOK_NETWORKS",
            "",
            "Networks that webhooks may call beyond public ones, comma-separated, such as 10.20.0.0/16.",
        ),
        Variable(
            "REPORT_KEY_FILE",
            "",
            "Key and certificate that sign PDF reports (PEM, RSA); off the database's disk. Default: in DATA_DIR.",
        ),
        Variable("DEMO", "", "1 loads the demo casino and shows sign-ins. Default: 1 with the embedded database."),
        Variable("SITE_NAME", "localhost", "Public host name, and the origin of ledger checkpoints."),
        Variable(
            "SITE_ADDRESS",
            "",
            "Public address of links and QR codes. Default: https and SITE_NAME; in the demo http, SITE_NAME and PORT.",
        ),
        Variable("ALLOWED_HOSTS", "", "Host names to answer for, comma-separated. Default: SITE_NAME and loopback."),
        Variable("TRUSTED_PROXIES", "0", "How many reverse proxies stand in front and set X-Forwarded-* headers."),
        Variable(
            "EMAIL_URL", "", "smtp://user:password@host:587 (STARTTLS) or smtps://…:465. Required outside demo mode."
        ),
        Variable("EMAIL_FROM", "", "Sender of e-mails. Default: fairthrow@ SITE_NAME."),
        Variable(
            "OIDC_PROVIDERS",
            "",
            "File that names the providers of single sign-on (TOML). Empty: people sign in with passwords alone.",
        ),
        Variable("SESSION_IDLE_MINUTES", "30", "Minutes without a request after which a person is signed out."),
        Variable(
            "CONTROLLER_BATCH_LIMIT",
            "1000",
            "Batches a table controller may send in ten seconds. More are told to wait (429).",
        ),
        Variable("WEB_WORKERS", "2", "Web server processes."),
        Variable("WEB_THREADS", "8", "Requests that each web server process works on at once."),
        Variable("WORKER_PROCESSES", "2", "Celery worker processes."),
        Variable("LOG_LEVEL", "", "DEBUG, INFO, WARNING or ERROR. Default: WARNING in demo mode, INFO otherwise."),
        Variable("LOG_FORMAT", "", "json or console. Default: console in demo mode, json otherwise."),
    )
}


def read(name: str) -> str:
    """The variable's value, or its default when unset or empty."""
    return os.environ.get(name, "") or VARIABLES[name].default


def read_int(name: str, lowest: int, highest: int) -> int:
    text = read(name)
    if not text.isascii() or not text.isdigit() or not lowest <= int(text) <= highest:
        raise BadEnvironment(f"{name} is {text!r}: expected a whole number from {lowest} to {highest}.")
    return int(text)


def read_flag(name: str, default: bool) -> bool:
    text = read(name).lower()
    if text in ("", "0", "1", "false", "true", "no", "yes"):
        return text in ("1", "true", "yes") if text else default
    raise BadEnvironment(f"{name} is {text!r}: expected 1 or 0.")


def read_choice(name: str, choices: tuple[str, ...], default: str) -> str:
    text = read(name) or default
    if text not in choices:
        raise BadEnvironment(f"{name} is {text!r}: expected one of {', '.join(choices)}.")
    return text


def read_networks(name: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(text.strip()) for text in read(name).split(",") if text.strip())
    except ValueError as error:
        raise BadEnvironment(f"{name} is {read(name)!r}: expected networks such as 10.20.0.0/16. {error}.") from error


def site_address(*, is_demo: bool) -> str:
    """The demo has no TLS and is reached by its port. Otherwise HTTPS at port 443, unless SITE_ADDRESS says
    differently."""
    port = "" if read("PORT") == "80" else f":{read('PORT')}"
    usual = f"http://{read('SITE_NAME')}{port}" if is_demo else f"https://{read('SITE_NAME')}"
    address = read("SITE_ADDRESS") or usual
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path or parts.query or parts.fragment:
        raise BadEnvironment(f"SITE_ADDRESS is {address!r}: expected an address such as https://fairthrow.example.")
    return address


def mail_address(url: str) -> SplitResult:
    message = "EMAIL_URL must look like smtp://user:password@host:587 or smtps://…:465."
    try:
        parts = urlsplit(url)
        is_usable = parts.scheme in ("smtp", "smtps") and parts.hostname and parts.port != 0
    except ValueError as error:
        raise BadEnvironment(f"{message} {error}.") from error
    if not is_usable:
        raise BadEnvironment(message)
    return parts


def data_dir() -> Path:
    return (PROJECT / read("DATA_DIR")).resolve()


def load_embedded_services() -> None:
    """Loads the addresses that the launcher wrote for its embedded servers, so that `manage.py` works beside `make
    run`."""
    if os.environ.get("DATABASE_URL"):
        return
    services = data_dir() / "services.env"
    if services.is_file():
        for line in services.read_text().splitlines():
            name, _, value = line.partition("=")
            os.environ.setdefault(name, value)


@dataclass(frozen=True)
class DatabaseAddress:
    user: str
    password: str
    host: str
    port: str
    name: str


def database_address(url: str, variable: str) -> DatabaseAddress:
    try:
        parts = urlsplit(url)
        port = str(parts.port or 5432)
    except ValueError as error:
        raise BadEnvironment(f"{variable} is not an address: {error}.") from error
    name = unquote(parts.path.lstrip("/"))
    if parts.scheme not in ("postgres", "postgresql") or not parts.username or not parts.hostname or not name:
        raise BadEnvironment(f"{variable} must look like postgresql://user:password@host:5432/database.")
    return DatabaseAddress(
        user=unquote(parts.username), password=unquote(parts.password or ""), host=parts.hostname, port=port, name=name
    )
