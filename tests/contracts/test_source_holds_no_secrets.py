"""No key, token, password or private host is in tracked files, and each linter exception states its reason."""

import gzip
import re
from collections.abc import Iterator

from compliance.config.environment import PROJECT
from tests.contracts.test_top_level_layout import tracked_files

READ = (".py", ".toml", ".txt", ".html", ".md", ".sql", ".js", ".css", ".json", "Makefile", "Procfile", ".ci/run")
SECRETS = {
    "a private key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY"),
    "a cloud key": re.compile(r"\b(AKIA|ASIA)[0-9A-Z]{16}\b"),
    "a token of a forge": re.compile(r"\b(gh[pousr]_[A-Za-z0-9]{36}|glpat-[\w-]{20}|github_pat_\w{40,})"),
    "a token of a chat": re.compile(r"\bxox[abprs]-[\w-]{10,}"),
    "a token of a registry": re.compile(r"\bpypi-[\w-]{50,}|\bnpm_[A-Za-z0-9]{36}"),
    "a signed web token": re.compile(r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"),
    "an address with a password": re.compile(r"://[\w.-]+:(?!…|user|password|secret|p%40ss)[\w%-]{12,}@[\w.-]+"),
    # Not 10.x, because clauses of the rules are numbered so.
    "a private address": re.compile(r"\b(192\.168|172\.(1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}\b"),
    "an index of packages": re.compile(r"--(extra-)?index-url|trusted-host"),
    "a folder of somebody's machine": re.compile(r"(?<![\w.])/(home|Users|root)/\w+"),
}
# Published address ranges that a webhook may not call, and their tests: excused for these patterns only.
NAME_RANGES = {
    "compliance/notify/webhooks/delivery/address_policy.py",
    "tests/compliance/notify/webhooks/delivery/test_address_policy.py",
}


def texts() -> Iterator[tuple[str, str]]:
    for name in tracked_files():
        path = PROJECT / name
        if name.endswith(READ) and path.is_file() and name != "tests/contracts/test_source_holds_no_secrets.py":
            yield name, path.read_text(errors="replace")
        elif name.endswith(".sql.gz"):
            yield name, gzip.decompress(path.read_bytes()).decode(errors="replace")


def found_in(text: str) -> list[str]:
    return [what for what, pattern in SECRETS.items() if pattern.search(text)]


def test_nothing_tracked_holds_a_secret() -> None:
    found = {(name, what) for name, text in texts() for what in found_in(text)}
    assert found == {(name, "a private address") for name in NAME_RANGES}


def test_the_scan_would_find_one() -> None:
    assert found_in("AKIAIOSFODNN7EXAMPLE") == ["a cloud key"]
    assert found_in("postgresql://fairthrow_app:q8fK2mPz91xYw@db.example/fairthrow") == ["an address with a password"]
    assert found_in("-----BEGIN OPENSSH PRIVATE KEY-----") == ["a private key"]
    assert found_in("see /home/somebody/notes") == ["a folder of somebody's machine"]
    assert found_in("postgresql://fairthrow_app:…@db.example:5432/fairthrow") == []


def test_each_exception_of_a_security_rule_says_why() -> None:
    marks = [
        f"{name}: {line.strip()}"
        for name, text in texts()
        if name.endswith(".py")
        for line in text.splitlines()
        if re.search(r"# noqa: .*\bS\d{3}", line) and not re.search(r"# noqa: [A-Z0-9, ]+ - \w.{5,}", line)
    ]
    assert marks == []


def test_no_file_switches_the_linter_off() -> None:
    assert [name for name, text in texts() if re.search(r"^# (ruff|flake8): noqa\b", text, re.MULTILINE)] == []
