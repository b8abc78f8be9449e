"""Reads the golden cases beside the rule packs: one hand-worked line and what the document makes of it."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

RULE_PACKS = Path(__file__).resolve().parents[3] / "rounds" / "rulepacks"

SLUGS = ("nsw-sic-bo", "rws-sic-bo-etg", "mbs-3-card-sic-bo", "skycity-big-and-small", "licensee-sic-bo")


@dataclass(frozen=True)
class GoldenCase:
    """`expect` holds verdict, odds, winnings, returned and alternatives, or only `code`."""

    name: str
    cited: frozenset[str]
    clauses: tuple[str, ...]
    why: str
    line: dict[str, Any]
    expect: dict[str, Any]
    convention: str | None


def _line(slug: str, written: dict[str, Any]) -> dict[str, Any]:
    """TOML has no null: a round without a result is written "no result" in `history`."""
    line = {"rules": slug} | written
    if "history" in line:
        line["history"] = [None if result == "no result" else result for result in line["history"]]
    return line


def _expect(written: dict[str, Any]) -> dict[str, Any]:
    """What is not written is null, and alternatives that are not written must not appear."""
    if "error" in written:
        return {"code": written["error"]}
    listed = [{"returned": None} | other for other in written.get("alternatives", [])]
    amounts = {key: written.get(key) for key in ("verdict", "odds", "winnings", "returned")}
    return amounts | {"alternatives": sorted(listed, key=lambda other: (other["reading"], other["choice"]))}


@cache
def golden_cases(slug: str) -> tuple[GoldenCase, ...]:
    written = tomllib.loads((RULE_PACKS / f"{slug}.golden.toml").read_text(encoding="utf-8"))
    return tuple(
        GoldenCase(
            name=f"{slug}-{number:03d}-{case['line']['bet']}",
            cited=frozenset(case.get("clause", ())),
            clauses=(*case.get("clause", ()), *case.get("concerns", ())),
            why=case["why"],
            line=_line(slug, case["line"]),
            expect=_expect(case["expect"]),
            convention=case.get("convention"),
        )
        for number, case in enumerate(written["case"], start=1)
    )
