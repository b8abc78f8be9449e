"""Packs as JSON and text for `rulebook list`: effective time, digests, pay tables and readings."""

from __future__ import annotations

from typing import Any

from rounds.engine import Pack, compile_rules, odds


def pack_as_json(pack: Pack) -> dict[str, Any]:
    """One pack as a JSON object. `effective_at` is null for an undated document."""
    return {
        "rules": pack.slug,
        "version": pack.version,
        "title": pack.title,
        "effective_at": None if pack.effective_at is None else pack.effective_at.isoformat(),
        "effective_as_printed": pack.effective_as_printed,
        "time_zone": pack.time_zone,
        "source_sha256": pack.source_sha256,
        "pack_sha256": pack.pack_sha256,
        "pay_tables": [
            {"pay_table": table, "truth_sha256": odds.truth_table_sha256(compile_rules(pack, table))}
            for table in pack.law.pay_table
        ],
        "readings": {
            name: {"clause": reading.clause, "default": reading.default, "choices": list(reading.choices)}
            for name, reading in pack.readings.items()
        },
    }


def pack_as_text(pack: Pack) -> str:
    """One pack as a paragraph."""
    effective = "undated; its instant is given at approval"
    if pack.effective_at is not None:
        effective = f"{pack.effective_at.isoformat()} (printed: {pack.effective_as_printed})"
    lines = [
        f"{pack.name}  {pack.title}",
        f"  effective   {effective}",
        f"  source      sha256 {pack.source_sha256}",
        f"  pack        sha256 {pack.pack_sha256}",
        f"  pay tables  {', '.join(pack.law.pay_table)}",
    ]
    for name, reading in pack.readings.items():
        others = ", ".join(choice for choice in reading.choices if choice != reading.default)
        lines.append(f"  reading     {name} = {reading.default} (or {others}; clause {reading.clause})")
    return "\n".join(lines)
