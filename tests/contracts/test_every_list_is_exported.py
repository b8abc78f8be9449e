"""Every list of a casino can be exported as CSV and NDJSON by those who may open its page, and by nobody else.

A page offers an export exactly if it is answered.
"""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from django.core.mail import EmailMessage, get_connection
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from compliance.core.web.ui.components import DataTable
from tests.contracts.blank_responses import blank_templates
from tests.contracts.test_permission_matrix import COLUMNS, ROWS, answer, browser_for, places
from tests.contracts.url_arguments import Places

__all__ = ["places"]

# Lists that the walk must meet, so that it cannot pass by finding nothing.
SOME = {
    "accounts:people", "alerts:inbox", "audit:findings", "claims:claims", "conduct:acts", "desk:floor",
    "desk:table", "disclosures:seen",
    "disputes:disputes", "draws:draws", "equipment:faults", "evidence:bundles", "fairness:signals",
    "floor:controllers", "floor:tables",
    "intake:quarantine", "notices:notices", "patrons:looks", "patrons:records", "proofs:proofs",
    "reports:reports", "reviews:queue",
    "webhooks:delivery", "webhooks:endpoint", "webhooks:endpoints",
}  # fmt: skip

# Tables that are not lists: parts of one record, rules, or the figures of a chart. All others can be exported.
PARTS = {
    "accounts:people": {"Sign-ins and failed attempts by day"},
    "accounts:person": {"Roles held here now"},
    "audit:clause": {
        f"Example {number}: the records of the {what}, and of honest play"
        for number in range(1, 20)
        for what in ("violation", "note")
    },
    "audit:checks": {
        "Chips and vouchers",
        "Closings",
        "Disputes",
        "Equipment",
        "Faults",
        "Feed and ledger",
        "Limits",
        "Odds",
        "Promotions",
        "Rounds",
        "Settlements",
        "Super Streak",
        "Wagers",
    },
    "audit:readings": {"What another choice would have changed so far"},
    "checklists:clause": {"Checks that bear on it"},
    "checklists:sign-off": {"Clauses that findings of this time cite"},
    "closures:announce": {"Its last wagers"},
    "closures:emergency": {"Its last wagers"},
    "desk:round": {"Rounds, the newest first", "What happened, in order"},
    "disputes:levels": {"How long each step may take"},
    "equipment:returns": {"What was handed back"},
    "equipment:void-set": {"What was handed back"},
    "evidence:ledger": {"Entries by day"},
    "fairness:signal": {"Counted, and given by chance", "Dice sets concerned, up to that day"},
    "floor:casino": {"Facts of the casino"},
    "floor:table": {"Facts of the table"},
    "intake:paper-round": {"Wagers"},
    "patrons:retention": {"How long details are kept"},
    "reports:schedule": {"What became of it"},
    "reviews:finding": {"Other findings about the same record"},
    "rulebook:approve": {"House edges of all wagers", "House edges that must be confirmed"},
    "rulebook:version": {
        "Every clause of the document, and what implements it",
        "House edges under readings that are not adopted",
        "How ambiguous clauses are read",
        "Pay table 1",
        "Whom the document means",
    },
}


def tables_in(response: Any) -> Iterator[DataTable]:
    context: Any = response.context or []
    # One template gives one context, several give a list of them.
    layers = [layer for one in (context if isinstance(context, list) else [context]) for layer in one]
    shown = {id(value): value for layer in layers for value in layer.values()}
    yield from (one for one in shown.values() if isinstance(one, DataTable))


def check_export(browser: Client, url: str, table: DataTable) -> None:
    """Each format has the page's columns and every row of the list, possibly with rows that were added since."""
    count = table.as_file("").count
    assert count >= table.count, url
    headings = [column.heading for column in table.columns if not column.is_control]
    as_csv, as_ndjson = (browser.get(url + href) for _, href in table.export_links)
    lines = list(csv.reader(io.StringIO(b"".join(as_csv).decode("utf-8-sig"), newline="")))
    assert lines[0][: len(headings)] == headings, url
    assert len(lines) - 1 in (count, count + 1), url
    objects = [json.loads(line) for line in b"".join(as_ndjson).splitlines()]
    assert len(objects) in range(count, count + 3), url
    assert all(len(one) == len(lines[0]) for one in objects), url


def is_offered(page: Any, href: str) -> bool:
    return f'href="{escape(href)}"' in page.content.decode()


def test_every_list_of_a_casino_is_exported_to_those_who_may_open_its_page(places: Places) -> None:
    browsers = {column: browser_for(column) for column in COLUMNS}
    met = set()
    for name, row in ROWS.items():
        readers = [column for column in COLUMNS if row[column] == "200"]
        if "casino" not in places.get(name, {}) or "anonym" in readers or not readers:
            continue
        url = reverse(name, kwargs=places[name])
        page = browsers[readers[0]].get(url)
        for table in tables_in(page):
            if not table.is_list:
                assert table.caption in PARTS.get(name, ()), f"{name} has no export of {table.caption!r}"
                continue
            met.add(name)
            check_export(browsers[readers[0]], url, table)
            assert [is_offered(page, href) for _, href in table.export_links] == [bool(table.count)] * 2, name
            [(_, href), _] = table.export_links
            # The outsider, and one of the casino's staff whose roles do not open the page: the page's own permission
            # applies.
            shut_out = [column for column in reversed(COLUMNS) if column not in readers][:2]
            with blank_templates():
                found = {column: answer(browsers[column], url + href) for column in shut_out}
            assert found == {column: row[column] for column in shut_out}, name
    assert met >= SOME


def test_a_list_that_is_no_casino_s_is_not_offered_as_a_file_and_says_so_when_asked(places: Places) -> None:
    mailbox = get_connection("compliance.core.web.mail.demo_mailbox.MailboxBackend")
    mailbox.send_messages([EmailMessage("Reset", "…", "fairthrow@localhost", ["mo@example.com"])])
    browsers = {column: browser_for(column) for column in COLUMNS}
    met = set()
    for name, row in ROWS.items():
        readers = [column for column in COLUMNS if row[column] == "200"]
        if not readers or ("casino" in places.get(name, {}) and "anonym" not in readers):
            continue
        browser, url = browsers[readers[-1]], reverse(name, kwargs=places.get(name))
        page = browser.get(url)
        for table in tables_in(page):
            met |= {name} if table.is_list and table.count else set()
            for _, href in table.export_links:
                assert not is_offered(page, href), name
                assert not table.is_list or "not given out as a file" in browser.get(url + href).content.decode(), name
    assert met >= {"web:mailbox"}
