"""Export of gaming days as a folder: layout, atomic write, reproducible bytes."""

import json
from datetime import date, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from compliance.analysis.parquet import export_days, partitions
from compliance.analysis.parquet.compare_verdicts import audit_folder
from compliance.analysis.parquet.export_days import ExportError
from compliance.audit.run.consumer import reaudit_blocks
from compliance.audit.run.worker import consume_new_entries
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.table import Correction
from rounds.ledger.maintenance.halt import halt_restored_log
from rounds.ledger.signing.checkpoints import create_key_file, known_keys_for
from tests.compliance.analysis.parquet.random_play import FIRST_DAY, LAST_DAY, export
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import START, wager

NEXT_DAY = FIRST_DAY + timedelta(days=1)


def rows(folder: Path, table: str = "wagers") -> list[dict[str, Any]]:
    return [
        row for part in sorted((folder / table).rglob("*.parquet")) for row in pq.ParquetFile(part).read().to_pylist()
    ]


def parts(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in (folder / "wagers").rglob("*.parquet"))


def test_a_row_has_all_there_is_to_a_wager(house: House, settings: Settings, tmp_path: Path) -> None:
    house.add_terminal(house.open_table(), "t-9", "C")
    entry = house.play((4, 2, 4), wager("small", 2_500, 5_100, id="w1", seat=3, terminal="t-9"))
    house.audit()
    export(house, tmp_path / "files", settings)
    assert parts(tmp_path / "files") == ["wagers/casino=harbour/gaming_day=2026-11-16/part-00000.parquet"]
    [row] = rows(tmp_path / "files")
    version = house.casino.rule_versions.get()
    digest, terms = row.pop("readings_sha256"), row.pop("terms")
    said = json.loads((tmp_path / "files" / "rules" / "terms.json").read_text())
    assert said[terms]["readings_sha256"] == digest
    assert said[terms]["readings"] == version.readings
    assert (tmp_path / "files" / "rules" / f"{version.pack_id}.toml").read_bytes() == bytes(version.pack.content)
    placed = START + timedelta(seconds=20)
    assert row == {
        "entry_index": entry,
        "round": "r-1",
        "table": "sb-1",
        "commenced_at": row["commenced_at"],
        "result_by": "dice",
        "outcome": 424,
        "wager": "w1",
        "player": "p-01",
        "seat": 3,
        "terminal": "t-9",
        "placed_at": placed,
        "bet": "small",
        "tender": "value-chips",
        "stake_cents": 2_500,
        "verdict": "win",
        "returned_cents": 5_100,
        "later_cents": 0,
        "rules": "nsw-sic-bo",
        "version": 1,
        "pack_sha256": version.pack_id,
        "pay_table": said[terms]["pay_table"],
        "minimum_cents": None,
        "maximum_cents": None,
        "odds_numerator": 1,
        "odds_denominator": 1,
        "settled_by": "odds",
        "due_cents": 5_000,
        "audit": "wrong",
        "code": "SETTLE-OVERPAID",
        "findings": ["SETTLE-OVERPAID"],
    }
    assert START <= row["commenced_at"] < placed
    [found] = rows(tmp_path / "files", "findings")
    assert (found["wager"], found["code"], found["required_cents"]) == ("w1", "SETTLE-OVERPAID", 5_000)


def test_the_same_days_give_the_same_bytes_and_only_those_days(
    house: House, settings: Settings, tmp_path: Path
) -> None:
    house.open_table()
    for number in range(6):
        house.play((4, 2, 4), wager("small", 2_500, 5_000), gaming_day=FIRST_DAY + timedelta(days=number % 3))
    house.audit()
    for name in ("one", "two"):
        export(house, tmp_path / name, settings, last=NEXT_DAY)
    one, two = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
        for name in ("one", "two")
    )
    assert one == two
    assert {Path(part).parent.name for part in parts(tmp_path / "one")} == {
        "gaming_day=2026-11-16",
        "gaming_day=2026-11-17",
    }
    assert len(rows(tmp_path / "one")) == 4


