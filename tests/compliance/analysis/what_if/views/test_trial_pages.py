"""An authority officer tries the rules in force with another reading, watches the progress, and reads and exports the
result."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from compliance.analysis.what_if.models import Trial
from compliance.analysis.what_if.run.worker import begin_trial, run_waiting_trials
from compliance.analysis.what_if.services import REQUEST_FIELDS
from compliance.analysis.what_if.subjects import subject_from_version
from compliance.analysis.what_if.tasks import run_trials
from compliance.core.web.jobs.job import MAX_ATTEMPTS, JobState
from compliance.privacy.access_log.models import Disclosure
from compliance.reports.jobs.generate import generate_waiting_reports
from compliance.reports.models import Report
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.rulebook.versions.approve import withdraw_version
from rounds.rulebook.versions.drafts import save_draft_pack
from rounds.rulebook.versions.propose import propose_ruling
from rounds.rulepacks import PACK_FOLDER
from tests.compliance.analysis.what_if.trial_setup import FIRST_DAY, NEXT_DAY, TrialSetup, played_bench
from tests.compliance.audit.house import NOW
from tests.compliance.audit.round_builders import NSW
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.reports.report_builder import verify_offline
from tests.pdf_text import extract_text

PLACE = "/casinos/harbour/what-if/"
READ = f"{PLACE}new/{NSW}/1/"


def text(page: Any) -> str:
    return " ".join(page.content.decode().split())


def led_to(response: Any) -> str:
    return str(response.headers["Location"])


@pytest.fixture
def browser(bench: TrialSetup) -> Client:
    return browser_of(bench.olga)


def test_readings_are_chosen_tried_watched_and_read(bench: TrialSetup, browser: Client) -> None:
    assert "Nothing was tried yet." in text(browser.get(PLACE))
    asked = {"subject": f"readings:{bench.version.pk}", "tables": ["sb-2"], "first": FIRST_DAY, "last": ""}
    step = led_to(browser.post(f"{PLACE}new/", asked))
    assert step == f"{READ}?tables=sb-2&first={FIRST_DAY}"
    shown = text(browser.get(step))
    assert 'value="sb-2" id="id_tables_1" checked' in shown
    assert f'value="{FIRST_DAY}"' in shown
    readings = {f"reading-{name}": choice for name, choice in bench.version.readings.items()}
    scope = {"tables": ["sb-2"], "first": FIRST_DAY, "last": ""}
    same = text(browser.post(step, {**readings, **scope}))
    assert "You chose every reading as it is adopted already." in same
    begun = led_to(browser.post(step, {**readings, "reading-even": "every-even-total", **scope}))
    waiting = text(browser.get(begun))
    for words in ("Waiting", "Cancel</button>", "Load again", "Every even total", f"from {FIRST_DAY} on", "sb-2"):
        assert words in waiting, words
    assert "HX-Refresh" not in browser.get(f"{begun}progress/").headers
    assert browser.get(f"{begun}differences/").status_code == 404
    run_trials()
    assert browser.get(f"{begun}progress/").headers["HX-Refresh"] == "true"
    done = text(browser.get(begun))
    for words in ("3 rounds with 3 wagers", "$100.00", "$60.00", "sb-2, seat 4", "2026-11-17", "Make the PDF"):
        assert words in done, words
    assert "Cancel</button>" not in done
    assert f"<dt>Trial</dt><dd>{Trial.objects.get().pk}</dd>" in done, "the form of the PDF asks for it"


def test_a_version_and_a_draft_are_offered_and_what_was_typed_is_kept(bench: TrialSetup, browser: Client) -> None:
    shown = text(browser.get(f"{PLACE}new/"))
    assert "Your draft" not in shown
    content = (PACK_FOLDER / f"{NSW}.toml").read_bytes()
    save_draft_pack(casino=bench.casino, actor=bench.olga, content=content, file_name="own.toml", now=NOW)
    new = f"{PLACE}new/?subject="
    assert f"{new}draft" in text(browser.get("/casinos/harbour/rulebook/propose/"))
    assert f"{new}version:{bench.version.pk}" in text(browser.get(bench.version.get_absolute_url()))
    assert f'value="version:{bench.version.pk}" selected' in text(browser.get(f"{new}version:{bench.version.pk}"))
    assert "What would it change" not in text(browser_of(bench.house.crew.cora).get(bench.version.get_absolute_url()))
    wrong = {"subject": "draft", "tables": ["sb-1"], "first": NEXT_DAY, "last": FIRST_DAY}
    again = text(browser.post(f"{PLACE}new/", wrong))
    assert "The last day must not come before the first." in again
    assert '<option value="draft" selected>' in again
    assert 'value="sb-1" id="id_tables_0" checked' in again
    for subject, first, said in (
        ("draft", FIRST_DAY, "Everything would be judged as it is."),
        (f"version:{bench.version.pk}", NEXT_DAY, "No audited round of these tables and days"),
    ):
        asked = {**wrong, "subject": subject, "first": first, "last": NEXT_DAY}
        begun = led_to(browser.post(f"{PLACE}new/", asked))
        run_trials()
        assert said in text(browser.get(begun)), subject
    listed = text(browser.get(PLACE))
    assert f"Draft of {bench.version.title}" in listed
    assert f"{bench.version}" in listed
    assert "No trial fits." in text(browser.get(PLACE, {"words": "roulette"}))
    assert browser.post(f"{PLACE}new/", {**wrong, "subject": "version:999999"}).status_code == 200


def test_single_differences_are_filtered_taken_away_and_lead_to_their_rounds(
    bench: TrialSetup, browser: Client
) -> None:
    trial = bench.try_it()
    place = f"{PLACE}{trial.pk}/differences/"
    shown = text(browser.get(place))
    assert '<option value="even">Even</option>' in shown
    paid = trial.found.get(wager="paid")
    assert reverse("desk:round", args=["harbour", paid.subject_index]) in shown
    assert browser.get(reverse("desk:round", args=["harbour", paid.subject_index])).status_code == 200
    for query, wagers in (
        ({"words": "p-01", "gaming_day": str(FIRST_DAY)}, {"collected", "wrong"}),
        ({"table": "sb-2"}, {"triple", "next-day"}),
        ({"words": "sb-2, seat 4"}, {"triple"}),
        ({"words": "nobody"}, set()),
        ({"gaming_day": "yesterday"}, {"collected", "paid", "wrong", "triple", "next-day"}),
    ):
        taken = b"".join(browser.get(place, {**query, "format": "csv"})).decode("utf-8-sig")
        assert {row["Wager"] for row in csv.DictReader(io.StringIO(taken))} == wagers, query
    assert Disclosure.objects.filter(address=place, by=bench.olga).count() == 5
    rows = list(csv.DictReader(io.StringIO(taken)))
    assert [(row["Due now"], row["Due then"], row["Came back"], row["More due"]) for row in rows][3] == (
        "60.00",
        "0.00",
        "60.00",
        "-60.00",
    )


def test_an_officer_cancels_a_trial_and_puts_it_back_and_an_inspector_only_reads(
    bench: TrialSetup, browser: Client
) -> None:
    trial, inspector = bench.ask(), browser_of(bench.house.crew.cast.ines)
    cancel, retry = f"{PLACE}{trial.pk}/stop/", f"{PLACE}{trial.pk}/retry/"
    page = text(inspector.get(trial.get_absolute_url()))
    assert "Waiting" in page
    assert "Cancel</button>" not in page
    assert "Try rules" not in text(inspector.get(PLACE))
    assert inspector.post(cancel).status_code == 404
    assert browser.post(retry).status_code == 409
    assert led_to(browser.post(cancel)) == trial.get_absolute_url()
    page = text(browser.get(trial.get_absolute_url()))
    for words in ("The trial is cancelled.", "Olga cancelled it before it was done.", "Try again</button>"):
        assert words in page, words
    assert "Try the same again" not in page, "only what is done is repeated"
    assert "Try again" not in text(inspector.get(trial.get_absolute_url()))
    listed = text(browser.get(PLACE, {"state": "cancelled"}))
    assert listed.count('<td class="figure">Not known</td>') == 3, "“None” would say that nothing differs"
    assert "All that was played; every table" in listed
    assert "AEDT</time> by Olga" in listed
    assert Trial.objects.get().state == JobState.CANCELLED
    assert browser.post(cancel).status_code == 409
    assert browser.post(f"{PLACE}{trial.pk}/again/").status_code == 409
    assert inspector.post(retry).status_code == 404
    assert browser.get(retry).status_code == 405
    page = text(browser.post(retry, follow=True))
    assert "The trial is tried again." in page
    assert "Cancel</button>" in page
    assert browser.post(retry).status_code == 409, "sent twice"
    run_waiting_trials(lambda: NOW)
    trial.refresh_from_db()
    assert (trial.state, trial.differences) == (JobState.DONE, 5)


def test_what_failed_says_why_and_is_tried_again(bench: TrialSetup, browser: Client) -> None:
    trial = bench.ask()
    begin_trial(trial=trial)
    Trial.objects.update(attempts=MAX_ATTEMPTS)
    run_waiting_trials(lambda: NOW)
    page = text(browser.get(trial.get_absolute_url()))
    assert "It failed:" in page
    assert "were begun three times and never finished." in page
    assert "Try the same again" not in page
    browser.post(f"{PLACE}{trial.pk}/retry/")
    run_waiting_trials(lambda: NOW)
    assert Trial.objects.get().is_done


def test_the_same_is_tried_again_as_a_trial_of_its_own(bench: TrialSetup, browser: Client) -> None:
    first, inspector = bench.ask(), browser_of(bench.house.crew.cast.ines)
    assert "Try the same again" not in text(browser.get(first.get_absolute_url())), "it has not ended"
    run_waiting_trials(lambda: NOW)
    assert "Try the same again" in text(browser.get(first.get_absolute_url()))
    assert "Try the same again" not in text(inspector.get(first.get_absolute_url()))
    assert inspector.post(f"{PLACE}{first.pk}/again/").status_code == 404
    assert browser.get(f"{PLACE}{first.pk}/again/").status_code == 405
    led = led_to(browser.post(f"{PLACE}{first.pk}/again/"))
    second = Trial.objects.latest("pk")
    assert led == second.get_absolute_url() != first.get_absolute_url()
    run_waiting_trials(lambda: NOW)
    second.refresh_from_db()
    assert (second.state, second.differences, second.asked_by) == (JobState.DONE, 5, bench.olga)
    assert all(getattr(second, name) == getattr(first, name) for name in REQUEST_FIELDS)


def test_a_version_withdrawn_since_is_not_tried_again(bench: TrialSetup, browser: Client) -> None:
    ines = bench.house.crew.cast.ines
    ruling = propose_ruling(
        version=bench.version,
        reading="even",
        choice="every-even-total",
        reasons="A slip.",
        wanted_at=NOW,
        actor=ines,
        now=NOW,
    )
    trial = bench.try_it(subject_from_version(ruling))
    assert "Try the same again" in text(browser.get(trial.get_absolute_url()))
    withdraw_version(version=ruling, reason="Not settled yet.", actor=ines, now=NOW)
    assert "Try the same again" not in text(browser.get(trial.get_absolute_url()))
    refused = browser.post(f"{PLACE}{trial.pk}/again/")
    assert refused.status_code == 422
    assert "This version was withdrawn." in text(refused)
    assert browser.post(f"{PLACE}{trial.pk}/retry/").status_code == 422


@pytest.mark.usefixtures("transactional_db")
def test_it_goes_on_paper_signed_and_proved_offline(settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEY_FILE, settings.REPORTS_DIR = tmp_path / "keys" / "ledger.key", tmp_path / "reports"
    create_key_file(settings.LEDGER_KEY_FILE)
    bench = played_bench()
    trial, inspector = bench.try_it(), browser_of(bench.house.crew.cast.ines)
    form = f"/casinos/harbour/reports/new/what-if/?trial={trial.pk}"
    assert f'value="{trial.pk}"' in text(inspector.get(form))
    assert "No trial that is done has the number 99999." in text(inspector.post(form, {"trial": 99999}))
    inspector.post(form, {"trial": trial.pk})
    generate_waiting_reports(lambda: NOW)
    report = Report.objects.get()
    assert report.is_done, report.failure
    words = extract_text(report.path(".pdf").read_bytes())
    for said in (
        "What would change",
        "read otherwise",
        "Every even total",
        "Olga",
        "$180.00",
        "$60.00",
        "sb-2, seat 4",
        "next-day",
        "p-02",
        "SETTLE-READING",
        trial.pack_id[:20],
    ):
        assert said in words, said
    genuine = verify_offline(report.path(".pdf"))
    assert genuine.returncode == 0, genuine.stdout + genuine.stderr
    assert browser_of(bench.house.crew.cora).get(form).status_code == 404
