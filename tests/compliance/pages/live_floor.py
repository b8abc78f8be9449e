"""Play at Harbour for the live floor's tests: an NSW table with a controller, and pages opened by its staff."""

import json
from datetime import datetime
from typing import Any

from django.db import transaction
from django.test import Client

from compliance.pages.table_state_consumer import consume_table_entries
from rounds.floor.fact_values import CurrencyValue, LimitsValue
from rounds.intake.protocol.examples import BODIES
from rounds.intake.tasks import consume_controller_reports
from rounds.ledger.writing.append import append, make_entry
from tests.rounds.floor.crew import OPENING, Crew, record_table_fact, speaking_controller, table_under
from tests.rounds.intake.controller_client import Feeder

FLOOR = "/casinos/harbour/floor/"
TABLE = "/casinos/harbour/floor/tables/sb-1/play/"
TIMELINE = "/casinos/harbour/floor/tables/sb-1/timeline/"
NSW = "nsw-sic-bo"


def nsw_table(crew: Crew) -> Feeder:
    """Table SB-1 under the NSW rules, limits 5 to 500 dollars, with a controller that may report for it."""
    table = table_under(crew, NSW)
    record_table_fact(crew, None, CurrencyValue(code="AUD"))
    record_table_fact(crew, table, LimitsValue(min=500, max=50_000))
    speaking_controller(crew, table)
    return Feeder()


def run_consumers() -> None:
    """Runs the consumers, as workers do moments after entries arrive."""
    consume_controller_reports()
    consume_table_entries()


def record_round(table: str, at: datetime, recorded_at: datetime, **body: Any) -> int:
    """A round recorded by a person's form; returns its index in the log."""
    line = {"kind": "round", "table": table, "at": at.isoformat(), "body": {**BODIES["round"], **body}}
    with transaction.atomic():
        [receipt] = append("harbour", [make_entry("round", line, table=table)], recorded_at)
    return receipt.index


def record_rounds(number: int, table: str = "sb-1") -> None:
    """Records rounds R-1, R-2 and so on, each with the example's wagers."""
    lines = (
        {"kind": "round", "table": table, "at": OPENING.isoformat(), "body": {**BODIES["round"], "round": f"R-{place}"}}
        for place in range(1, number + 1)
    )
    with transaction.atomic():
        append("harbour", [make_entry("round", line, table=table) for line in lines], OPENING)


def indexes_of(answer: Any) -> list[int]:
    receipts: list[dict[str, Any]] = json.loads(answer.content)["receipts"]
    return [receipt["index"] for receipt in receipts]


def open_page(browser: Client, address: str) -> str:
    page = browser.get(address)
    assert page.status_code == 200, page.status_code
    return page.content.decode()
