"""The terms behind the wagers of an export, numbered as they come up; written down so that they can be worked out again
from the rule packs beside them, and what they pay as a table to join wagers with."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from compliance.audit import terms as judged
from compliance.audit.parquet.schema import PAYOUT_COLUMNS, RULES, schema_of
from compliance.audit.seen import Circumstances
from rounds.engine.bets import BET_CODES
from rounds.engine.outcomes import OUTCOMES
from rounds.engine.packs import load_pack
from rounds.engine.rules import rules_for
from rounds.engine.settlement import Posted
from rounds.ledger.leaves import write_body

# 4-2-4 is 424.
FACES = np.array([100 * a + 10 * b + c for a, b, c in OUTCOMES], np.int16)


class Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Terms as rules/terms.json has them. Odds are posted for each level of a box."""

    terms: int
    rules: str
    version: int
    pack_sha256: str
    readings: dict[str, str]
    readings_sha256: str
    pay_table: str
    offered: list[str]
    posted_odds: dict[str, list[str]]

    @property
    def pack_file(self) -> str:
        return pack_file(self.pack_sha256)


def pack_file(sha256: str) -> str:
    return f"{RULES}/{sha256}.toml"


def readings_sha256(readings: Mapping[str, str]) -> str:
    return hashlib.sha256(write_body(dict(readings))).hexdigest()


class TermsBook:
    """Numbers terms by all that they consist of: the same terms have one number wherever they come up."""

    def __init__(self) -> None:
        self._known: dict[bytes, Written] = {}
        self._sheets: list[judged.Sheet] = []
        self._numbers: dict[tuple[int, int], tuple[int, judged.Terms]] = {}

    def number_of(self, terms: judged.Terms) -> int:
        key = id(terms.circumstances), id(terms.sheet)
        if key not in self._numbers:
            # Kept with what it stands for, so that no other object is ever found at the same address.
            self._numbers[key] = self._number(terms), terms
        return self._numbers[key][0]

    def _number(self, terms: judged.Terms) -> int:
        written = _write(0, terms.circumstances, terms.sheet.rules.pay_table)
        found = self._known.setdefault(
            msgspec.json.encode(written), msgspec.structs.replace(written, terms=len(self._known))
        )
        if found.terms == len(self._sheets):
            self._sheets.append(terms.sheet)
        return found.terms

    @property
    def written(self) -> list[Written]:
        return list(self._known.values())

    def payouts(self) -> Any:
        return payouts_of(self._sheets)


def _write(number: int, circumstances: Circumstances, pay_table: str) -> Written:
    return Written(
        terms=number, rules=circumstances.version.rules, version=circumstances.version.number,
        pack_sha256=circumstances.pack.pack_sha256, readings=dict(sorted(circumstances.readings.items())),
        readings_sha256=readings_sha256(circumstances.readings), pay_table=pay_table,
        offered=sorted(circumstances.offered),
        posted_odds={
            code: [str(odds) for odds in (posted if isinstance(posted, tuple) else (posted,))]
            for code, posted in sorted(circumstances.posted_odds.items())
        },
    )  # fmt: skip


def payouts_of(sheets: Sequence[judged.Sheet]) -> Any:
    """A row for each box that terms settle by a result, and each result."""
    parts: dict[str, list[Any]] = {name: [] for name in PAYOUT_COLUMNS}
    codes = np.array(BET_CODES, object)
    for number, sheet in enumerate(sheets):
        bets = np.flatnonzero(sheet.settles)
        size = len(bets) * len(OUTCOMES)
        parts["terms"].append(np.full(size, number, np.int16))
        parts["outcome"].append(np.repeat(FACES, len(bets)))
        parts["bet"].append(np.tile(codes[bets], len(OUTCOMES)))
        parts["numerator"].append(sheet.numerator[:, bets].ravel())
        parts["denominator"].append(sheet.denominator[:, bets].ravel())
        parts["gives"].append(sheet.gives[:, bets].ravel())
    schema = schema_of(PAYOUT_COLUMNS)
    columns = [
        pa.array(np.concatenate(parts[name]) if parts[name] else [], field.type)
        for name, field in zip(PAYOUT_COLUMNS, schema, strict=True)
    ]
    return pa.table(columns, schema=schema)


def work_out(written: Sequence[Written], read: Callable[[str], bytes]) -> Any:
    """What the terms pay, by the engine and the packs that lie beside them. `read` gives a file of the folder."""
    return payouts_of([_sheet(each, read(each.pack_file)) for each in written])


def _sheet(written: Written, pack: bytes) -> judged.Sheet:
    rules = rules_for(load_pack(pack, written.pack_file), written.pay_table, written.readings)
    posted: list[tuple[str, Posted]] = []
    for code, levels in written.posted_odds.items():
        odds = tuple(map(Fraction, levels))
        posted.append((code, odds if len(odds) > 1 else odds[0]))
    return judged.sheet_of(rules, frozenset(written.offered), tuple(posted))
