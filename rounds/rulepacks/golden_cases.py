"""Golden cases of the shipped packs: input lines of `settle` with the answer worked out by hand from the document."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from rounds.rulepacks import PACK_FOLDER


@dataclass(frozen=True)
class GoldenCase:
    """One case. `expect` has verdict, odds, winnings, returned and alternatives, or only the `code` of an error.

    `cited`: the clauses that the settlement must cite. `clauses`: these, and others that the case is about."""

    name: str
    cited: frozenset[str]
    clauses: tuple[str, ...]
    why: str
    line: dict[str, Any]
    expect: dict[str, Any]
    convention: str | None


@cache
def golden_slugs() -> tuple[str, ...]:
    return tuple(sorted(path.name.removesuffix(".golden.toml") for path in PACK_FOLDER.glob("*.golden.toml")))


@cache
def golden_cases(slug: str) -> tuple[GoldenCase, ...]:
    """The golden cases of a pack; empty for rules that do not ship with the product."""
    if slug not in golden_slugs():
        return ()
    written = tomllib.loads((PACK_FOLDER / f"{slug}.golden.toml").read_text(encoding="utf-8"))
    return tuple(
        GoldenCase(
            name=f"{slug}-{number:03d}-{case['line']['bet']}",
            cited=frozenset(case.get("clause", ())),
            clauses=(*case.get("clause", ()), *case.get("concerns", ())),
            why=case["why"],
            line=_case_line(slug, case["line"]),
            expect=_expected_answer(case["expect"]),
            convention=case.get("convention"),
        )
        for number, case in enumerate(written["case"], start=1)
    )


def comparable_answer(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of an answer that a case states, with sorted alternatives, to be compared with `expect`."""
    if "code" in answer:
        return {"code": answer["code"]}
    others = [
        {key: other[key] for key in ("reading", "choice", "verdict", "returned")} for other in answer["alternatives"]
    ]
    amounts = {key: answer[key] for key in ("verdict", "odds", "winnings", "returned")}
    return amounts | {"alternatives": sorted(others, key=lambda other: (other["reading"], other["choice"]))}


def _case_line(slug: str, written: dict[str, Any]) -> dict[str, Any]:
    """The input line of a case. TOML has no null, so a round without a result is written "no result" in `history`."""
    line = {"rules": slug} | written
    if "history" in line:
        line["history"] = [None if result == "no result" else result for result in line["history"]]
    return line


def _expected_answer(written: dict[str, Any]) -> dict[str, Any]:
    """The expected answer of a case. Keys that are not written are null; unwritten alternatives must not occur."""
    if "error" in written:
        return {"code": written["error"]}
    listed = [{"returned": None} | other for other in written.get("alternatives", [])]
    amounts = {key: written.get(key) for key in ("verdict", "odds", "winnings", "returned")}
    return amounts | {"alternatives": sorted(listed, key=lambda other: (other["reading"], other["choice"]))}
