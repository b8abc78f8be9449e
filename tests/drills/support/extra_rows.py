"""Extra rows: copies of existing rows in another state, where constraints want several columns set together.

A waiting alert, for example, has not been acknowledged. The original stays, so that its pages still open.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from tests.compliance.core.accounts.people import LONG_AGO
from tests.contracts.url_arguments import NSW, Parts
from tests.drills.support.generated_rows import FIRST_INDEX, Row, Tables

THEN = LONG_AGO.isoformat()
BEFORE = (LONG_AGO - timedelta(days=1)).isoformat()
WORDS = "Some words."


@dataclass(frozen=True)
class ExtraPage:
    """A page or PDF about an extra row. It must show the mark of the column."""

    name: str
    parts: Parts
    column: str


def add_extra_rows(tables: Tables) -> list[ExtraPage]:
    kinds = (acknowledged_alert, superseded_finding, rulings, withdrawn_version, amendment, kept_view)
    return [page for kind in kinds for page in kind(tables)]


def pages(names: str, column: str, **parts: object) -> Iterator[ExtraPage]:
    return (ExtraPage(name, {"casino": "harbour", **parts}, column) for name in names.split())


def first_row(tables: Tables, table: str, /, **fits: Any) -> Row:
    return next(row for row in tables[table] if fits.items() <= row.items())


def add_copy(tables: Tables, table: str, row: Row, /, **happened: Any) -> Row:
    """A copy with its own primary key and entry indexes."""
    own = FIRST_INDEX + len(tables[table])
    entries = {name: own for name in ("entry_index", "proposed_index", "approved_index") if row.get(name) is not None}
    copy = row | {"id": own} | entries | happened
    tables[table].append(copy)
    return copy


def acknowledged_alert(tables: Tables) -> Iterator[ExtraPage]:
    """And the fault that it was raised about."""
    alert = add_copy(
        tables,
        "alerts_alert",
        first_row(tables, "alerts_alert", table="sb-1"),
        state="acknowledged",
        acknowledged_at=THEN,
        acknowledged_by_name=WORDS,
    )
    fault = add_copy(
        tables,
        "equipment_fault",
        first_row(tables, "equipment_fault"),
        index=FIRST_INDEX,
        name="F-2",
        alert_index=alert["entry_index"],
    )
    column = "alerts_alert.acknowledged_by_name"
    yield from pages("alerts:block", column, table="sb-1")
    yield from pages("equipment:fault", column, fault=fault["index"])


def superseded_finding(tables: Tables) -> Iterator[ExtraPage]:
    finding = add_copy(
        tables,
        "audit_finding",
        first_row(tables, "audit_finding"),
        superseded_at=THEN,
        superseded_index=FIRST_INDEX,
        superseded_reason=WORDS,
    )
    add_copy(tables, "reviews_review", first_row(tables, "reviews_review"), finding_id=finding["id"], state="lapsed")
    column = "audit_finding.superseded_reason"
    yield from pages("audit:finding reviews:finding", column, finding=finding["entry_index"])


def rulings(tables: Tables) -> Iterator[ExtraPage]:
    """One that waits, and one superseded by the version in force, which stays in force."""
    table, column = "rulebook_ruleversion", "rulebook_ruleversion.ruling_reasons"
    in_force, waiting = first_row(tables, table, number=1), first_row(tables, table, number=2)
    ruled = {"rules_on_id": in_force["id"], "ruled_reading": "even", "ruling_reasons": WORDS, "wanted_at": THEN}
    add_copy(tables, table, waiting, number=3, **ruled)
    add_copy(tables, table, in_force, number=4, effective_at=BEFORE, **ruled)
    yield from pages("rulebook:version rulebook:approve", column, rules=NSW, number=3)
    yield from pages("rulebook:rules", column, rules=NSW, number=4)


def withdrawn_version(tables: Tables) -> Iterator[ExtraPage]:
    table = "rulebook_ruleversion"
    add_copy(
        tables,
        table,
        first_row(tables, table, number=2),
        number=5,
        withdrawn_by_id=tables["accounts_user"][0]["id"],
        withdrawn_at=THEN,
        withdrawn_index=FIRST_INDEX,
        withdrawal_reason=WORDS,
    )
    yield from pages("rulebook:version", f"{table}.withdrawal_reason", rules=NSW, number=5)


def amendment(tables: Tables) -> Iterator[ExtraPage]:
    table = "terms_termsversion"
    add_copy(tables, table, first_row(tables, table, number=1), number=2, kind="amendment", reason=WORDS)
    yield from pages("terms:version terms:pdf terms:decide", f"{table}.reason", promotion=1, version=2)


def kept_view(tables: Tables) -> Iterator[ExtraPage]:
    """Not a copy: the filter of a saved view, which is shown with the view's name."""
    [view] = tables["saved_savedview"]
    for column in ("saved_savedview.query", "saved_savedview.list_words"):
        yield from pages("saved:views", column)
        yield from pages("saved:view", column, view=view["id"])
