"""manage.py export_bundle: exports from the database, checked by the verifier in the bundle."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from rounds.ledger.export import export_entries
from rounds.ledger.maintenance.halt import halt_if_damaged, halt_restored_log
from rounds.ledger.signing.checkpoints import known_keys_for, newest_checkpoint_note, verifier_key_for
from rounds.ledger.storage import get_log, head_of
from tests.rounds.ledger import harbour_log, superuser_attacks
from tests.rounds.transparency_log.bundle_tampering import change_entries, inspect


@pytest.fixture
def log(committed_log: str, tmp_path: Path) -> str:
    """601 entries, signed at 100, 300, 512 and 601; rounds are recorded 50 at a time, every 50 minutes from 09:30."""
    superuser_attacks.record_harbour(tmp_path)
    return committed_log


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "evidence"


def export(folder: Path, *options: str) -> str:
    out = io.StringIO()
    call_command("export_bundle", str(folder), "--log", "harbour", *options, stdout=out)
    return out.getvalue()


def exported(folder: Path) -> list[int]:
    return [json.loads(line)["index"] for line in (folder / "entries.ndjson").read_bytes().splitlines()]


def test_a_range_proves_itself_with_the_key_and_a_checkpoint_taken_home(log: str, folder: Path, tmp_path: Path) -> None:
    said = export(folder, "--from", "250", "--to", "520", "--casino", "Harbour Casino")
    assert "Wrote 270 entries from 250 to 519, held to a checkpoint of 601 entries." in said
    verdict = inspect(folder, "--key", str(verifier_key_for(log)), "--seen", str(tmp_path / "harbour-300.checkpoint"))
    assert verdict.status == 0
    assert "Evidence of Harbour Casino, log ledger.example/harbour" in verdict.words
    assert "Entries 250 to 519 (270) are exactly what the log holds at these places" in verdict.words
    assert "Checkpoints: 3, each with a valid signature" in verdict.words


def test_the_whole_log_is_the_default_and_newer_entries_are_signed_for_it(log: str, folder: Path) -> None:
    harbour_log.play(9, first=1000)
    export(folder)
    verdict = inspect(folder)
    assert verdict.status == 0
    assert "Entries 0 to 609 (610)" in verdict.words
    assert "1 correction, 609 test-round" in verdict.words


@pytest.mark.parametrize(
    ("start", "end", "first", "last"),
    [
        ("2026-11-16T10:20:00.123456Z", "2026-11-16T11:10:00.123456Z", 50, 99),
        ("2026-11-16T10:20:00.123457Z", "2026-11-16T11:10:00.123457Z", 100, 149),
        ("2026-11-16T21:20:00.123456+11:00", "120", 50, 119),
    ],
)
def test_times_choose_what_was_recorded_from_the_first_moment_to_before_the_last(
    log: str, folder: Path, start: str, end: str, first: int, last: int
) -> None:
    export(folder, "--from", start, "--to", end)
    assert exported(folder) == list(range(first, last + 1))


def test_chosen_entries_come_alone_each_with_its_proof(log: str, folder: Path) -> None:
    export(folder, "--only", "590,3,300,3")
    assert exported(folder) == [3, 300, 590]
    verdict = inspect(folder, "--key", str(verifier_key_for(log)))
    assert verdict.status == 0
    assert "Each of the 3 selected entries is in the log, unaltered, at the place it names." in verdict.words


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal(log: str, folder: Path) -> None:
    screen = Screen()
    call_command("export_bundle", str(folder), "--log", "harbour", stdout=io.StringIO(), stderr=screen)
    assert "\rharbour [####..........................] 100 of 601 entries\r" in screen.getvalue()
    assert screen.getvalue().endswith("[##############################] 601 of 601 entries\n")


def test_a_tampered_copy_is_told_by_its_own_verifier(log: str, folder: Path) -> None:
    export(folder, "--from", "280", "--to", "320")

    def lie(lines: list[dict[str, object]]) -> list[dict[str, object]]:
        lines[20]["body"] = str(lines[20]["body"]).replace("[1,2,1]", "[6,6,6]")
        return lines

    change_entries(folder, lie)
    verdict = inspect(folder)
    assert verdict.status == 1
    assert "Entry 300 (kind test-round, table SB-7" in verdict.words


@pytest.mark.usefixtures("committed_log")
def test_of_very_many_checkpoints_some_are_left_out_and_never_the_last(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(26):
        harbour_log.play(1, first=number)
        harbour_log.sign()
    monkeypatch.setattr(export_entries, "MAX_CHECKPOINTS", 10)
    export(folder)
    verdict = inspect(folder)
    assert verdict.status == 0
    assert "Checkpoints: 9, each with a valid signature" in verdict.words
    assert "the last covers the log's first 26 entries" in verdict.words


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--from", "601"), "harbour has 601 entries: 601 to 601 is no range of them"),
        (("--from", "20", "--to", "10"), "20 to 10 is no range"),
        (("--to", "602"), "0 to 602 is no range"),
        (("--only", "1,601"), "harbour has 601 entries, from 0 on"),
        (("--only", "1,two"), "entry numbers with commas"),
        (("--only", "1", "--from", "1"), "leave --from and --to out"),
        (("--from", "yesterday"), "neither an entry number nor a time"),
        (("--from", "2026-11-16T10:00"), "does not say its time zone"),
    ],
)
def test_what_cannot_be_written_is_told_and_nothing_is(
    log: str, folder: Path, options: tuple[str, ...], says: str
) -> None:
    with pytest.raises(CommandError, match=says):
        export(folder, *options)
    assert not folder.exists()


def test_a_folder_that_is_not_empty_is_left_alone(log: str, folder: Path) -> None:
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(CommandError, match="is not empty"):
        export(folder)
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]


def test_of_a_log_that_is_read_only_what_it_signed_is_written_and_nothing_is_signed(log: str, folder: Path) -> None:
    harbour_log.play(9, first=1000)
    halt_restored_log(log=log, note=None, keys=known_keys_for(log), now=harbour_log.OPENED_AT)
    before = newest_checkpoint_note(log), head_of(get_log(log))
    said = export(folder)
    assert "Wrote 601 entries from 0 to 600, held to a checkpoint of 601 entries." in said
    assert "harbour is read-only: nothing was signed for this evidence, and nothing can be recorded." in said
    assert "Its last 9 entries, from 601 on, cannot be proved yet." in said
    assert inspect(folder, "--key", str(verifier_key_for(log))).status == 0
    for options in (("--to", "605"), ("--only", "605")):
        with pytest.raises(CommandError, match="harbour is read-only and signed for 601 entries"):
            export(folder.with_name("more"), *options)
    assert (newest_checkpoint_note(log), head_of(get_log(log))) == before


def test_a_log_that_was_cut_off_is_held_to_the_last_checkpoint_that_it_lives_up_to(log: str, folder: Path) -> None:
    """590 entries are left, and the checkpoint of 601 is still in the database."""
    superuser_attacks.DEEDS["tail-cut-and-head-set-back"]()
    assert halt_if_damaged(log=log, now=harbour_log.OPENED_AT) is not None
    assert "Its last 78 entries, from 512 on, cannot be proved yet." in export(folder)
    verdict = inspect(folder, "--key", str(verifier_key_for(log)))
    assert verdict.status == 0
    assert "Entries 0 to 511 (512)" in verdict.words


def test_a_log_that_lives_up_to_nothing_it_signed_gives_no_evidence(log: str, folder: Path) -> None:
    superuser_attacks.DEEDS["tree-rewritten"]()
    assert halt_if_damaged(log=log, now=harbour_log.OPENED_AT) is not None
    with pytest.raises(CommandError, match="is read-only, and nothing that it signed is left to hold evidence to"):
        export(folder)
    assert not folder.exists()


def test_nor_does_one_that_was_never_signed(committed_log: str, folder: Path) -> None:
    harbour_log.play(3)
    halt_restored_log(log=committed_log, note=None, keys=None, now=harbour_log.OPENED_AT)
    with pytest.raises(CommandError, match="nothing that it signed is left to hold evidence to"):
        export(folder, "--only", "1")
