"""SQL that finds the findings about records, by the entries of each record."""

from collections.abc import Iterable
from typing import Any

from compliance.audit.catalogue.record_subjects import ABOUT_EVIDENCE, PROVEN_BY_SUBJECT

# A lateral probe of each index per entry, so that a list of records costs one statement. Superseded findings too.
FINDINGS_OF_RECORDS_SQL = """
SELECT wanted.record, about.finding
FROM unnest(%s::bigint[], %s::bigint[]) AS wanted(record, entry)
CROSS JOIN LATERAL (
    SELECT id AS finding FROM audit_finding
    WHERE log = %s AND subject_index = wanted.entry AND code <> ALL (%s::text[])
    UNION
    SELECT id FROM audit_finding JOIN unnest(%s::text[], %s::text[]) AS named(by_code, kind) ON by_code = code
    WHERE log = %s AND evidence @> jsonb_build_array(wanted.entry) AND named.kind = (
        SELECT kind FROM ledger_entry
        WHERE log_id = (SELECT id FROM ledger_log WHERE slug = %s) AND index = wanted.entry
    )
    UNION
    SELECT finding_id FROM audit_readingcase WHERE log = %s AND subject_index = wanted.entry
) about
"""


def findings_of_records_parameters(log: str, entries: Iterable[tuple[int, int]]) -> list[Any]:
    """For pairs of a record's key and one of its entries."""
    pairs = list(entries)
    named = [(code.name, kind) for code, kinds in ABOUT_EVIDENCE.items() for kind in sorted(kinds)]
    return [
        [record for record, _ in pairs],
        [entry for _, entry in pairs],
        log,
        [code.name for code in PROVEN_BY_SUBJECT],
        [code for code, _ in named],
        [kind for _, kind in named],
        log,
        log,
        log,
    ]
