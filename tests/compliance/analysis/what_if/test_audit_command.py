"""`manage.py audit` in the foreground, and --what-if without writing anything."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from rounds.floor.fact_values import WagersOfferedValue
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.versions.propose import propose_ruling
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import START, wager
from tests.compliance.core.accounts.people import browser_of


def run(*arguments: str) -> list[dict[str, Any]]:
    out = StringIO()
    call_command("audit", *arguments, "--json", stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def everything_written() -> dict[str, int]:
    """Row counts of the audit's and the ledger's tables."""
    with connection.cursor() as cursor:
        every = connection.introspection.table_names(cursor)
        tables = [name for name in every if name.startswith(("audit_", "ledger_"))]
        cursor.execute(" UNION ALL ".join(f"SELECT '{table}', count(*) FROM \"{table}\"" for table in tables))
        return dict(cursor.fetchall())


def test_it_audits_what_waits_and_says_how_much_that_was(house: House) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100))
    *_, done = run("--casino", "harbour")
    assert done == {"casino": "harbour", "rounds": 1, "wagers": 1, "findings": 1, "waiting": 0}
    assert run("--casino", "harbour")[-1]["rounds"] == 0
    plain = StringIO()
    call_command("audit", stdout=plain)
    assert [line for line in plain.getvalue().splitlines() if "rounds" in line] == [
        "harbour: 0 rounds, 0 wagers, 0 findings.",
        "marina: 0 rounds, 0 wagers, 0 findings.",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--casino", "atlantis"], "expected one of harbour, marina"),
        (["--from", "9", "--to", "9"], "--to above it"),
        (["--casino", "harbour", "--what-if", "nsw-sic-bo@9"], "harbour has no version 'nsw-sic-bo@9'"),
    ],
)
def test_what_it_cannot_do_it_says(house: House, arguments: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("audit", *arguments)


def test_a_version_has_the_names_of_its_page(house: House) -> None:
    house.open_table()
    version = RuleVersion.objects.get(casino=house.casino)
    page = browser_of(house.crew.cast.ines).get(version.get_absolute_url()).content.decode()
    with pytest.raises(CommandError) as refused:
        call_command("audit", "--casino", "harbour", "--what-if", "nsw-sic-bo@9")
    assert f"expected one of nsw-sic-bo@1 ({version})." in str(refused.value)
    assert "nsw-sic-bo@1" in page
    tried = StringIO()
    call_command("audit", "--casino", "harbour", "--what-if", "nsw-sic-bo@1", stdout=tried)
    assert f"under {version} (nsw-sic-bo@1); " in tried.getvalue()


def test_a_ruling_not_yet_approved_is_tried_over_history(house: House) -> None:
    """N1: Even on a total of 10, paid at one table and collected at the other."""
    table = house.open_table()
    house.state(table, WagersOfferedValue(wagers=("even",)), at=table.added_at)
    house.play((4, 2, 4), wager("even", 1_000, 2_000, id="paid"))
    house.play((4, 2, 4), wager("even", 1_000, 0, id="collected"))
    house.play((4, 2, 4), wager("small", 1_000, 2_000, id="untouched"))
    house.audit()
    house.play((4, 2, 4), wager("even", 1_000, 2_000, id="not-audited"))
    propose_ruling(
        version=house.casino.rule_versions.get(),
        reading="even",
        choice="every-even-total",
        reasons="A slip.",
        wanted_at=START,
        actor=house.crew.cast.ines,
        now=NOW,
    )
    before = everything_written()
    *differences, of_even, at_table, total = run("--casino", "harbour", "--what-if", "nsw-sic-bo@2")
    assert [(one["wager"], one["now"], one["then"], one["at_stake_cents"]) for one in differences] == [
        ("paid", "SETTLE-READING", None, 2_000),
        ("collected", None, "SETTLE-READING", 2_000),
    ]
    assert of_even == {"table": "sb-1", "bet": "even", "differences": 2, "at_stake_cents": 4_000}
    assert at_table == {"table": "sb-1", "differences": 2, "at_stake_cents": 4_000}
    assert total == {"casino": "harbour", "differences": 2, "at_stake_cents": 4_000, "rounds_waiting": 1}
    assert everything_written() == before
