"""Demo floors: tables with complete facts for each rule set, and one controller with a key for each table.

Demo mode only. A controller's private key is generated at the first start and stored in a file in the data folder.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from django.conf import settings
from django.db import transaction

from compliance.core.accounts.demo import NotADemoError, demo_email
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.core.web.files.atomic_write import write_atomically
from rounds.floor.fact_values import (
    CurrencyValue,
    DecksValue,
    DiceInUseValue,
    EquipmentValue,
    FactValue,
    GamingDayValue,
    Holiday,
    HolidaysValue,
    LimitsValue,
    PayTableValue,
    PostedOddsValue,
    ShakerInUseValue,
    Shift,
    ShiftsValue,
    SmallestChipValue,
    StreakAmountValue,
    TableRulesValue,
    TerminalLayoutValue,
    WagersOfferedValue,
)
from rounds.floor.models import Controller, Table
from rounds.floor.services import (
    add_table,
    add_terminal,
    approve_key,
    assign_table,
    propose_key,
    record_fact,
    register_controller,
)
from rounds.ledger import read_only_log_slugs
from rounds.rulebook.selectors import version_in_force

logger = structlog.get_logger(__name__)

# The demo floors open this long before the load date, so that there is a history to look at.
OPEN_FOR = timedelta(days=60)
SHIFTS = ShiftsValue(
    shifts=(
        Shift(name="Day", starts="06:00"),
        Shift(name="Swing", starts="14:00"),
        Shift(name="Night", starts="22:00"),
    )
)


@dataclass(frozen=True)
class DemoTable:
    slug: str
    name: str
    facts: Sequence[FactValue]
    # Layout by terminal, at electronic tables.
    terminals: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DemoFloor:
    casino: str
    rules: str
    currency: str
    holidays: Sequence[tuple[int, int, str]]
    tables: Sequence[DemoTable]


def _equipment(layout: str, screen: str = "none", *, touch: bool = False, shaker: str = "none") -> EquipmentValue:
    return EquipmentValue(layout=layout, screen=screen, touch_screen=touch, shaker=shaker)  # type: ignore[arg-type]


def _limits(minimum: int, maximum: int, *, multiples: bool = False, unit: int | None = None) -> LimitsValue:
    """Limits from amounts in dollars."""
    return LimitsValue(min=minimum * 100, max=maximum * 100, multiples=multiples, unit=unit and unit * 100)


def _dice(number: int) -> DiceInUseValue:
    return DiceInUseValue(dice=f"set-{number:04}")


NEW_YEAR, CHRISTMAS = (1, 1, "New Year’s Day"), (12, 25, "Christmas Day")
POSTED = PostedOddsValue(
    odds={"total:4": "60 to 1", "total:17": "60 to 1", "triple:any": "30 to 1"}
    | {f"single:{face}": ("1 to 1", "2 to 1", "3 to 1") for face in range(1, 7)},
)

FLOORS = (
    DemoFloor(
        "harbour",
        "nsw-sic-bo",
        "AUD",
        (NEW_YEAR, (1, 26, "Australia Day"), CHRISTMAS, (12, 26, "Boxing Day")),
        (
            DemoTable(
                "sb-1",
                "Sic Bo 1",
                (
                    _equipment("C", "lcd", touch=True),
                    WagersOfferedValue(wagers=("odd", "even", "four", "streak")),
                    _limits(10, 1_000),
                    SmallestChipValue(cents=250),
                    StreakAmountValue(cents=500),
                    _dice(101),
                ),
            ),
            DemoTable(
                "sb-2",
                "Sic Bo 2",
                (
                    _equipment("A"),
                    WagersOfferedValue(wagers=("odd", "even")),
                    _limits(25, 2_500, unit=25),
                    SmallestChipValue(cents=250),
                    _dice(102),
                ),
            ),
            DemoTable(
                "sb-3",
                "Sic Bo 3, high limits",
                (
                    _equipment("D", "plasma", touch=True),
                    WagersOfferedValue(wagers=("four", "streak")),
                    _limits(100, 10_000, multiples=True),
                    SmallestChipValue(cents=500),
                    StreakAmountValue(cents=10_000),
                    _dice(103),
                ),
            ),
        ),
    ),
    DemoFloor(
        "sentosa",
        "rws-sic-bo-etg",
        "SGD",
        (NEW_YEAR, (8, 9, "National Day"), CHRISTMAS),
        (
            DemoTable(
                "etg-1",
                "Sic Bo terminals, east",
                (
                    PayTableValue(pay_table="1"),
                    _equipment("A"),
                    _limits(5, 500),
                    SmallestChipValue(cents=5),
                    _dice(201),
                ),
                {"t-01": "Appendix A", "t-02": "Appendix A", "t-03": "Appendix B"},
            ),
            DemoTable(
                "etg-2",
                "Sic Bo terminals, west",
                (
                    PayTableValue(pay_table="3"),
                    _equipment("C"),
                    _limits(10, 1_000),
                    SmallestChipValue(cents=5),
                    _dice(202),
                ),
                {"t-11": "Appendix C", "t-12": "Appendix C"},
            ),
        ),
    ),
    DemoFloor(
        "marina",
        "mbs-3-card-sic-bo",
        "SGD",
        (NEW_YEAR, (8, 9, "National Day"), CHRISTMAS),
        (
            DemoTable(
                "cards-1",
                "Three Card 1",
                (_equipment("A"), DecksValue(decks=4), _limits(25, 5_000), SmallestChipValue(cents=250)),
            ),
            DemoTable(
                "cards-2",
                "Three Card 2",
                (_equipment("B"), DecksValue(decks=6), _limits(50, 10_000), SmallestChipValue(cents=500)),
            ),
        ),
    ),
    DemoFloor(
        "adelaide",
        "skycity-big-and-small",
        "AUD",
        (NEW_YEAR, (1, 26, "Australia Day"), CHRISTMAS),
        (
            DemoTable(
                "bs-1",
                "Big and Small 1",
                (_equipment("A"), _limits(5, 500), SmallestChipValue(cents=100), _dice(401)),
            ),
            DemoTable(
                "bs-2",
                "Big and Small 2",
                (_equipment("A"), _limits(20, 2_000, multiples=True), SmallestChipValue(cents=250), _dice(402)),
            ),
        ),
    ),
    DemoFloor(
        "boardwalk",
        "licensee-sic-bo",
        "USD",
        (NEW_YEAR, (7, 4, "Independence Day"), CHRISTMAS),
        (
            DemoTable(
                "sic-1",
                "Sic Bo A",
                (
                    _equipment("A", shaker="automated"),
                    POSTED,
                    _limits(5, 500),
                    SmallestChipValue(cents=100),
                    _dice(501),
                    ShakerInUseValue(shaker="shaker-1", type="automated"),
                ),
            ),
            DemoTable(
                "sic-2",
                "Sic Bo B",
                (
                    _equipment("A", shaker="manual"),
                    PostedOddsValue(odds={}),
                    _limits(10, 1_000),
                    SmallestChipValue(cents=100),
                    _dice(502),
                    ShakerInUseValue(shaker="cup-2", type="manual"),
                ),
            ),
        ),
    ),
)


def key_file(casino: str, controller: str) -> Path:
    """Path of a demo controller's private key: PEM, mode 0600."""
    return Path(settings.DATA_DIR) / "demo-controllers" / f"{casino}.{controller}.pem"


