"""Demo equipment records: a table waiting for its return to play, dice near their time limit, inspections, chips."""

from datetime import datetime, timedelta

from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.services import acknowledge_alert
from compliance.tables.equipment.consumer import consume_equipment
from compliance.tables.equipment.models import ManualLine
from compliance.tables.equipment.services.floor_records import record_manual_line, return_to_play
from rounds.floor.models import Table
from rounds.intake import entry_kinds
from rounds.intake.protocol import chips, equipment
from rounds.intake.protocol.fields import Body, Staff

SUPERVISOR = Staff(position="casino-supervisor")
FLOORPERSON = Staff(position="games-supervisor")


def make_demo_equipment(now: datetime) -> None:
    """Idempotent: skips what is already recorded."""
    if ManualLine.objects.exists():
        return
    _make_harbour_faults(now)
    _make_boardwalk_dice(now)
    _make_marina_shoe(now)


def _record_line(
    casino: str, table: str, kind: str, body: Body, at: datetime, role: Role = Role.CASINO_SUPERVISOR
) -> None:
    found = Table.objects.select_related("casino").get(casino__slug=casino, slug=table)
    record_manual_line(table=found, kind=kind, body=body, at=at, actor=_demo_user(role), now=at)
    consume_equipment(lambda: at, [casino])


def _demo_user(role: Role) -> User:
    return User.objects.get(email=demo_email(role))


def _make_harbour_faults(now: datetime) -> None:
    """Two faults: one resolved, the other with its alert not yet acknowledged by the inspector."""
    day, hour, minute = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
    for table, name, at in (("sb-2", "P-1001", now - 2 * day), ("sb-3", "P-1002", now - 12 * minute)):
        fault = equipment.Fault(
            fault=name,
            equipment="electrical-device",
            effect="not-lit",
            play_ceased_at=at,
            by=SUPERVISOR,
            note="The winning areas stayed dark.",
        )
        mended = equipment.FaultCleared(fault=name, note="Lamp driver replaced; three results tried.", by=SUPERVISOR)
        _record_line("harbour", table, entry_kinds.FAULT, fault, at)
        _record_line("harbour", table, entry_kinds.FAULT_CLEARED, mended, at + 4 * minute)
    first = Alert.objects.filter(casino__slug="harbour", table="sb-2").earliest("raised_at")
    acknowledge_alert(alert=first, actor=_demo_user(Role.INSPECTOR), now=now - 2 * day + minute)
    back = Table.objects.select_related("casino").get(casino__slug="harbour", slug="sb-2")
    signer = _demo_user(Role.GAMES_SUPERVISOR)
    return_to_play(table=back, note="Three results entered, all lit.", actor=signer, now=now - 2 * day + 9 * minute)
    issued = chips.ChipsIssued(set="T1", colour="blue", value=1_000, chips=40, seat=4)
    redeemed = chips.ChipsRedeemed(
        set="T1", colour="blue", value=1_000, chips=31, paid=31_000, issued_at="sb-1", seat=4
    )
    _record_line("harbour", "sb-1", entry_kinds.CHIPS_ISSUED, issued, now - 5 * hour)
    _record_line("harbour", "sb-1", entry_kinds.CHIPS_REDEEMED, redeemed, now - 4 * hour)
    consume_equipment(lambda: now, ["harbour"])


def _make_boardwalk_dice(now: datetime) -> None:
    """Dice near their time limit, and inspections of the equipment."""
    for number, table in enumerate(_tables_of("boardwalk")):
        placed_at = now - timedelta(hours=20 if number == 0 else 3)
        dice = equipment.DicePlaced(dice=f"set-demo-{number + 1}", sealed=True, by=FLOORPERSON)
        trial = equipment.Inspection(
            item="electrical-device",
            occasion="before-opening",
            trials=1,
            passed=True,
            by=FLOORPERSON,
            entered=((1, 2, 3),),
        )
        _record_line("boardwalk", table, entry_kinds.DICE_PLACED, dice, placed_at, Role.GAMES_SUPERVISOR)
        _record_line("boardwalk", table, entry_kinds.INSPECTION, trial, now - timedelta(hours=2), Role.GAMES_SUPERVISOR)


def _make_marina_shoe(now: datetime) -> None:
    """A shoe whose cards were counted and are complete."""
    for table in _tables_of("marina")[:1]:
        by_face = tuple(equipment.FaceCount(face=face, cards=32) for face in range(1, 7))
        count = equipment.DeckCount(shoe="shoe-demo", decks=4, cards=192, by_face=by_face, by=FLOORPERSON)
        _record_line("marina", table, entry_kinds.DECK_COUNT, count, now - timedelta(days=1), Role.GAMES_SUPERVISOR)


def _tables_of(casino: str) -> list[str]:
    place = Casino.objects.get(slug=casino)
    return list(Table.objects.filter(casino=place).order_by("slug").values_list("slug", flat=True)[:3])
