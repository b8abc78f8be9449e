"""Forms of a table: input becomes the line that a controller would have sent; invalid input is kept."""

import json

import pytest

from compliance.tables.equipment.models import ManualLine
from compliance.tables.equipment.projections import CardsCounted, ChipsMoved, InspectionMade
from rounds.floor.fact_values import LimitsValue
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.core.web.confirming import post_anyway, post_confirmed
from tests.compliance.tables.equipment.builders import LICENSEE, MBS, NSW, SKYCITY, Floor
from tests.rounds.floor.crew import record_table_fact

TABLE = "/casinos/harbour/equipment/tables/sb-1/"
AT = {"at": "2026-07-12T20:00"}
FACES = {f"face_{face}": "32" for face in range(1, 7)}
STAFF = {"by": {"position": "casino-supervisor"}}


@pytest.mark.parametrize(
    ("rules", "kind", "typed", "body"),
    [
        (
            MBS,
            "deck-count",
            {"shoe": "shoe-7", "decks": "4", "foreign": "1", **FACES},
            {
                "shoe": "shoe-7",
                "decks": 4,
                "cards": 193,
                "foreign": 1,
                **STAFF,
                "by_face": [{"face": face, "cards": 32} for face in range(1, 7)],
            },
        ),
        (MBS, "foreign-card", {"shoe": "shoe-7", "round": "R-9"}, {"shoe": "shoe-7", "round": "R-9", **STAFF}),
        (
            NSW,
            "chips-issued",
            {"set": "T3", "colour": "blue", "value": "5.00", "chips": "40", "seat": "4", "marker": "5.00"},
            {"set": "T3", "colour": "blue", "value": 500, "chips": 40, "seat": 4, "marker": 500},
        ),
        (
            SKYCITY,
            "chips-issued",
            {
                "set": "T3",
                "colour": "red",
                "value": "",
                "chips": "40",
                "seat": "4",
                "approved_by": "inspector",
                "approved_number": "A-7",
            },
            {
                "set": "T3",
                "colour": "red",
                "value": 500,
                "chips": 40,
                "seat": 4,
                "declared": False,
                "approved_by": {"position": "inspector", "number": "A-7"},
            },
        ),
        (
            NSW,
            "chips-redeemed",
            {
                "set": "T3",
                "colour": "blue",
                "value": "5",
                "chips": "31",
                "paid": "155",
                "seat": "4",
                "issued_at": "sb-1",
            },
            {"set": "T3", "colour": "blue", "value": 500, "chips": 31, "paid": 15_500, "issued_at": "sb-1", "seat": 4},
        ),
        (
            LICENSEE,
            "inspection",
            {
                "item": "electrical-device",
                "occasion": "before-opening",
                "trials": "2",
                "entered": "1 2 3, 4-4-4",
                "passed": "yes",
            },
            {
                "item": "electrical-device",
                "occasion": "before-opening",
                "trials": 2,
                "passed": True,
                "entered": [[1, 2, 3], [4, 4, 4]],
                **STAFF,
            },
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_form_says_what_a_controller_would(
    rules: str, kind: str, typed: dict[str, str], body: dict[str, object], floor: Floor
) -> None:
    record_table_fact(floor.crew, floor.table(rules), LimitsValue(min=500, max=50_000))
    sid = browser_of(floor.crew.sid)
    assert sid.get(f"{TABLE}record/{kind}/").status_code == 200
    answer = post_anyway(sid, f"{TABLE}record/{kind}/", {**typed, **AT}).content.decode()
    assert "Recorded as entry" in answer
    assert json.loads(json.dumps(ManualLine.objects.get().body)) == body
    made = InspectionMade.objects.count() + CardsCounted.objects.count() + ChipsMoved.objects.count()
    assert made == 1
    register = {"inspection": "inspections", "deck-count": "cards", "foreign-card": "cards"}.get(kind, "chips")
    assert "Sid" in sid.get(f"/casinos/harbour/equipment/{register}/?table=sb-1").content.decode()


@pytest.mark.parametrize(
    ("kind", "typed", "complaint"),
    [
        ("dice-placed", {"dice": "set 0912", **AT}, "such as set-0912"),
        ("dice-placed", {"dice": "set-1", "at": "2999-01-01T00:00"}, "That time has not come yet"),
        ("dice-placed", {"dice": "set-1", "at": "2026-10-04T02:30"}, "Clocks go forward over this time"),
        ("dice-removed", {"dice": "set-1", "reason": "time", **AT}, "Select a valid choice"),
        ("inspection", {"item": "sign", "entered": "7 8 9", **AT}, "three values from 1 to 6"),
        ("chips-issued", {"set": "T", "colour": "b", "value": "1", "chips": "1", **AT}, "Say whose they are"),
        ("chips-issued", {"player": "Pat Example", **AT}, "Never a name"),
        ("chips-issued", {"set": "T", "approved_number": "A-7", **AT}, "Choose the position of whoever allowed it."),
        ("fault", {}, "Choose one."),
    ],
)
def test_what_is_malformed_is_said_and_nothing_recorded(
    kind: str, typed: dict[str, str], complaint: str, floor: Floor
) -> None:
    floor.table(NSW)
    text = browser_of(floor.crew.sid).post(f"{TABLE}record/{kind}/", typed).content.decode()
    assert complaint in text
    assert all(value in text for name, value in typed.items() if name in ("dice", "set", "player", "entered"))
    assert ManualLine.objects.count() == 0


def test_inspectors_report_faults_and_nothing_else(floor: Floor) -> None:
    floor.table(NSW)
    ines = browser_of(floor.crew.cast.ines)
    assert ines.get(f"{TABLE}record/fault/").status_code == 200
    assert ines.get(f"{TABLE}record/dice-placed/").status_code == 404
    assert "Report a fault" in ines.get(TABLE).content.decode()
    assert "Put dice to use" not in ines.get(TABLE).content.decode()


def test_without_a_minimum_on_record_the_value_of_chips_is_asked_for(floor: Floor) -> None:
    floor.table(SKYCITY)
    typed = {"set": "T3", "colour": "red", "chips": "40", "seat": "4", **AT}
    text = browser_of(floor.crew.sid).post(f"{TABLE}record/chips-issued/", typed).content.decode()
    assert "The table&#x27;s minimum is not on record. Enter the value." in text
    assert ManualLine.objects.count() == 0


@pytest.mark.parametrize(
    ("tokens", "is_met", "found"),
    [
        ("50.00", "yes", []),
        ("49.99", "yes", ["VOUCHER-VALUE"]),
        ("50.01", "yes", ["VOUCHER-VALUE"]),
        ("50.00", "no", ["VOUCHER-VALUE"]),
    ],
)
def test_a_voucher_that_a_person_exchanges_is_audited_like_a_reported_one(
    floor: Floor, tokens: str, is_met: str, found: list[str]
) -> None:
    floor.table(NSW)
    sid = browser_of(floor.crew.sid)
    page = f"{TABLE}record/voucher-exchanged/"
    assert page in sid.get(TABLE).content.decode()
    assert "tokens of the same value" in sid.get(page).content.decode()
    typed = {"voucher": "V-17", "value": "50", "tokens": tokens, "conditions_met": is_met, "seat": "4", **AT}
    assert "Say whose they are" in sid.post(page, {**typed, "seat": ""}).content.decode()
    assert "Recorded as entry" in post_confirmed(sid, page, typed, *found).content.decode()
    assert ManualLine.objects.get().body == {
        "voucher": "V-17",
        "value": 5_000,
        "tokens": round(float(tokens) * 100),
        "seat": 4,
        "conditions_met": is_met == "yes",
        **STAFF,
    }
    floor.house.audit()
    assert floor.house.codes() == found


@pytest.mark.parametrize("rules", [MBS, LICENSEE])
def test_rules_without_vouchers_offer_no_exchange(floor: Floor, rules: str) -> None:
    floor.table(rules)
    assert "voucher" not in browser_of(floor.crew.sid).get(TABLE).content.decode()
