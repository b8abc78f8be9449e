"""Recomputing the files alone gives exactly the audit's settlement findings."""

import json
from io import StringIO
from pathlib import Path

from django.core.management import call_command

from compliance.analysis.parquet.compare_verdicts import audit_folder
from compliance.analysis.parquet.settlement_basis import SETTLEMENT_BASES


def test_a_wild_floor_comes_out_the_same(made: tuple[Path, set[tuple[object, ...]]]) -> None:
    folder, found = made
    audited = audit_folder(folder)
    again = {
        (each.entry_index, each.wager, each.code, each.required_cents, each.found_cents) for each in audited.differences
    }
    assert again == found
    assert audited.contradiction_count == 0
    assert sum(each.is_recomputed for each in audited.differences) > 20
    assert len(found) > 100


def test_what_columns_do_not_decide_is_counted_and_named(made: tuple[Path, set[tuple[object, ...]]]) -> None:
    out = StringIO()
    call_command("audit", "--parquet", str(made[0]), "--json", stdout=out)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    *_, summary = lines
    left = {line["not_recomputed"]: line["wagers"] for line in lines if "not_recomputed" in line}
    assert left.keys() >= {"limits", "late", "streak", "should be void", "unusual round", "not offered", "special"}
    assert left.keys() <= SETTLEMENT_BASES.keys()
    assert summary["recomputed"] + sum(left.values()) == summary["wagers"]
    plain = StringIO()
    call_command("audit", "--parquet", str(made[0]), stdout=plain)
    assert f"Not recomputed: {left['streak']} wagers: a Super Streak, settled over several rounds." in plain.getvalue()
