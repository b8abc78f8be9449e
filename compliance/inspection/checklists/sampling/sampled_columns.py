"""A range of rounds as numpy columns, for the factors of a sample. Wagers are read only if a factor needs them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from compliance.audit.projections.bulk_read import ROUNDS_PER_ROW, read_copy_columns
from compliance.inspection.checklists.models import Sample
from compliance.inspection.checklists.sampling.draw import ELIGIBLE_ROUNDS_SQL, sample_query_params
from rounds.intake.columns.round_encoding import WAGER_RECORD, Flags, Instants, Records
from rounds.intake.protocol.manual_lines import IMPORT_PREFIX
from rounds.ledger import storage

Indexes: TypeAlias = NDArray[np.int64]

# PostgreSQL's binary format: timestamps are microseconds since the year 2000.
ROUND_HEADER = np.dtype(
    [
        ("entry", ">i8"),
        ("started", ">i8"),
        ("ended", ">i8"),
        ("recorded", ">i8"),
        ("outcome", ">i2"),
        ("is_unusual", "?"),
        ("is_by_people", "?"),
        ("wager_bytes", ">i4"),
    ]
)
EPOCH_OFFSET_MICROSECONDS = 946_684_800_000_000
ROUNDS_SQL = f"""
COPY (
    SELECT read.* FROM generate_series(%(first)s::bigint, %(last)s::bigint - 1, %(rows)s) AS chunk(first), LATERAL (
        SELECT string_agg("table", E'\n') AS tables,
            string_agg(
                int8send(entry_index) || timestamptz_send(started_at) || timestamptz_send(ended_at)
                || timestamptz_send(coalesce(recorded_at, ended_at)) || int2send(outcome)
                || boolsend(is_void OR have_lights_failed OR NOT is_plain)
                || boolsend(controller IS NULL OR starts_with(controller, %(imported)s)) || int4send(length(laid)), ''
            ),
            string_agg(laid, '')
        FROM (
            SELECT packed.*, CASE WHEN %(with_wagers)s THEN wagers ELSE '' END AS laid, entry.controller,
                entry.recorded_at
            FROM (
                SELECT * FROM audit_packedround
                WHERE entry_index >= chunk.first AND entry_index < least(chunk.first + %(rows)s, %(last)s)
                    AND {ELIGIBLE_ROUNDS_SQL}
            ) packed
            LEFT JOIN ledger_entry entry
                ON %(with_entries)s AND entry.log_id = %(log_id)s AND entry.index = packed.entry_index
            ORDER BY entry_index
        ) played
    ) read WHERE read.tables IS NOT NULL
) TO STDOUT (FORMAT BINARY)
"""  # noqa: S608 - both parts are of the source


@dataclass(frozen=True, eq=False)
class SampledColumns:
    """Rounds in log order. `table_names` has one name for each; `counts` is the number of wagers of each. Times are in
    microseconds, as in the audit.
    """

    entries: Indexes
    table_names: list[str]
    started: Instants
    ended: Instants
    recorded: Instants
    outcomes: Indexes
    are_unusual: Flags
    are_by_people: Flags
    counts: Indexes
    wagers: Records

    @cached_property
    def tables(self) -> list[str]:
        return sorted(set(self.table_names))

    @cached_property
    def table_indexes(self) -> Indexes:
        """Index in `tables` of each round's table."""
        place = {name: number for number, name in enumerate(self.tables)}
        return np.fromiter(map(place.__getitem__, self.table_names), np.int64, len(self.table_names))

    def rounds_at(self, table: str) -> Indexes:
        """Indexes of the rounds of one table."""
        return np.flatnonzero(self.table_indexes == self.tables.index(table))

    def rounds_with_any(self, wagers: Flags) -> Flags:
        """Rounds for which the flag is set on at least one wager."""
        found = np.zeros(len(self.entries), np.bool_)
        found[np.searchsorted(np.cumsum(self.counts), np.flatnonzero(wagers), side="right")] = True
        return found


def read_round_columns(
    sample: Sample, first: int, last: int, *, with_wagers: bool, with_entries: bool
) -> SampledColumns:
    """Rounds of the population in entries first..last-1."""
    params: dict[str, Any] = sample_query_params(sample) | {
        "first": first,
        "last": last,
        "rows": ROUNDS_PER_ROW,
        "with_wagers": with_wagers,
        "with_entries": with_entries,
        "log_id": storage.get_log(sample.log).pk,
        "imported": IMPORT_PREFIX,
    }
    tables, headers, wagers = read_copy_columns(ROUNDS_SQL, 3, params)
    header = np.frombuffer(b"".join(headers), ROUND_HEADER)
    started, ended, recorded = (
        header[name].astype(np.int64) + EPOCH_OFFSET_MICROSECONDS for name in ("started", "ended", "recorded")
    )
    return SampledColumns(
        entries=header["entry"].astype(np.int64),
        table_names=[name for chunk in tables for name in str(chunk, "utf-8").split("\n")],
        started=started,
        ended=ended,
        recorded=recorded,
        outcomes=header["outcome"].astype(np.int64),
        are_unusual=header["is_unusual"],
        are_by_people=header["is_by_people"],
        counts=header["wager_bytes"].astype(np.int64) // WAGER_RECORD.itemsize,
        wagers=np.frombuffer(b"".join(wagers), WAGER_RECORD),
    )
