"""Files that are missing, damaged, of another format or edited: each is reported as such."""

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command

from compliance.analysis.parquet.compare_verdicts import audit_folder
from compliance.analysis.parquet.partitions import open_writer
from compliance.analysis.parquet.read_folder import FolderError

DAY = "casino=harbour/gaming_day=2026-11-17"
PART = f"wagers/{DAY}/part-00000.parquet"


def manifest(files: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((files / "manifest.json").read_text())
    return read


def write_manifest(files: Path, said: dict[str, Any]) -> None:
    (files / "manifest.json").write_text(json.dumps(said))


def rewrite(files: Path, name: str, change: Callable[[Any], Any]) -> None:
    """Edits a file and updates its digest in the manifest, as a deliberate forger would."""
    rows = change(pq.ParquetFile(files / name).read())
    with open_writer(files / name, rows.schema) as writer:
        writer.write_table(rows)
    own_up(files, name, rows=rows.num_rows)


def own_up(files: Path, name: str, **more: int) -> None:
    content = (files / name).read_bytes()
    said = manifest(files)
    said["files"][name] |= {"sha256": sha256(content).hexdigest(), "bytes": len(content), **more}
    write_manifest(files, said)


def with_value(column: str, place: int, value: object) -> Callable[[Any], Any]:
    def change(rows: Any) -> Any:
        values = rows[column].to_pylist()
        values[place] = value
        number = rows.schema.get_field_index(column)
        return rows.set_column(number, rows.schema.field(number), pa.array(values, rows.schema.field(number).type))

    return change


def place_of(files: Path, **wanted: object) -> int:
    """Index of the first wager with these values."""
    rows = pq.ParquetFile(files / PART).read().to_pylist()
    return next(n for n, row in enumerate(rows) if all(row[name] == value for name, value in wanted.items()))


def test_a_file_that_is_not_there(files: Path) -> None:
    shutil.rmtree(files / f"wagers/{DAY}")
    with pytest.raises(FolderError, match=f"^{PART} is missing.$"):
        audit_folder(files)


def test_a_gaming_day_that_is_not_even_named_any_more(files: Path) -> None:
    shutil.rmtree(files / f"wagers/{DAY}")
    said = manifest(files)
    del said["files"][PART]
    write_manifest(files, said)
    with pytest.raises(FolderError, match=r"^Gaming day 2026-11-17 has 0 wagers; there should be \d+\.$"):
        audit_folder(files)


def test_a_file_that_nobody_named(files: Path) -> None:
    shutil.copy(files / PART, (files / PART).with_name("part-00001.parquet"))
    with pytest.raises(FolderError, match=r"part-00001\.parquet is not named in manifest.json"):
        audit_folder(files)


def test_bytes_that_are_others(files: Path) -> None:
    """Damaged by accident; and changed by a forger who updates the digest."""
    group = pq.read_metadata(files / PART).row_group(0)
    [stakes] = [group.column(n) for n in range(group.num_columns) if group.column(n).path_in_schema == "stake_cents"]
    content = bytearray((files / PART).read_bytes())
    begins = stakes.data_page_offset
    content[begins : begins + 64] = bytes(64)
    (files / PART).write_bytes(content)
    with pytest.raises(FolderError, match=f"^{PART} is damaged or was changed: its SHA-256 is another.$"):
        audit_folder(files)
    own_up(files, PART)
    with pytest.raises(FolderError, match=r"^part-00000.parquet of gaming_day=2026-11-17 cannot be read: "):
        audit_folder(files)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"format": "fairthrow-parquet/9"}', "the format 'fairthrow-parquet/9'; this version reads"),
        (b'{"format": "fairthrow-parquet/1"}', "manifest.json is damaged: Object missing required field"),
        (b"{", "manifest.json is damaged"),
    ],
)
def test_a_manifest_that_cannot_be_read(files: Path, content: bytes, words: str) -> None:
    (files / "manifest.json").write_bytes(content)
    with pytest.raises(FolderError, match=words):
        audit_folder(files)


