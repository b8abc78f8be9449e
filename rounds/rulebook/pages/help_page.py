"""Help pages of the rulebook, and their content generated from the engine."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from compliance.core.web.help_pages import HelpPage

EXAMPLE_LINES = (
    '{"rules":"rws-sic-bo-etg","pay_table":"1","dice":[2,3,3],"bet":"total:8","stake":100}',
    '{"rules":"nsw-sic-bo","dice":[2,4,4],"bet":"even","stake":100}',
    '{"rules":"nsw-sic-bo","dice":[2,4,4],"bet":"evens","stake":100}',
)

ERROR_MEANINGS = {
    "unknown-rules": "There are no rules by that slug.",
    "unknown-version": "The rules have no such version, or have several and the line names none.",
    "unknown-pay-table": "The rules have no such pay table, or have several and the line names none.",
    "unknown-bet": "The text is not a bet code. A code that exists but is not in these rules is no error: "
    "its verdict is unapproved.",
    "unknown-reading": "The rules have no such reading, or the reading has no such choice.",
    "unknown-void-reason": "This document does not void a round on that ground.",
    "unknown-tender": "The stake was put down in something that is not known.",
    "bad-line": "Not one JSON object in UTF-8, a key that is unknown or there twice, or a value of the wrong kind.",
    "bad-dice": "Not three whole numbers from 1 to 6, or missing where a result is needed.",
    "bad-stake": "Not a whole number of cents above 0.",
    "bad-odds": "Posted odds that are not worded like “8.5 to 1”.",
    "bad-limits": "Limits that are not whole cents above 0, or contradict each other.",
    "bad-history": "The results after a Super Streak wager are not a list of results and nulls.",
    "bad-decks": "A number of decks that the document does not allow. Arises for house edges, not in settle.",
    "opening-needed": "A Super Streak wager on a pair, without an opening result to take its direction from.",
    "posted-below-minimum": "The posted odds are lower than the document's minimum.",
    "not-a-whole-cent": "The winnings are not a whole number of cents, and the document does not say how to round.",
    "bad-pack": "A rule pack was refused. Arises when packs are loaded, not for a line.",
}


@cache
def settlement_help_context() -> Mapping[str, Any]:
    """Computed on first request and cached: shipped packs do not change while the service runs."""
    # Imported here because loading the packs takes a second, which would slow down the start of the service.
    from rounds.engine import errors
    from rounds.rulepacks import shipped_packs

    return {
        "packs": list(shipped_packs()),
        "example": _settle_example(),
        "error_codes": [(code.value, ERROR_MEANINGS[code.value]) for code in errors.ErrorCode],
        "edge_tables": _edge_tables(),
    }


def _settle_example() -> dict[str, list[str]]:
    from rounds.rulebook.cli.settle_lines import settle_lines
    from rounds.rulepacks import shipped_packs

    answers: list[bytes] = []
    settle_lines(shipped_packs(), (line.encode() for line in EXAMPLE_LINES), answers.append)
    return {"lines": list(EXAMPLE_LINES), "answers": [answer.decode().rstrip() for answer in answers]}


def _edge_tables() -> list[dict[str, Any]]:
    """One table per pay table: wagers under the default readings, with a column for each number of decks."""
    from rounds.engine import odds
    from rounds.rulebook.packs.formatting import format_percent
    from rounds.rulebook.packs.house_edge_rows import group_house_edges
    from rounds.rulepacks import shipped_packs

    tables = []
    for pack in shipped_packs():
        rows = group_house_edges(edge for edge in odds.compute_house_edges(pack) if not edge.readings)
        tables += [
            {
                "title": f"{pack.title}, pay table {name}",
                "id": f"edges-{pack.slug}-{name}",
                "headings": ["Edge" if decks is None else f"{decks} decks" for decks in odds.deck_counts(pack)],
                "rows": [
                    (row.bets, [(str(edge), format_percent(edge)) for _, edge in row.edges])
                    for row in rows
                    if row.terms.pay_table == name
                ],
            }
            for name in pack.law.pay_table
        ]
    return tables


SETTLEMENT_PAGE = HelpPage(
    "rulebook",
    "Rule packs and settlement",
    "What a rule pack is, how ambiguous clauses are read, and the settle command with its codes.",
    "Operators and integrators",
    order=60,
    facts=settlement_help_context,
)

CALCULATOR_PAGE = HelpPage(
    "calculator",
    "What would this pay?",
    "The calculator at the table: which rules, which box, which dice, and how to read the answer.",
    "Supervisors and inspectors",
    order=35,
)


def versions_help_context() -> Mapping[str, Any]:
    from rounds.rulebook.packs.formatting import format_percent
    from rounds.rulebook.size_limits import ANALYSIS_TIMEOUT_SECONDS, MAX_SOURCE_BYTES, MAX_TEXT_BYTES
    from rounds.rulebook.states import STATE_TAGS
    from rounds.rulebook.versions.approval_gate import MAX_ORDINARY_EDGE

    return {
        "ceiling": format_percent(MAX_ORDINARY_EDGE),
        "text_kilobytes": MAX_TEXT_BYTES // 1024,
        "longest_seconds": int(ANALYSIS_TIMEOUT_SECONDS),
        "megabytes": MAX_SOURCE_BYTES // 1024**2,
        "states": [tag.label for tag in STATE_TAGS.values()],
    }


VERSIONS_PAGE = HelpPage(
    "rule-versions",
    "Rule versions and rulings",
    "Proposing, approving and withdrawing rules; ruling on a clause; the page for patrons.",
    "Inspectors, authority officers, compliance officers",
    order=55,
    facts=versions_help_context,
)
