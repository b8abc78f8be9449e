"""The SQL statements of the help page, run as printed, find what our recomputation finds; so does Polars."""

import re
from html import unescape
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from django.test import Client

from compliance.analysis.parquet import schema
from compliance.analysis.parquet.compare_verdicts import audit_folder
from compliance.analysis.parquet.settlement_basis import BY_ODDS, SETTLEMENT_BASES
from tests.bench import parquet as bench


@pytest.fixture
def page(client: Client, db: None) -> str:
    return client.get("/help/analysis/").content.decode()


def code(page: str, name: str) -> str:
    [found] = re.findall(f'<code id="{name}">(.*?)</code>', page, re.DOTALL)
    return unescape(found)


def test_duckdb_finds_the_same_by_the_statements_of_the_page(
    page: str, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.rename(files.with_name("harbour-november"))
    monkeypatch.chdir(files.parent)
    audited = audit_folder(Path("harbour-november"))
    ours = [
        (each.entry_index, each.wager, each.bet, each.required_cents, each.found_cents, each.code)
        for each in audited.differences
        if each.is_recomputed
    ]
    with duckdb.connect() as database:
        database.execute(code(page, "duckdb-views"))
        rows = database.execute(code(page, "statement")).fetchall()
        left = database.execute(code(page, "left")).fetchall()
        # Independent of the audit's verdict: the odds alone show it.
        database.execute("ALTER VIEW wagers RENAME TO said")
        database.execute("CREATE VIEW wagers AS SELECT * REPLACE ('right' AS audit) FROM said")
        unsaid = database.execute(code(page, "statement")).fetchall()
    assert len(rows) > 20
    assert sorted((row[2], row[4], row[5], row[6], row[7], row[10]) for row in rows) == sorted(ours)
    assert {(row[0], row[9]) for row in rows} == {("harbour", "wrong")}
    assert [row[:9] for row in unsaid] == [row[:9] for row in rows]
    counted: dict[str, int] = {}
    for way, _, wagers in left:
        counted[way] = counted.get(way, 0) + wagers
    assert counted == {way: count for way, count in audited.recomputed.ways.items() if way != BY_ODDS}


def test_every_peer_of_the_bench_finds_the_same(made: tuple[Path, object]) -> None:
    folder, _ = made
    differences = audit_folder(folder).differences
    planted = sorted(
        (each.entry_index, each.wager, each.required_cents, each.found_cents)
        for each in differences
        if each.is_recomputed
    )
    assert sorted(bench.in_duckdb(folder)) == planted
    assert sorted(bench.in_polars(folder)) == planted
    assert set(planted) <= set(bench.ours(folder))


def test_the_page_has_every_column_and_every_reason(page: str, made: tuple[Path, object]) -> None:
    """The columns of the files, with the descriptions in the files themselves."""
    for name in ("wagers", "findings", schema.PAYOUTS):
        [first, *_] = sorted((made[0] / name).rglob("*.parquet")) or [made[0] / name]
        for field in pq.read_schema(first):
            assert f"<code>{field.name}</code>" in page
            assert field.metadata[b"description"].decode() in unescape(page)
        assert pq.read_schema(first).metadata[b"format"].decode() in page
    for way, why in SETTLEMENT_BASES.items():
        assert way == BY_ODDS or why in page
