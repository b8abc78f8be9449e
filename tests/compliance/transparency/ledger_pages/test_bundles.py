"""Bundles: requested, built in the background, recorded, downloaded, verified offline, and removed after seven days."""

import io
import json
import subprocess
import sys
import zipfile
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from compliance.core.web.errors import NotFound
from compliance.core.web.jobs import runner
from compliance.core.web.jobs.job import JobState
from compliance.core.web.jobs.locks import Lock
from compliance.transparency.ledger_pages import build_bundle
from compliance.transparency.ledger_pages.errors import NothingToExport, TooManyEntries
from compliance.transparency.ledger_pages.models import Bundle
from compliance.transparency.ledger_pages.services import (
    request_period_bundle,
    request_range_bundle,
    request_selection_bundle,
)
from compliance.transparency.ledger_pages.tasks import build_bundles, remove_expired_bundles
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.search import size_of
from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.transparency.ledger_pages.harbour_scenario import OPENED_AT, Floor, after, play
from tests.conftest import unlock_all
from tests.rounds.ledger import harbour_log

LIST = "/casinos/harbour/ledger/bundles/"
NEW = LIST + "new/"


def ask(floor: Floor, **answers: Any) -> Any:
    return browser_of(floor.ines).post(NEW, answers)


def only_bundle() -> Bundle:
    return Bundle.objects.get()


def unpack(content: bytes, folder: Path) -> Path:
    zipfile.ZipFile(io.BytesIO(content)).extractall(folder)
    [inside] = folder.iterdir()
    return inside