def make_demo_floors(now: datetime) -> None:
    """Idempotent: a casino that already has tables is skipped, except that a lost controller key is replaced. Skips a
    casino whose log is read-only (as after a restore into a new folder; the next start retries), and one without
    approved rules, because no game could be played there."""
    if not settings.DEMO:
        raise NotADemoError
    people = {role: User.objects.get(email=demo_email(role)) for role in Role}
    for floor in FLOORS:
        casino = Casino.objects.get(slug=floor.casino)
        version = version_in_force(casino, floor.rules, now)
        if version is None:
            logger.warning("demo_floor_without_rules", casino=casino.slug, rules=floor.rules)
            continue
        assert version.effective_at is not None
        if not Table.objects.filter(casino=casino).exists():
            _make_floor(floor, casino, people, max(now - OPEN_FOR, version.effective_at))
        for controller in Controller.objects.filter(casino=casino).select_related("casino"):
            if not key_file(casino.slug, controller.slug).exists() and casino.slug not in read_only_log_slugs():
                _make_key(controller, people, now)


@transaction.atomic
def _make_floor(floor: DemoFloor, casino: Casino, people: Mapping[Role, User], opened_at: datetime) -> None:
    supervisor, officer = people[Role.CASINO_SUPERVISOR], people[Role.COMPLIANCE_OFFICER]
    years = (opened_at.year, opened_at.year + 1)
    holidays = tuple(
        Holiday(on=date(year, month, day), name=name) for year in years for month, day, name in floor.holidays
    )
    of_the_casino: tuple[FactValue, ...] = (
        CurrencyValue(code=floor.currency),
        GamingDayValue(cut_over="06:00"),
        SHIFTS,
        HolidaysValue(days=holidays),
    )
    for value in of_the_casino:
        record_fact(casino=casino, value=value, effective_at=opened_at, actor=officer, now=opened_at)
    for demo_table in floor.tables:
        table = add_table(casino=casino, slug=demo_table.slug, name=demo_table.name, actor=supervisor, now=opened_at)
        for value in (TableRulesValue(rules=floor.rules), *demo_table.facts):
            record_fact(
                casino=casino, table=table, value=value, effective_at=opened_at, actor=supervisor, now=opened_at
            )
        for slug, layout in demo_table.terminals.items():
            terminal = add_terminal(table=table, slug=slug, actor=supervisor, now=opened_at)
            record_fact(
                casino=casino,
                table=table,
                terminal=terminal,
                value=TerminalLayoutValue(layout=layout),
                effective_at=opened_at,
                actor=supervisor,
                now=opened_at,
            )
        controller = register_controller(
            casino=casino, slug=f"box-{table.slug}", name=f"Box at {table.name}", actor=officer, now=opened_at
        )
        assign_table(controller=controller, table=table, actor=officer, now=opened_at)


@transaction.atomic
def _make_key(controller: Controller, people: Mapping[Role, User], now: datetime) -> None:
    """Writes the file before registering the key: an approved key without its private half would be useless, while a
    file without an approved key does no harm."""
    secret = Ed25519PrivateKey.generate()
    path = key_file(controller.casino.slug, controller.slug)
    write_atomically(path, secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public_key = secret.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    key = propose_key(controller=controller, public_key=public_key, actor=people[Role.COMPLIANCE_OFFICER], now=now)
    approve_key(key=key, actor=people[Role.ADMINISTRATOR], now=now)
