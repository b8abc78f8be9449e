"""Every settlement that odds decide, recomputed from the files alone: what comes back times the odds' denominator is
the stake times what they give. Row groups are shared between all processors."""

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

from compliance.audit.columns import MOST_BITS
from compliance.audit.parquet import schema
from compliance.audit.parquet.folder import FolderError
from compliance.audit.parquet.ways import ODDS
from rounds.engine.bets import BET_CODES, BET_INDEX

# All that is needed to judge; what is wrong is then read whole.
NEEDED = ("terms", "outcome", "bet", "stake_cents", "returned_cents", "later_cents", "due_cents", "settled_by", "audit")
NAMES = ("entry_index", "table", "wager", "code")
WORDS = ("terms", "bet", "settled_by", "audit", "table", "wager", "code")
_FACES, _BOXES = 667, len(BET_CODES) + 1
# Beyond these the products below would come round again, and what is wrong look right.
_MOST_STAKED, _MOST_HANDED_BACK = 1 << MOST_BITS, 2 << MOST_BITS
Integers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]


class Wrong(NamedTuple):
    """A wager whose money is not what its odds give, or of which the files say so. `due_cents` was recomputed; None
    where odds do not decide."""

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
class Recomputed:
    """`ways` counts wagers by what decides them, `waiting` those that the audit had not come to."""

    wagers: int = 0
    waiting: int = 0
    ways: Counter[str] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)


class Payouts:
    """By terms, result and box as one number: what comes back, for how much staked. 0 for how much: no such box."""

    def __init__(self, table: Any) -> None:
        terms, bets = (table[name].dictionary_encode() for name in ("terms", "bet"))
        self.places = {name: place for place, name in enumerate(_places(terms)[1])}
        every = slice(None)
        where = _known(terms, self.places, every), table["outcome"].to_numpy(), _known(bets, BET_INDEX, every)
        # One place more, for terms and boxes that there are none of. Four bytes each, to stay near the processor.
        size = (len(self.places) + 1, _FACES, _BOXES)
        self.gives, self.below = np.zeros(size, np.int32), np.zeros(size, np.int32)
        self.gives[where], self.below[where] = table["gives"].to_numpy(), table["denominator"].to_numpy()

    def look_up(self, terms: NDArray[Any], outcomes: NDArray[Any], bets: NDArray[Any]) -> tuple[Integers, Integers]:
        cells = terms * np.int32(_FACES)
        cells += outcomes
        cells *= np.int32(_BOXES)
        cells += bets
        return np.take(self.gives.ravel(), cells).astype(np.int64), np.take(self.below.ravel(), cells).astype(np.int64)


def recompute(files: Sequence[Path], payouts: Payouts) -> Recomputed:
    """In the order of the files."""
    groups = [(path, number) for path in files for number in range(pq.read_metadata(path).num_row_groups)]
    done = Recomputed()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for one in pool.map(lambda group: _judge_group(group[0], group[1], payouts), groups):
            done.wagers += one.wagers
            done.waiting += one.waiting
            done.ways += one.ways
            done.wrong += one.wrong
    return done


def _judge_group(path: Path, number: int, payouts: Payouts) -> Recomputed:
    try:
        with pq.ParquetFile(path, read_dictionary=list(WORDS)) as file:
            rows = file.read_row_group(number, columns=list(NEEDED), use_threads=False)
            return _judge(file, number, rows, payouts)
    except (pa.ArrowException, OSError, KeyError) as error:
        raise FolderError(
            "damaged", f"{path.name} of {path.parent.name} cannot be read: {str(error)[:200]}."
        ) from error


