"""The help page /help/analysis/: columns of the Parquet files and the settlement check as one SQL statement."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from compliance.analysis.parquet import schema
from compliance.analysis.parquet.settlement_basis import BY_ODDS, SETTLEMENT_BASES
from compliance.core.web.help_pages import HelpPage


def parquet_facts() -> Mapping[str, Any]:
    return {
        "format": schema.FORMAT_VERSION,
        "tables": [
            ("wagers", "A row a wager", schema.WAGER_COLUMNS),
            ("findings", "A row a finding about these rounds", schema.FINDING_COLUMNS),
            ("payouts.parquet", "A row for each box at each result", schema.PAYOUT_COLUMNS),
        ],
        "ways": [(way, why) for way, why in SETTLEMENT_BASES.items() if way != BY_ODDS],
        "statement": (Path(settings.BASE_DIR) / "templates" / "docs" / "recompute.sql").read_text(),
    }


ANALYSIS_PAGE = HelpPage(
    "analysis",
    "Analysing wagers elsewhere",
    "Wagers and verdicts as Parquet files, and the same check with an engine of your own.",
    "Inspectors, and those who analyse for them",
    order=63,
    facts=parquet_facts,
)