def test_days_that_come_in_turns_are_written_in_parts_and_groups(
    house: House, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one open day, two rows per group and one round in memory, the content is the same."""
    monkeypatch.setattr(partitions, "MAX_OPEN_FILES", 1)
    monkeypatch.setattr(partitions, "ROWS_PER_GROUP", 2)
    monkeypatch.setattr(export_days, "MAX_WAGERS_IN_MEMORY", 4)
    house.open_table()
    for number in range(7):
        wagers = [wager("small", 2_500, 5_000, id=f"w{place}", player=f"p-{place}") for place in range(3)]
        house.play((4, 2, 4), *wagers, gaming_day=(FIRST_DAY, NEXT_DAY)[number // 2 % 2])
    consume_new_entries("harbour")
    seen: list[tuple[int, int]] = []
    done = export(house, tmp_path / "files", settings, show_progress=lambda *far: seen.append(far))
    assert seen == [(number, 7) for number in range(1, 8)]
    assert [Path(part).name for part in parts(tmp_path / "files")] == [f"part-0000{n}.parquet" for n in (0, 1, 0, 1)]
    groups = [pq.read_metadata(part).num_row_groups for part in sorted((tmp_path / "files/wagers").rglob("*.parquet"))]
    assert groups == [3, 3, 3, 2]
    audited = audit_folder(tmp_path / "files")
    assert (done.wagers, audited.recomputed.wagers, audited.recomputed.waiting) == (21, 21, 21)
    assert audited.differences == []


def test_what_the_audit_has_not_come_to_is_said_to_wait(house: House, settings: Settings, tmp_path: Path) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100))
    consume_new_entries("harbour")
    house.play((4, 2, 4), wager("small", 2_500, 5_100))
    done = export(house, tmp_path / "files", settings)
    assert (done.rounds, done.unread) == (1, 1)
    [row] = rows(tmp_path / "files")
    assert (row["audit"], row["code"], row["due_cents"]) == ("waiting", None, 5_000)
    [found] = audit_folder(tmp_path / "files").differences
    assert (found.required_cents, found.found_cents, found.contradiction) == (5_000, 5_100, "")


def test_what_is_about_to_be_judged_again_waits_too(house: House, settings: Settings, tmp_path: Path) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100))
    house.audit()
    reaudit_blocks("harbour", [0], "A late fact.")
    export(house, tmp_path / "files", settings)
    [row] = rows(tmp_path / "files")
    assert (row["audit"], row["code"], row["findings"]) == ("waiting", None, [])
    assert rows(tmp_path / "files", "findings") == []
    assert [each.contradiction for each in audit_folder(tmp_path / "files").differences] == [""]


def test_a_round_taken_back_is_left_out_and_counted(house: House, settings: Settings, tmp_path: Path) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100))
    house.play((4, 2, 4), wager("small", 2_500, 5_000, id="stays"))
    house.report("correction", Correction(corrects=1, reason="Entered twice.", by=Staff(position="dealer")))
    house.audit()
    export(house, tmp_path / "files", settings)
    assert [row["wager"] for row in rows(tmp_path / "files")] == ["stays"]
    assert json.loads((tmp_path / "files/manifest.json").read_text())["rounds_taken_back"] == 1


def test_it_is_whole_or_not_there(
    house: House, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_000))
    house.audit()
    with monkeypatch.context() as broken:
        broken.setattr(export_days._DayExport, "_write_rules", lambda self: (_ for _ in ()).throw(OSError("disk full")))
        with pytest.raises(OSError, match="disk full"):
            export(house, tmp_path / "files", settings)
    assert not [path for path in tmp_path.iterdir() if "files" in path.name]
    left = tmp_path / ".files.unfinished" / "wagers"
    left.mkdir(parents=True)
    (left / "half.parquet").write_text("half")
    export(house, tmp_path / "files", settings)
    assert [path.name for path in tmp_path.iterdir() if "files" in path.name] == ["files"]
    assert audit_folder(tmp_path / "files").recomputed.wagers == 1
    with pytest.raises(ExportError, match="is not empty: an export is written into a new folder"):
        export(house, tmp_path / "files", settings)
    with pytest.raises(ExportError, match="knows no rounds of these gaming days"):
        export(house, tmp_path / "other", settings, first=date(2020, 1, 1), last=date(2020, 1, 2))


def test_by_command(house: House, settings: Settings, tmp_path: Path) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100, id="w1"))
    house.audit()
    export(house, tmp_path / "first", settings)
    days = ("--from", str(FIRST_DAY), "--to", str(LAST_DAY))
    out = StringIO()
    call_command("export_parquet", str(tmp_path / "files"), "--casino", "harbour", *days, stdout=out)
    call_command("audit", "--parquet", str(tmp_path / "files"), stdout=out)
    wrote, differs, summary = out.getvalue().splitlines()
    assert wrote.startswith("Wrote 1 wagers of 1 rounds on 1 gaming days, held to a checkpoint of ")
    assert "wager w1 on small: $50.00 is due, $51.00 came back (SETTLE-OVERPAID)." in differs
    assert "1 wagers. 1 were recomputed, 1 of them differ. 0 are decided by more than their odds" in summary
    halt_restored_log(log="harbour", note=None, keys=known_keys_for("harbour"), now=START)
    call_command("export_parquet", str(tmp_path / "read-only"), "--casino", "harbour", *days, stdout=out)
    assert (
        out.getvalue().splitlines()[-1].startswith("Wrote 1 wagers of 1 rounds on 1 gaming days, held to a checkpoint")
    )
    for arguments, words in (
        (("--casino", "atlantis", *days), "expected one of harbour, marina"),
        (("--casino", "harbour", "--from", "today", "--to", "2026-11-16"), "'today' is no gaming day"),
        (("--casino", "harbour", "--from", "2026-11-17", "--to", "2026-11-16"), "--to must not be before --from"),
        (("--casino", "harbour", *days), "is not empty"),
    ):
        with pytest.raises(CommandError, match=words):
            call_command("export_parquet", str(tmp_path / "files"), *arguments)


def test_by_command_into_the_folder_where_one_is(
    house: House, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_000))
    house.audit()
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    days = ("--from", str(FIRST_DAY), "--to", str(LAST_DAY))
    call_command("export_parquet", ".", "--casino", "harbour", *days, stdout=StringIO())
    assert audit_folder(tmp_path / "here").recomputed.wagers == 1
