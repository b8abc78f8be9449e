"""`verify_ledger`: compares the name and dates stored with each version with the terms that were filed."""

from collections.abc import Iterator, Sequence

from promotions.terms.models import TermsVersion
from rounds.ledger import LogEntry


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    for version in TermsVersion.rows_between(log, first, last):
        terms = version.terms
        filed = (terms.name, terms.starts_at, terms.ends_at, terms.closes_at, terms.awarded_at)
        if filed != (version.name, version.starts_at, version.ends_at, version.closes_at, version.awarded_at):
            yield version.entry_index, "the name or dates kept beside the terms are not those that were filed."