def verify(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """As an inspector does: only the program from the bundle, none of our modules."""
    return subprocess.run(
        [sys.executable, "-I", folder / "verify_bundle.py", folder, *options],
        cwd=folder.parent,
        capture_output=True,
        text=True,
        check=False,
    )


def downloaded(floor: Floor, bundle: Bundle) -> bytes:
    response = browser_of(floor.ines).get(f"{LIST}{bundle.pk}/file/")
    assert response.status_code == 200
    return response.getvalue()


@pytest.fixture
def played(committed_floor: Floor) -> Floor:
    """Forty rounds in the evening, twenty an hour later; `base` is the index of the first."""
    play(40)
    play(20, first=40, at=after(hours=1))
    return committed_floor


@pytest.fixture
def base(played: Floor) -> int:
    return size_of("harbour") - 60


class TestTheWholeWay:
    def test_a_stretch_is_asked_for_prepared_downloaded_and_fits(
        self, played: Floor, base: int, tmp_path: Path
    ) -> None:
        response = ask(played, what="range", first=str(base + 10), last=str(base + 49))
        bundle = only_bundle()
        assert response.headers["Location"] == f"{LIST}{bundle.pk}/"
        page = browser_of(played.ines).get(f"{LIST}{bundle.pk}/").content.decode()
        assert "Waiting" in page
        assert 'hx-trigger="every 2s"' in page
        assert browser_of(played.ines).get(f"{LIST}{bundle.pk}/file/").status_code == 409
        build_bundles()
        content = downloaded(played, bundle)
        folder = unpack(content, tmp_path / "home")
        assert folder.name == f"harbour-evidence-{bundle.pk}"
        checked = verify(folder, "--key", str(verifier_key_for("harbour")))
        assert checked.returncode == 0, checked.stderr
        assert f"Entries {base + 10} to {base + 49} (40)" in checked.stdout
        page = browser_of(played.ines).get(f"{LIST}{bundle.pk}/").content.decode()
        assert sha256(content).hexdigest() in page
        assert "Download the file" in page
        assert "hx-trigger" not in page

    def test_it_is_an_entry_of_the_log_and_the_row_agrees_with_it(self, played: Floor, base: int) -> None:
        ask(played, what="range", first=str(base), last=str(base + 59))
        build_bundles()
        bundle = only_bundle()
        assert bundle.entry_index == base + 60
        [entry] = read_entries("harbour", base + 60, base + 61)
        assert (entry.kind, entry.content()) == (
            "evidence-exported",
            {
                "bundle": bundle.pk,
                "by": {"id": played.ines.pk, "name": "Ines"},
                "first": base,
                "end": base + 60,
                "only": None,
                "entries": 60,
                "checkpoint": base + 60,
                "bytes": bundle.path.stat().st_size,
                "sha256": sha256(bundle.path.read_bytes()).hexdigest(),
            },
        )
        assert verify_log("harbour").is_intact
        with harbour_log.admin() as admin:
            admin.execute("ALTER TABLE evidence_bundle DISABLE TRIGGER evidence_bundle_unchanged")
            admin.execute("UPDATE evidence_bundle SET asked_by_name = 'Nobody'")
            admin.execute("ALTER TABLE evidence_bundle ENABLE TRIGGER evidence_bundle_unchanged")
        [misfit] = verify_log("harbour").issues
        assert "the row that was kept of it now says something else" in misfit.sentence

    def test_chosen_entries_come_alone(self, played: Floor, base: int, tmp_path: Path) -> None:
        ask(played, what="chosen", chosen=f"{base + 3}, {base + 40} - {base + 42}; {base + 3}")
        build_bundles()
        folder = unpack(downloaded(played, only_bundle()), tmp_path / "home")
        lines = [json.loads(line) for line in (folder / "entries.ndjson").read_text().splitlines()]
        assert [line["index"] for line in lines] == [base + 3, base + 40, base + 41, base + 42]
        assert verify(folder).returncode == 0

    def test_a_stretch_of_time_is_the_casinos_time(self, played: Floor, base: int) -> None:
        """From 9:30 pm in Sydney: the twenty later rounds."""
        ask(played, what="times", since="2026-11-16T21:30", until="2026-11-16T22:00")
        bundle = only_bundle()
        assert (bundle.first_index, bundle.end_index) == (base + 40, base + 60)

    def test_a_tampered_copy_is_told_by_its_own_verifier(self, played: Floor, base: int, tmp_path: Path) -> None:
        ask(played, what="range", first=str(base), last=str(base + 9))
        build_bundles()
        folder = unpack(downloaded(played, only_bundle()), tmp_path / "home")
        entries = folder / "entries.ndjson"
        entries.write_text(entries.read_text().replace("R-4", "R-5"))
        assert verify(folder).returncode == 1


class TestAsking:
    @pytest.mark.parametrize(
        ("answers", "complaint"),
        [
            ({}, "Choose what you want to take away."),
            ({"what": "times"}, "Enter the time from which on."),
            ({"what": "times", "since": "2026-11-16T21:00", "until": "2026-11-16T21:00"}, "must come after"),
            ({"what": "times", "since": "2026-11-01T21:00", "until": "2026-11-02T21:00"}, "Nothing was recorded"),
            ({"what": "times", "since": "then", "until": "2026-11-16T21:00"}, "Enter a date and a time"),
            ({"what": "range", "first": "1"}, "Enter the number of the last entry."),
            ({"what": "range", "first": "3", "last": "2"}, "must not come before the first"),
            ({"what": "range", "first": "0", "last": "1000"}, "The log&#x27;s last entry is"),
            ({"what": "range", "first": "-1", "last": "1"}, "Enter 0 or more."),
            ({"what": "chosen", "chosen": ""}, "Enter at least one entry number."),
            ({"what": "chosen", "chosen": "1, two"}, "“two” is not an entry number"),
            ({"what": "chosen", "chosen": "x" * 41}, f"“{'x' * 40}…” is not an entry number"),
            ({"what": "chosen", "chosen": "1-5000"}, "Choose at most 1,000 single entries."),
            ({"what": "chosen", "chosen": "1, 999999999999999999"}, "The log&#x27;s last entry is"),
        ],
    )
    def test_what_cannot_be_taken_is_told_and_nothing_is_lost(
        self, floor: Floor, answers: dict[str, str], complaint: str
    ) -> None:
        play(5)
        response = ask(floor, **answers)
        assert response.status_code == 200
        page = response.content.decode()
        assert complaint in page
        assert "<title>Error: Take evidence away" in page
        for text in answers.values():
            assert f'value="{text}"' in page or not text
        assert Bundle.objects.count() == 0

    def test_answers_to_the_other_questions_do_not_matter(self, floor: Floor) -> None:
        play(5)
        assert ask(floor, what="range", first="0", last="1", since="then", chosen="none").status_code == 302

    def test_the_ticked_entries_are_filled_in(self, floor: Floor) -> None:
        response = browser_of(floor.ines).get(NEW + "?entry=90&entry=12&entry=x")
        assert response.context["form"]["what"].value() == "chosen"
        assert 'value="12, 90"' in response.content.decode()

    def test_the_services_refuse_by_themselves(self, floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
        play(5)
        who: Any = {"casino": floor.harbour, "actor": floor.ines, "now": OPENED_AT}
        size = size_of("harbour")
        with pytest.raises(NothingToExport):
            request_range_bundle(first=0, last=size, **who)
        with pytest.raises(NothingToExport):
            request_selection_bundle(indexes=[0, size], **who)
        with pytest.raises(NothingToExport):
            request_selection_bundle(indexes=[], **who)
        with pytest.raises(NothingToExport, match="Nothing was recorded"):
            request_period_bundle(since=after(days=1), until=after(days=2), **who)
        monkeypatch.setattr("compliance.transparency.ledger_pages.services.MAX_ENTRIES", 3)
        assert request_range_bundle(first=0, last=2, **who).total == 3
        with pytest.raises(TooManyEntries, match="That is 4 entries; one bundle holds at most 3"):
            request_range_bundle(first=0, last=3, **who)
        for outsider in (floor.sam, floor.ada, floor.otto):
            with pytest.raises(NotFound):
                request_range_bundle(first=0, last=0, **{**who, "actor": outsider})

    def test_only_those_who_may_see_it_do(self, played: Floor, base: int) -> None:
        ask(played, what="range", first=str(base), last=str(base))
        build_bundles()
        pk = only_bundle().pk
        for address in (LIST, NEW, f"{LIST}{pk}/", f"{LIST}{pk}/progress/", f"{LIST}{pk}/file/"):
            assert browser_of(played.cora).get(address).status_code == 200
            for person in (played.sam, played.ada, played.otto):
                assert browser_of(person).get(address).status_code == 404
        assert browser_of(played.otto).get(f"/casinos/marina/ledger/bundles/{pk}/").status_code == 404


class TestLostAndDoubled:
    def test_a_second_ring_prepares_nothing_twice(self, played: Floor, base: int) -> None:
        ask(played, what="range", first=str(base), last=str(base + 9))
        build_bundles()
        first = only_bundle()
        build_bundles()
        assert only_bundle().file_sha256 == first.file_sha256
        assert size_of("harbour") == base + 61

    def test_a_bundle_that_another_worker_holds_is_left_to_it(self, played: Floor, base: int) -> None:
        ask(played, what="range", first=str(base), last=str(base + 9))
        with harbour_log.admin() as other:
            other.execute("SELECT pg_advisory_lock(%s, %s)", [Lock.BUNDLE, only_bundle().pk])
            build_bundles()
            assert only_bundle().state == JobState.WAITING
            unlock_all(other)
        build_bundles()
        assert only_bundle().state == JobState.DONE

    def test_what_a_lost_worker_left_half_done_is_done_again(self, played: Floor, base: int) -> None:
        ask(played, what="range", first=str(base), last=str(base + 9))
        bundle = only_bundle()
        bundle.state, bundle.attempts = JobState.RUNNING, 1
        bundle.save()
        left = bundle.path.with_suffix(".part") / bundle.name
        left.mkdir(parents=True)
        (left / "entries.ndjson").write_text("half a li")
        build_bundles()
        assert (only_bundle().state, only_bundle().attempts) == (JobState.DONE, 2)
        assert [path.name for path in Path(settings.EVIDENCE_DIR).iterdir()] == [f"{bundle.pk}.zip"]

    def test_what_is_lost_three_times_is_given_up(self, played: Floor, base: int) -> None:
        ask(played, what="range", first=str(base), last=str(base + 9))
        Bundle.objects.update(state=JobState.RUNNING, attempts=3)
        build_bundles()
        assert (only_bundle().state, only_bundle().failure) == (
            JobState.FAILED,
            "It was begun three times and never finished.",
        )
        page = browser_of(played.ines).get(f"{LIST}{only_bundle().pk}/").content.decode()
        assert "It was begun three times" in page

    def test_a_disk_that_takes_no_more_is_told(self, played: Floor, base: int, settings: Any, tmp_path: Path) -> None:
        settings.EVIDENCE_DIR = tmp_path / "a file, not a folder"
        settings.EVIDENCE_DIR.write_text("")
        ask(played, what="range", first=str(base), last=str(base + 9))
        build_bundles()
        assert only_bundle().state == JobState.FAILED
        assert "could not be written" in only_bundle().failure
        assert size_of("harbour") == base + 60

    def test_a_log_that_cannot_be_signed_gives_no_evidence(self, played: Floor, base: int) -> None:
        harbour_log.sign()
        with harbour_log.unguarded() as rogue:
            rogue.execute("UPDATE ledger_checkpoint SET note = 'forged'")
        ask(played, what="range", first=str(base), last=str(base + 9))
        build_bundles()
        assert (only_bundle().state, only_bundle().failure) == (
            JobState.FAILED,
            "The last checkpoint is not one that ledger.example/harbour signed.",
        )

    def test_how_far_it_has_come_is_seen_from_elsewhere(
        self, played: Floor, base: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runner, "PROGRESS_INTERVAL", timedelta(0))
        monkeypatch.setattr("rounds.ledger.export.export_entries.CHUNK_SIZE", 10)
        ask(played, what="range", first=str(base), last=str(base + 39))
        seen: list[tuple[str, int]] = []

        def clock() -> Any:
            with harbour_log.admin() as other:
                seen.extend(other.execute("SELECT state, done FROM evidence_bundle").fetchall())
            return timezone.now()

        build_bundle.build_queued_bundles(clock)
        assert {("running", 10), ("running", 20), ("running", 30)} <= set(seen)


class TestRemoval:
    def test_the_file_goes_after_seven_days_and_the_record_stays(self, played: Floor, base: int) -> None:
        ask(played, what="range", first=str(base), last=str(base + 9))
        build_bundles()
        bundle = only_bundle()
        assert bundle.prepared_at is not None
        week = bundle.prepared_at + timedelta(days=7)
        assert build_bundle.remove_expired_files(week - timedelta(microseconds=1)) == 0
        assert bundle.path.exists()
        assert build_bundle.remove_expired_files(week) == 1
        assert not bundle.path.exists()
        assert (only_bundle().state, only_bundle().removed_at) == (JobState.DONE, week)
        assert browser_of(played.ines).get(f"{LIST}{bundle.pk}/file/").status_code == 410
        assert "File removed" in browser_of(played.ines).get(LIST).content.decode()
        assert verify_log("harbour").is_intact
        remove_expired_bundles()
        assert only_bundle().removed_at == week

    def test_what_nobody_wants_any_more_is_swept_up(self, played: Floor, base: int) -> None:
        ask(played, what="range", first=str(base), last=str(base + 9))
        build_bundles()
        folder = Path(settings.EVIDENCE_DIR)
        (folder / "99999.part" / "harbour-evidence-99999").mkdir(parents=True)
        (folder / "99998.zip.part").write_text("half")
        remove_expired_bundles()
        assert [path.name for path in folder.iterdir()] == [f"{only_bundle().pk}.zip"]

    def test_a_file_that_somebody_deleted_is_told(self, played: Floor, base: int) -> None:
        ask(played, what="range", first=str(base), last=str(base + 9))
        build_bundles()
        only_bundle().path.unlink()
        assert browser_of(played.ines).get(f"{LIST}{only_bundle().pk}/file/").status_code == 410


class TestTheDatabaseKeepsItsPromises:
    def test_who_asked_for_what_is_never_rewritten(self, floor: Floor) -> None:
        bundle = self.bundle(floor, JobState.WAITING)
        for name, value in {
            "asked_by_id": floor.cora.pk,
            "asked_by_name": "Cora",
            "asked_at": after(days=1),
            "first_index": 1,
            "end_index": 9,
            "chosen": [3],
            "casino_id": floor.marina.pk,
        }.items():
            assert not self.is_let(bundle, {name: value, "state": JobState.RUNNING}), name
        assert self.is_let(bundle, {"state": JobState.RUNNING})

    def test_what_was_prepared_is_never_rewritten(self, floor: Floor) -> None:
        bundle = self.bundle(floor, JobState.DONE)
        for name, value in {"file_sha256": "0" * 64, "file_bytes": 1, "entry_index": 3, "log": "marina"}.items():
            assert not self.is_let(bundle, {name: value, "removed_at": OPENED_AT}), name
        assert self.is_let(bundle, {"removed_at": OPENED_AT})
        assert not self.is_let(bundle, {"removed_at": None}), "what was removed is gone"

    def bundle(self, floor: Floor, state: JobState) -> Bundle:
        bundle = Bundle(
            casino=floor.harbour,
            asked_by=floor.ines,
            asked_by_name="Ines",
            asked_at=OPENED_AT,
            first_index=0,
            end_index=2,
            state=state,
        )
        if state == JobState.DONE:
            bundle.prepared_at, bundle.log, bundle.entry_index = OPENED_AT, "harbour", Bundle.objects.count()
        bundle.save()
        return bundle

    def is_let(self, bundle: Bundle, changes: dict[str, Any]) -> bool:
        try:
            with transaction.atomic():
                Bundle.objects.filter(pk=bundle.pk).update(**changes)
        except IntegrityError:
            return False
        return True


@pytest.mark.parametrize("bundles", [0, 1, 10_000])
def test_the_list_is_as_quick_for_ten_thousand_as_for_one(floor: Floor, bundles: int) -> None:
    Bundle.objects.bulk_create(
        Bundle(
            casino=floor.harbour,
            asked_by=floor.ines,
            asked_by_name="Ines",
            asked_at=after(minutes=n),
            first_index=n,
            end_index=n + 2,
            chosen=[n] if n % 2 else None,
        )
        for n in range(bundles)
    )
    browser = browser_of(floor.ines)
    browser.get(LIST)
    with CaptureQueriesContext(connection) as queries:
        page = browser.get(LIST)
    assert len(queries) <= 12
    table = page.context["table"]
    assert table.count == bundles
    if not bundles:
        assert "No evidence was prepared yet." in page.content.decode()
