"""Random play under all five rule sets with errors of every kind, and its days exported as files."""

import random
from datetime import date, timedelta
from pathlib import Path

import msgspec
from pytest_django import Settings

from compliance.analysis.parquet.export_days import ExportSummary, export_days
from compliance.audit.checks.round import settlement, streaks
from compliance.audit.models import Finding, ReadingCase
from rounds.floor.fact_values import LimitsValue, PostedOddsValue
from rounds.intake.protocol.round import Round
from rounds.ledger.readers.progress_bar import ProgressCallback, no_progress
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, RWS, SKYCITY, build_round, pack_of, rules_in_force
from tests.compliance.audit.screening.test_screen import FACTS, random_round, random_wager, settled
from tests.rounds.floor.crew import OPENING

FIRST_DAY, LAST_DAY = date(2026, 11, 16), date(2026, 11, 18)
RULES = (NSW, RWS, MBS, SKYCITY, LICENSEE)
TABLES = {f"sb-{number}": rules for number, rules in enumerate(RULES, 1)}


def open_tables(house: House) -> None:
    for slug, rules in TABLES.items():
        table = house.open_table(slug, rules, LimitsValue(min=100, max=10_000))
        pay_tables = pack_of(rules).law.pay_table
        for name, pay_table in pay_tables.items() if len(pay_tables) > 1 else ():
            house.add_terminal(table, f"t-{name}", pay_table.layout or "")
        if rules == NSW:
            house.state(table, PostedOddsValue(odds={"total:4": "62 to 1"}), at=OPENING)


def play_random_rounds(house: House, rounds: int) -> None:
    """This many rounds at each table over three gaming days. In every other round only the money may be wrong."""
    dice = random.Random(20261117)
    for slug, rules in TABLES.items():
        governing = rules_in_force(rules, **FACTS[rules])
        for number in range(rounds):
            if number % 2:
                body = random_round(dice, rules, governing)
            else:
                wagers = [random_wager(dice, place, governing, False) for place in range(7)]
                wagers[0] = msgspec.structs.replace(wagers[0], stake=500, tender="promotional-token", player="p-9")
                roll = (dice.randint(1, 6), dice.randint(1, 6), dice.randint(1, 6))
                body = wrongly_paid(dice, settled(dice, build_round(rules, roll, *wagers), governing, False))
            day = FIRST_DAY + timedelta(days=number % 3)
            house.report("round", msgspec.structs.replace(body, round=f"{slug}-{number}", gaming_day=day), table=slug)


def wrongly_paid(dice: random.Random, body: Round) -> Round:
    """The round with a random amount returned for one wager, never the first, whatever was due."""
    place = dice.randrange(1, len(body.wagers))
    wrong = msgspec.structs.replace(body.wagers[place], returned=dice.choice((0, 50, 700)))
    return msgspec.structs.replace(body, wagers=(*body.wagers[:place], wrong, *body.wagers[place + 1 :]))


def export(
    house: House,
    folder: Path,
    settings: Settings,
    *,
    first: date = FIRST_DAY,
    last: date = LAST_DAY,
    show_progress: ProgressCallback = no_progress,
) -> ExportSummary:
    settings.LEDGER_KEY_FILE = folder.parent / "ledger.key"
    if not settings.LEDGER_KEY_FILE.exists():
        create_key_file(settings.LEDGER_KEY_FILE)
    return export_days(
        casino=house.casino, first_day=first, last_day=last, folder=folder, now=NOW, show_progress=show_progress
    )


def found_by_the_audit() -> set[tuple[object, ...]]:
    """Settlement findings: entry, wager, code, required, found."""
    names = ("subject_index", "wager", "code", "required_cents", "found_cents")
    checks = (settlement.CHECK_NAME, streaks.SETTLED)
    rows = Finding.objects.current().filter(check_name__in=checks).values_list(*names)
    cases = ReadingCase.objects.values_list("subject_index", "wager", "finding__code", "required_cents", "found_cents")
    return {*rows, *cases}
