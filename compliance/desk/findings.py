"""Open findings of each table. The apps that know of findings have a provider here; while there is none, no page
speaks of findings at all."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from compliance.accounts.models import Casino


@dataclass(frozen=True)
class OpenFindings:
    """How many are open at a table, and the page that lists them."""

    count: int
    href: str


# (casino, now) → by the table's slug, in a fixed number of queries; a table that is not in it has none.
Provider = Callable[[Casino, datetime], Mapping[str, OpenFindings]]
PROVIDERS: tuple[Provider, ...] = ()


def open_findings(casino: Casino, now: datetime) -> Mapping[str, list[OpenFindings]] | None:
    """None where no app counts findings: that is not the same as none open."""
    if not PROVIDERS:
        return None
    found: dict[str, list[OpenFindings]] = {}
    for provider in PROVIDERS:
        for table, findings in provider(casino, now).items():
            found.setdefault(table, []).append(findings)
    return found
