"""Every list of promotions with 0, 1 and 10,000 rows: a message when empty, and a constant number of queries."""

from datetime import date
from typing import Any

from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext

from promotions.draws.models import Draw, Winner
from promotions.draws.services import hold_draw, record_winner, schedule_draw
from promotions.terms.models import Material, PrescribedItem
from promotions.terms.services import add_prescribed_item, record_material
from tests.compliance.core.accounts.people import browser_of
from tests.promotions.crew import DAY, START, Crew, file_example_terms

HERE = "/casinos/harbour/promotions/"
DRAWN = START + 13 * DAY
LISTS = {
    f"{HERE}winners/": "Every winner was told.",
    f"{HERE}1/draws/": "No draw is scheduled yet.",
    f"{HERE}1/material/": "No marketing material",
    f"{HERE}prescribed/": "",
    f"{HERE}calendar/": "",
    HERE: "Every winner was told.",
}


def one_of_each(crew: Crew) -> None:
    by: dict[str, Any] = {"actor": crew.mara, "now": DRAWN}
    draw = schedule_draw(
        promotion=file_example_terms(crew).promotion, scheduled_at=DRAWN, place="Stage", method="Barrel", **by
    )
    hold_draw(
        draw=draw,
        held_at=DRAWN,
        place="Stage",
        method="Barrel",
        entries=9,
        result="Ticket 4",
        scrutineer="",
        is_confirmed=False,
        **by,
    )
    record_winner(draw=draw, prize="Dinner", value_cents=100, entry_drawn="4", person={}, **by)
    record_material(
        promotion=draw.promotion,
        medium="poster",
        description="Poster",
        used_from_on=date(2026, 11, 1),
        is_referring=False,
        where="",
        **by,
    )
    add_prescribed_item(casino=crew.harbour, item="Fireworks", basis="A regulation", actor=crew.aron, now=DRAWN)


def multiply(model: type[Model], **numbered: str) -> None:
    """Adds 9,999 copies of the existing row. Lists do not read their entries."""
    columns = [str(field.column) for field in model._meta.concrete_fields if not field.primary_key]
    chosen = {"entry_index": "entry_index + 1000000 + n", **numbered}
    values = ", ".join(chosen.get(column, f'"{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {model._meta.db_table} ({names}) "
            f"SELECT {values} FROM {model._meta.db_table}, generate_series(1, 9999) AS n"
        )


def queries(browser: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert browser.get(address).status_code == 200
    return len(captured)


def test_ten_thousand_rows_take_as_many_queries_as_one(crew: Crew) -> None:
    browser = browser_of(crew.mara)
    file_example_terms(crew)
    for address, empty in LISTS.items():
        assert empty in browser.get(address).content.decode(), address
    one_of_each(crew)
    addresses = [*LISTS, f"{HERE}2/draws/", f"{HERE}2/material/", f"{HERE}2/draws/1/"]
    few = {address: queries(browser, address) for address in addresses}
    for model, column in ((Winner, "number"), (Draw, "number"), (Material, ""), (PrescribedItem, "")):
        multiply(model, **({column: f"{column} + n"} if column else {}))
    many = {address: queries(browser, address) for address in addresses}
    # Paging adds a count, and a page of several rows may look up one more holiday.
    assert {address: count for address, count in many.items() if count > few[address] + 2} == {}
    assert "of 10,000" in browser.get(f"{HERE}winners/").content.decode()
