"""Import of past rounds: recorded once with their origin; a file with an invalid line is refused as a whole."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from rounds.intake.protocol.examples import BODIES
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.verify.verify_log import verify_log
from tests.rounds.floor.crew import Crew, new_table

CSV = """table,round,gaming_day,at,dice,wager,seat,bet,stake,tender,verdict,returned
sb-1,R1,2026-10-01,2026-10-01T20:00:00+10:00,4-2-4,w1,3,small,500,value-chips,win,1000
sb-1,R1,2026-10-01,2026-10-01T20:00:00+10:00,4-2-4,w2,4,big,500,value-chips,lose,0
sb-1,R2,2026-10-01,2026-10-01T20:05:00+10:00,1-1-1,,,,,,,
"""


@pytest.fixture
def crew_with_table(crew: Crew) -> Crew:
    new_table(crew)
    return crew


def run(file: Path) -> str:
    out = StringIO()
    call_command("import_rounds", str(file), casino="harbour", by="S-31", stdout=out, stderr=out)
    return out.getvalue()


def rounds() -> list[dict[str, Any]]:
    return [entry.content() for entry in read_entries("harbour", 0, 10**6) if entry.kind == "round"]


def test_ndjson_is_recorded_once_with_its_origin(crew_with_table: Crew, tmp_path: Path) -> None:
    file = tmp_path / "october.ndjson"
    lines = [
        {"table": "sb-1", "at": "2026-10-01T20:00:00+10:00", "body": {**BODIES["round"], "round": f"R{n}"}}
        for n in (1, 2)
    ]
    file.write_text("\n".join(map(json.dumps, lines)) + "\n")
    assert run(file) == "2 rounds recorded, 0 were there before.\n"
    assert run(file) == "0 rounds recorded, 2 were there before.\n"
    assert [(one["body"]["round"], one["origin"]["how"], one["origin"]["line"]) for one in rounds()] == [
        ("R1", "import", 1),
        ("R2", "import", 2),
    ]
    assert (rounds()[0]["origin"]["file"], rounds()[0]["origin"]["by"]) == ("october.ndjson", "S-31")
    assert verify_log("harbour").issues == ()


def test_csv_has_a_row_for_each_wager(crew_with_table: Crew, tmp_path: Path) -> None:
    file = tmp_path / "october.csv"
    file.write_text(CSV)
    assert run(file).startswith("2 rounds recorded")
    first, second = rounds()
    assert [(one["id"], one["seat"], one["stake"], one["returned"]) for one in first["body"]["wagers"]] == [
        ("w1", 3, 500, 1000),
        ("w2", 4, 500, 0),
    ]
    assert (first["body"]["dice"], second["body"]["wagers"]) == ([4, 2, 4], [])


def test_a_super_streak_wager_that_runs_has_returned_nothing(crew_with_table: Crew, tmp_path: Path) -> None:
    file = tmp_path / "october.csv"
    row = "sb-1,R1,2026-10-01,2026-10-01T20:00:00+10:00,4-2-4,s1,3,streak:small,500,value-chips,{}\n"
    file.write_text(CSV + row.format("open,"))
    assert run(file).startswith("2 rounds recorded")
    streak = rounds()[0]["body"]["wagers"][2]
    assert (streak["id"], streak["verdict"], streak.get("returned")) == ("s1", "open", None)
    file.write_text(CSV + row.format("lose,"))
    with pytest.raises(CommandError, match="nothing was recorded"):
        run(file)


# One round of each rule set with what its tables report: pseudonyms, terminals, cards, interleaved rows of tables.
EVERY_RULE_SET = """\
table,round,gaming_day,at,dice,cards,no_result,wager,seat,player,terminal,registered,bet,stake,tender,paid_in,verdict,returned
nsw,N1,2026-10-01,2026-10-01T20:00:00+10:00,4-2-4,,,n1,3,p-01,,,small,500,promotional-token,value-chips,win,500
rws,R1,2026-10-01,2026-10-01T20:01:00+08:00,2-3-3,,,r1,,,t-01,yes,total:8,100,terminal-credits,,win,950
nsw,N1,2026-10-01,2026-10-01T20:00:00+10:00,4-2-4,,,n2,,p-02,,,big,700,value-chips,,lose,0
mbs,M1,2026-10-01,2026-10-01T20:02:00+08:00,,1-1-6,,m1,5,,,,double:1,2500,value-chips,,win,30000
skycity,S1,2026-10-01,2026-10-01T20:03:00+10:30,5-5-5,,,s1,2,,,,triple:any,500,value-chips,,win,15500
licensee,L1,2026-10-01,2026-10-01T20:04:00-04:00,,,broken,l1,7,,,,odd,500,value-chips,,void,500
"""


def test_a_round_of_each_rule_set_goes_through_a_csv_file(crew: Crew, tmp_path: Path) -> None:
    for slug in ("nsw", "rws", "mbs", "skycity", "licensee"):
        new_table(crew, slug)
    file = tmp_path / "october.csv"
    file.write_text(EVERY_RULE_SET)
    assert run(file) == "5 rounds recorded, 0 were there before.\n"
    said = {one["table"]: one["body"] for one in rounds()}
    results = {table: (body.get("dice"), body.get("cards"), body.get("no_result")) for table, body in said.items()}
    assert results == {
        "nsw": ([4, 2, 4], None, None),
        "rws": ([2, 3, 3], None, None),
        "mbs": (None, [1, 1, 6], None),
        "skycity": ([5, 5, 5], None, None),
        "licensee": (None, None, {"reason": "broken"}),
    }
    assert [body["events"][0]["name"] for body in said.values()] == [
        "uncovered",
        "uncovered",
        "drawn",
        "uncovered",
        "uncovered",
    ]
    placed = {"placed_at": "2026-10-01T20:00:00+10:00"}
    assert said["nsw"]["wagers"] == [
        {
            "id": "n1",
            "seat": 3,
            "player": "p-01",
            "bet": "small",
            "stake": 500,
            "tender": "promotional-token",
            "paid_in": "value-chips",
            "verdict": "win",
            "returned": 500,
            **placed,
        },
        {
            "id": "n2",
            "player": "p-02",
            "bet": "big",
            "stake": 700,
            "tender": "value-chips",
            "verdict": "lose",
            "returned": 0,
            **placed,
        },
    ]
    assert (said["rws"]["wagers"][0]["terminal"], said["rws"]["wagers"][0]["registered"]) == ("t-01", True)
    assert run(file) == "0 rounds recorded, 5 were there before.\n"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.ndjson", '{"table":"sb-1"}\n', "Line 1: /at: The member at is missing."),
        ("b.csv", CSV.replace("4-2-4", "4-2-7"), "Line 2: /body/dice/2: A result is three whole numbers"),
        ("c.csv", CSV.replace("sb-1,R2", "sb-9,R2"), "Line 4: /table: The casino has no table sb-9."),
        ("d.csv", "table,round\n", "are missing"),
        ("e.csv", CSV.replace("2026-10-01T20:05", "2126-10-01T20:05"), "Line 4: /at: The time lies more than a day"),
        ("f.csv", CSV.replace("dice", "cards"), "The columns dice are missing"),
        ("g.csv", CSV.replace(",500,value-chips,win,1000", ""), "Line 2: /body/wagers/0/stake: A stake is a whole"),
        ("h.csv", CSV.replace("4-2-4", "4" * 200_000), "Line 2: this is not CSV (field larger than field limit"),
        ("i.ndjson", "[" * 3_000 + "\n", "Line 1: /table: The member table is missing."),
    ],
)
def test_a_file_with_a_bad_line_is_refused_whole(
    crew_with_table: Crew, tmp_path: Path, name: str, content: str, words: str
) -> None:
    file = tmp_path / name
    file.write_text(content)
    out = StringIO()
    with pytest.raises(CommandError, match="nothing was recorded"):
        call_command("import_rounds", str(file), casino="harbour", by="S-31", stderr=out)
    assert words in out.getvalue()
    assert rounds() == []