def test_a_folder_that_is_something_else(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"has no manifest\.json: it is no folder that export_parquet wrote"):
        call_command("audit", "--parquet", str(tmp_path))
    with pytest.raises(CommandError, match="leave the other options out"):
        call_command("audit", "--parquet", str(tmp_path), "--casino", "harbour")


def test_a_checkpoint_that_was_not_signed_so(files: Path) -> None:
    said = manifest(files)
    said["checkpoint"]["size"] += 1
    write_manifest(files, said)
    with pytest.raises(FolderError, match="The checkpoint signed is of"):
        audit_folder(files)


def test_payouts_that_the_rule_packs_do_not_give(files: Path) -> None:
    """Raised for one box at one result, with all digests updated."""
    rewrite(files, "payouts.parquet", with_value("gives", 0, 999))
    with pytest.raises(FolderError, match=r"payouts.parquet does not say what the rule packs beside it give"):
        audit_folder(files)


def test_terms_that_are_not_those_of_their_name(files: Path) -> None:
    terms = files / "rules" / "terms.json"
    said = json.loads(terms.read_text())
    next(iter(said.values()))["offered"].pop()
    terms.write_text(json.dumps(said))
    own_up(files, "rules/terms.json")
    with pytest.raises(FolderError, match=r"payouts.parquet does not say"):
        audit_folder(files)


EDITED: dict[str, tuple[dict[str, object], str, object, str]] = {
    "money hidden": ({"settled_by": "odds", "audit": "wrong"}, "returned_cents", None, "called wrong, although it is"),
    "money taken": ({"settled_by": "odds", "audit": "right"}, "returned_cents", 77, "the audit has no finding about"),
    "another amount due": ({"settled_by": "odds", "audit": "right"}, "due_cents", 5, "another amount as due"),
    "called right": ({"settled_by": "odds", "audit": "wrong"}, "audit", "right", "called right, although it is"),
    "called wrong": ({"settled_by": "odds", "audit": "right"}, "audit", "wrong", "called wrong, although it is right"),
    "another code": ({"settled_by": "odds", "audit": "wrong"}, "code", "SETTLE-CLIP", "do not say the same"),
    "a verdict of the audit's": ({"settled_by": "limits", "audit": "wrong"}, "audit", "right", "no wager in the files"),
}


@pytest.mark.parametrize("done", EDITED)
def test_an_edited_value_comes_out_otherwise(files: Path, done: str) -> None:
    """An edited row with updated digests contradicts the odds, the findings or both."""
    wanted, column, value, words = EDITED[done]
    place = place_of(files, **wanted)
    if done == "money hidden":
        value = pq.ParquetFile(files / PART).read()["due_cents"][place].as_py()
    rewrite(files, PART, with_value(column, place, value))
    out = StringIO()
    with pytest.raises(CommandError, match="1 settlements come out otherwise than the files say") as stopped:
        call_command("audit", "--parquet", str(files), stdout=out)
    assert stopped.value.returncode == 2
    assert words in out.getvalue()


def test_a_finding_left_out_is_missed(files: Path) -> None:
    name = f"findings/{DAY}/part-00000.parquet"
    found = pq.ParquetFile(files / name).read()
    assert found.num_rows > 10
    rewrite(files, name, lambda rows: rows.filter(pa.array([not each for each in rows["is_about_money"].to_pylist()])))
    audited = audit_folder(files)
    about_money = sum(found["is_about_money"].to_pylist())
    assert audited.contradiction_count >= about_money - 1


@pytest.mark.parametrize(("column", "value"), [("outcome", 999), ("terms", "0" * 16), ("bet", "nonsense")])
def test_a_wager_that_nothing_settles_is_told(files: Path, column: str, value: object) -> None:
    rewrite(files, PART, with_value(column, place_of(files, settled_by="odds"), value))
    with pytest.raises(FolderError, match="cannot be read: 'a wager"):
        audit_folder(files)
