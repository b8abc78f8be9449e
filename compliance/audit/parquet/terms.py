"""The terms behind the wagers of an export, written down so that they can be worked out again from the rule packs
beside them, and what they pay as a table to join wagers with.

Terms are named by a digest of all that they consist of: the same in every export, so that exports can lie together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
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

DIGITS = 16
# 4-2-4 is 424.
FACES = np.array([100 * a + 10 * b + c for a, b, c in OUTCOMES], np.int16)


class Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Terms as rules/terms.json has them. Odds are posted for each level of a box."""

    rules: str
    version: int
    pack_sha256: str
    readings: dict[str, str]
    readings_sha256: str
    pay_table: str
    offered: list[str]
    posted_odds: dict[str, list[str]]

    @property
    def name(self) -> str:
        return hashlib.sha256(write_body(msgspec.to_builtins(self))).hexdigest()[:DIGITS]

    @property
    def pack_file(self) -> str:
        return pack_file(self.pack_sha256)


def pack_file(sha256: str) -> str:
    return f"{RULES}/{sha256}.toml"


def readings_sha256(readings: Mapping[str, str]) -> str:
    return hashlib.sha256(write_body(dict(readings))).hexdigest()


class TermsBook:
    """The terms that came up, in that order."""

    def __init__(self) -> None:
        self.written: dict[str, Written] = {}
        self._sheets: list[judged.Sheet] = []
        self._names: dict[tuple[int, int], tuple[str, judged.Terms]] = {}

    def name_of(self, terms: judged.Terms) -> str:
        key = id(terms.circumstances), id(terms.sheet)
        if key not in self._names:
            # Kept with what it stands for, so that no other object is ever found at the same address.
            self._names[key] = self._write(terms), terms
        return self._names[key][0]

    def _write(self, terms: judged.Terms) -> str:
        written = _written(terms.circumstances, terms.sheet.rules.pay_table)
        name = written.name
        if name not in self.written:
            self.written[name] = written
            self._sheets.append(terms.sheet)
        return name

    def payouts(self) -> Any:
        return payouts_of(dict(zip(self.written, self._sheets, strict=True)))


def _written(circumstances: Circumstances, pay_table: str) -> Written:
    return Written(
        rules=circumstances.version.rules, version=circumstances.version.number,
        pack_sha256=circumstances.pack.pack_sha256, readings=dict(sorted(circumstances.readings.items())),
        readings_sha256=readings_sha256(circumstances.readings), pay_table=pay_table,
        offered=sorted(circumstances.offered),
        posted_odds={
            code: [str(odds) for odds in (posted if isinstance(posted, tuple) else (posted,))]
            for code, posted in sorted(circumstances.posted_odds.items())
        },
    )  # fmt: skip


def payouts_of(sheets: Mapping[str, judged.Sheet]) -> Any:
    """A row for each box that terms settle by a result, and each result."""
    parts: dict[str, list[Any]] = {name: [] for name in PAYOUT_COLUMNS}
    codes = np.array(BET_CODES, object)
    for name, sheet in sheets.items():
        bets = np.flatnonzero(sheet.settles)
        size = len(bets) * len(OUTCOMES)
        parts["terms"].append(np.full(size, name, object))
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


def work_out(written: Mapping[str, Written], read: Callable[[str], bytes]) -> Any:
    """What the terms pay, by the engine and the packs that lie beside them. `read` gives a file of the folder."""
    return payouts_of({each.name: _sheet(each, read(each.pack_file)) for each in written.values()})


def _sheet(written: Written, pack: bytes) -> judged.Sheet:
    rules = rules_for(load_pack(pack, written.pack_file), written.pay_table, written.readings)
    posted: list[tuple[str, Posted]] = []
    for code, levels in written.posted_odds.items():
        odds = tuple(map(Fraction, levels))
        posted.append((code, odds if len(odds) > 1 else odds[0]))
    return judged.sheet_of(rules, frozenset(written.offered), tuple(posted))