def _judge(file: Any, number: int, rows: Any, payouts: Payouts) -> Recomputed:
    ways, way_words = _places(rows["settled_by"])
    said, said_words = _places(rows["audit"])
    counts = np.bincount(ways, minlength=len(way_words)).tolist()
    is_wrong = said == _place(said_words, schema.WRONG)
    is_waiting = said == _place(said_words, schema.WAITING)
    by_odds = ways == _place(way_words, ODDS)
    due = np.full(len(ways), -1, np.int64)
    suspected = _suspects(rows, by_odds, is_wrong, payouts, due)
    wrong = list(_wrong(file, number, rows, np.flatnonzero(suspected), due)) if suspected.any() else []
    return Recomputed(
        len(ways), int(np.count_nonzero(is_waiting)), Counter(dict(zip(way_words, counts, strict=True))), wrong
    )


def _suspects(rows: Any, by_odds: Flags, is_wrong: Flags, payouts: Payouts, due: Integers) -> Flags:
    """Wagers whose money differs, whose due differs from the one written, or that the audit called wrong. What is due
    by odds is left in `due`."""
    columns = {name: _numbers(rows[name]) for name in ("outcome", "stake_cents", "later_cents")}
    returned, written = _numbers(rows["returned_cents"], -1), _numbers(rows["due_cents"], -1)
    every = slice(None) if by_odds.all() else np.flatnonzero(by_odds)
    outcomes = columns["outcome"][every]
    if not _are_below(outcomes, _FACES):
        raise KeyError("a wager has a result that there is none of")
    terms = _known(rows["terms"], payouts.places, every)
    gives, below = payouts.look_up(terms, outcomes, _known(rows["bet"], BET_INDEX, every))
    if not below.all():
        raise KeyError("a wager settled by odds lies on a box that its terms do not pay")
    stakes, handed_back = columns["stake_cents"][every], returned[every] + columns["later_cents"][every]
    if not _are_below(stakes, _MOST_STAKED) or not _are_below(handed_back, _MOST_HANDED_BACK, least=-1):
        raise KeyError("a wager settled by odds has amounts that nobody stakes")
    gives *= stakes
    handed_back *= below
    found = is_wrong
    found[every] |= handed_back != gives
    # Where a stake's winnings are no whole cents, nothing written can be right.
    found[every] |= written[every] * below != gives
    if found.any():
        due[every] = gives // below
    return found


def _wrong(file: Any, number: int, judged: Any, places: Integers, due: Integers) -> Iterator[Wrong]:
    """Only now by name: of most row groups nobody asks for the names."""
    named = file.read_row_group(number, columns=list(NAMES), use_threads=False)
    some = [rows.take(pa.array(places)).to_pylist() for rows in (judged, named)]
    for numbers, names, recomputed in zip(*some, due[places].tolist(), strict=True):
        row = numbers | names
        yield Wrong(
            row["entry_index"], row["table"], row["wager"], row["bet"], row["stake_cents"], row["settled_by"],
            None if recomputed < 0 else recomputed, (row["returned_cents"] or 0) + row["later_cents"],
            row["due_cents"], row["audit"], row["code"],
        )  # fmt: skip


def _known(column: Any, places: Mapping[str, int], every: slice | Integers) -> NDArray[np.int32]:
    """A column of words as places in a list of known ones; whatever is not among them is the place after the last."""
    found, words = _places(column)
    known = np.array([*(places.get(word, len(places)) for word in words), len(places)], np.int32)
    chosen: NDArray[np.int32] = known[found[every]]
    return chosen


def _places(column: Any) -> tuple[NDArray[Any], list[str]]:
    """A column of words as places in a list of them."""
    whole = column.unify_dictionaries().combine_chunks()
    # Where there is no word: the place after the last one.
    indices = whole.indices.fill_null(len(whole.dictionary)) if whole.null_count else whole.indices
    return indices.to_numpy(zero_copy_only=False), whole.dictionary.to_pylist()


def _are_below(numbers: NDArray[Any], bound: int, least: int = 0) -> bool:
    return not len(numbers) or bool(numbers.min() >= least and numbers.max() < bound)


def _place(words: Sequence[str], word: str) -> int:
    return words.index(word) if word in words else -1


def _numbers(column: Any, otherwise: int = 0) -> NDArray[Any]:
    if column.null_count:
        column = column.fill_null(otherwise)
    numbers: NDArray[Any] = column.to_numpy()
    return numbers
