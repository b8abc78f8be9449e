"""The terms behind an export's wagers: written so that they can be recomputed from the rule packs in the folder; and
what they pay, as a table to join wagers with.

Terms are named by a digest of their content, so the same terms have the same name in every export.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from compliance.analysis.parquet.schema import PAYOUT_COLUMNS, RULES, arrow_schema
from compliance.audit.context.pay_sheets import PaySheet, PayTerms, pay_sheet_for
from rounds.engine import BET_CODES, OUTCOMES, PostedOdds, RulesInForce, compile_rules, load_pack
from rounds.ledger import encode_body

NAME_DIGITS = 16
# 4-2-4 becomes 424.
OUTCOME_NUMBERS = np.array([100 * a + 10 * b + c for a, b, c in OUTCOMES], np.int16)


class WrittenTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Terms as in rules/terms.json. Odds are posted per level of a box."""

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
        return hashlib.sha256(encode_body(msgspec.to_builtins(self))).hexdigest()[:NAME_DIGITS]

    @property
    def pack_path(self) -> str:
        return pack_file_path(self.pack_sha256)


def pack_file_path(sha256: str) -> str:
    return f"{RULES}/{sha256}.toml"


def readings_sha256(readings: Mapping[str, str]) -> str:
    return hashlib.sha256(encode_body(dict(readings))).hexdigest()


class TermsRegister:
    """The terms of an export, in order of first use."""

    def __init__(self) -> None:
        self.written: dict[str, WrittenTerms] = {}
        self._sheets: list[PaySheet] = []
        self._names: dict[tuple[int, int], tuple[str, PayTerms]] = {}

    def register(self, terms: PayTerms) -> str:
        key = id(terms.rules_in_force), id(terms.sheet)
        if key not in self._names:
            # Keeps a reference to the terms, so that their id() is not reused.
            self._names[key] = self._add_terms(terms), terms
        return self._names[key][0]

    def _add_terms(self, terms: PayTerms) -> str:
        written = _terms_record(terms.rules_in_force, terms.sheet.rules.pay_table)
        name = written.name
        if name not in self.written:
            self.written[name] = written
            self._sheets.append(terms.sheet)
        return name

    def payout_table(self) -> Any:
        return build_payout_table(dict(zip(self.written, self._sheets, strict=True)))


def _terms_record(rules_in_force: RulesInForce, pay_table: str) -> WrittenTerms:
    return WrittenTerms(
        rules=rules_in_force.version.rules,
        version=rules_in_force.version.number,
        pack_sha256=rules_in_force.pack.pack_sha256,
        readings=dict(sorted(rules_in_force.readings.items())),
        readings_sha256=readings_sha256(rules_in_force.readings),
        pay_table=pay_table,
        offered=sorted(rules_in_force.offered),
        posted_odds={
            code: [str(odds) for odds in (posted if isinstance(posted, tuple) else (posted,))]
            for code, posted in sorted(rules_in_force.posted_odds.items())
        },
    )


def build_payout_table(sheets: Mapping[str, PaySheet]) -> Any:
    """One row per box that the terms settle in one round, and result."""
    parts: dict[str, list[Any]] = {name: [] for name in PAYOUT_COLUMNS}
    codes = np.array(BET_CODES, object)
    for name, sheet in sheets.items():
        bets = np.flatnonzero(sheet.settles)
        size = len(bets) * len(OUTCOMES)
        parts["terms"].append(np.full(size, name, object))
        parts["outcome"].append(np.repeat(OUTCOME_NUMBERS, len(bets)))
        parts["bet"].append(np.tile(codes[bets], len(OUTCOMES)))
        parts["numerator"].append(sheet.numerator[:, bets].ravel())
        parts["denominator"].append(sheet.denominator[:, bets].ravel())
        parts["gives"].append(sheet.payout_numerator[:, bets].ravel())
    schema = arrow_schema(PAYOUT_COLUMNS)
    columns = [
        pa.array(np.concatenate(parts[name]) if parts[name] else [], field.type)
        for name, field in zip(PAYOUT_COLUMNS, schema, strict=True)
    ]
    return pa.table(columns, schema=schema)


def recompute_payouts(written: Mapping[str, WrittenTerms], read_file: Callable[[str], bytes]) -> Any:
    """What the terms pay, recomputed by the engine from the packs in the folder. `read_file` reads a file of the
    folder."""
    return build_payout_table({each.name: _pay_sheet(each, read_file(each.pack_path)) for each in written.values()})


def _pay_sheet(written: WrittenTerms, pack: bytes) -> PaySheet:
    rules = compile_rules(load_pack(pack, written.pack_path), written.pay_table, written.readings)
    posted: list[tuple[str, PostedOdds]] = []
    for code, levels in written.posted_odds.items():
        odds = tuple(map(Fraction, levels))
        posted.append((code, odds if len(odds) > 1 else odds[0]))
    return pay_sheet_for(rules, frozenset(written.offered), tuple(posted))
