"""Recomputes every settlement that odds alone decide, from the files alone. Without division: returned times
denominator against stake times numerator. Row groups are shared between all processors."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from compliance.analysis.parquet import schema
from compliance.analysis.parquet.read_folder import FolderError
from compliance.analysis.parquet.settlement_basis import BY_ODDS
from compliance.audit.context.round_columns import MAX_AMOUNT_BITS
from rounds.engine import BET_CODES, BET_INDEX

# The columns needed to recompute. Names are read only for wrong rows.
REQUIRED_COLUMNS = (
    "terms",
    "outcome",
    "bet",
    "stake_cents",
    "returned_cents",
    "later_cents",
    "due_cents",
    "settled_by",
    "audit",
)
NAME_COLUMNS = ("entry_index", "table", "wager", "code")
DICTIONARY_COLUMNS = ("terms", "bet", "settled_by", "audit", "table", "wager", "code")
_FACES, _BOXES = 667, len(BET_CODES) + 1
# Beyond these the 64-bit products below could overflow and hide an error.
_MOST_STAKED, _MOST_HANDED_BACK = 1 << MAX_AMOUNT_BITS, 2 << MAX_AMOUNT_BITS
Integers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]


class WrongSettlement(NamedTuple):
    """A wager whose money is not what its odds give, or that the files call wrong. `due_cents` was recomputed; None
    where odds alone do not decide."""

    entry_index: int
    table: str
    wager: str
    bet: str
    stake_cents: int
    settled_by: str
    due_cents: int | None
    returned_cents: int
    due_as_written: int | None
    audit: str
    code: str | None


@dataclass
class RecomputedTotals:
    """Totals. `ways` counts wagers by what decides them; `waiting` counts those not audited when exported."""

    wagers: int = 0
    waiting: int = 0
    ways: Counter[str] = field(default_factory=Counter)
    wrong: list[WrongSettlement] = field(default_factory=list)


class PayoutTable:
    """By terms, result and box packed into one number: what is returned (`gives`) for how much staked (`below`). 0: no
    such box."""

    def __init__(self, table: Any) -> None:
        terms, bets = (table[name].dictionary_encode() for name in ("terms", "bet"))
        self.places = {name: place for place, name in enumerate(_dictionary_indexes(terms)[1])}
        every = slice(None)
        where = (
            _indexes_in_list(terms, self.places, every),
            table["outcome"].to_numpy(),
            _indexes_in_list(bets, BET_INDEX, every),
        )
        # One more index for unknown terms and boxes. Four bytes per value, to fit into the processor's cache.
        size = (len(self.places) + 1, _FACES, _BOXES)
        self.gives, self.below = np.zeros(size, np.int32), np.zeros(size, np.int32)
        self.gives[where], self.below[where] = table["gives"].to_numpy(), table["denominator"].to_numpy()

    def look_up(self, terms: NDArray[Any], outcomes: NDArray[Any], bets: NDArray[Any]) -> tuple[Integers, Integers]:
        cells = terms * np.int32(_FACES)
        cells += outcomes
        cells *= np.int32(_BOXES)
        cells += bets
        return np.take(self.gives.ravel(), cells).astype(np.int64), np.take(self.below.ravel(), cells).astype(np.int64)


def recompute(files: Sequence[Path], payouts: PayoutTable) -> RecomputedTotals:
    """In the order of the files."""
    groups = [(path, number) for path in files for number in range(pq.read_metadata(path).num_row_groups)]
    done = RecomputedTotals()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for one in pool.map(lambda group: _recompute_row_group(group[0], group[1], payouts), groups):
            done.wagers += one.wagers
            done.waiting += one.waiting
            done.ways += one.ways
            done.wrong += one.wrong
    return done


def _recompute_row_group(path: Path, number: int, payouts: PayoutTable) -> RecomputedTotals:
    try:
        with pq.ParquetFile(path, read_dictionary=list(DICTIONARY_COLUMNS)) as file:
            rows = file.read_row_group(number, columns=list(REQUIRED_COLUMNS), use_threads=False)
            return _recompute_rows(file, number, rows, payouts)
    except (pa.ArrowException, OSError, KeyError) as error:
        raise FolderError(
            "damaged", f"{path.name} of {path.parent.name} cannot be read: {str(error)[:200]}."
        ) from error


def _recompute_rows(file: Any, number: int, rows: Any, payouts: PayoutTable) -> RecomputedTotals:
    ways, way_words = _dictionary_indexes(rows["settled_by"])
    verdicts, verdict_words = _dictionary_indexes(rows["audit"])
    counts = np.bincount(ways, minlength=len(way_words)).tolist()
    is_wrong = verdicts == _index_of(verdict_words, schema.WRONG)
    is_waiting = verdicts == _index_of(verdict_words, schema.WAITING)
    by_odds = ways == _index_of(way_words, BY_ODDS)
    due = np.full(len(ways), -1, np.int64)
    selected = _rows_to_report(rows, by_odds, is_wrong, payouts, due)
    wrong = list(_load_wrong_settlements(file, number, rows, np.flatnonzero(selected), due)) if selected.any() else []
    return RecomputedTotals(
        len(ways), int(np.count_nonzero(is_waiting)), Counter(dict(zip(way_words, counts, strict=True))), wrong
    )


def _rows_to_report(rows: Any, by_odds: Flags, is_wrong: Flags, payouts: PayoutTable, due: Integers) -> Flags:
    """Wagers whose money differs, whose written due differs, or that the audit called wrong. Writes the recomputed
    amounts into `due`."""
    columns = {name: _read_integer_column(rows[name]) for name in ("outcome", "stake_cents", "later_cents")}
    returned, written = _read_integer_column(rows["returned_cents"], -1), _read_integer_column(rows["due_cents"], -1)
    every = slice(None) if by_odds.all() else np.flatnonzero(by_odds)
    outcomes = columns["outcome"][every]
    if not _are_in_range(outcomes, _FACES):
        raise KeyError("a wager has a result that there is none of")
    terms = _indexes_in_list(rows["terms"], payouts.places, every)
    gives, below = payouts.look_up(terms, outcomes, _indexes_in_list(rows["bet"], BET_INDEX, every))
    if not below.all():
        raise KeyError("a wager settled by odds lies on a box that its terms do not pay")
    stakes, handed_back = columns["stake_cents"][every], returned[every] + columns["later_cents"][every]
    if not _are_in_range(stakes, _MOST_STAKED) or not _are_in_range(handed_back, _MOST_HANDED_BACK, least=-1):
        raise KeyError("a wager settled by odds has amounts that nobody stakes")
    gives *= stakes
    handed_back *= below
    found = is_wrong
    found[every] |= handed_back != gives
    # Where the winnings are not whole cents, no written amount can be right.
    found[every] |= written[every] * below != gives
    if found.any():
        due[every] = gives // below
    return found


def _load_wrong_settlements(
    file: Any, number: int, numbers_table: Any, places: Integers, due: Integers
) -> Iterator[WrongSettlement]:
    """Reads names only for these rows; most row groups have none."""
    names_table = file.read_row_group(number, columns=list(NAME_COLUMNS), use_threads=False)
    some = [rows.take(pa.array(places)).to_pylist() for rows in (numbers_table, names_table)]
    for numbers, names, recomputed in zip(*some, due[places].tolist(), strict=True):
        row = numbers | names
        yield WrongSettlement(
            row["entry_index"],
            row["table"],
            row["wager"],
            row["bet"],
            row["stake_cents"],
            row["settled_by"],
            None if recomputed < 0 else recomputed,
            (row["returned_cents"] or 0) + row["later_cents"],
            row["due_cents"],
            row["audit"],
            row["code"],
        )


def _indexes_in_list(column: Any, indexes: Mapping[str, int], every: slice | Integers) -> NDArray[np.int32]:
    """A text column as indexes into a list of known words; unknown words get the index after the last."""
    found, words = _dictionary_indexes(column)
    known = np.array([*(indexes.get(word, len(indexes)) for word in words), len(indexes)], np.int32)
    chosen: NDArray[np.int32] = known[found[every]]
    return chosen


def _dictionary_indexes(column: Any) -> tuple[NDArray[Any], list[str]]:
    """A text column as indexes into its dictionary."""
    whole = column.unify_dictionaries().combine_chunks()
    # Null gets the index after the last word.
    indices = whole.indices.fill_null(len(whole.dictionary)) if whole.null_count else whole.indices
    return indices.to_numpy(zero_copy_only=False), whole.dictionary.to_pylist()


def _are_in_range(numbers: NDArray[Any], bound: int, least: int = 0) -> bool:
    return not len(numbers) or bool(numbers.min() >= least and numbers.max() < bound)


def _index_of(words: Sequence[str], word: str) -> int:
    return words.index(word) if word in words else -1


def _read_integer_column(column: Any, otherwise: int = 0) -> NDArray[Any]:
    if column.null_count:
        column = column.fill_null(otherwise)
    numbers: NDArray[Any] = column.to_numpy()
    return numbers
