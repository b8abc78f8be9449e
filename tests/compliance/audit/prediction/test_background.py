"""Acts that affect more rounds than can be evaluated while a person waits: a job evaluates them, and the form shows
progress and result when it is sent again."""

from datetime import timedelta
from typing import Any
from unittest.mock import ANY

import pytest
from django.db import transaction
from django.utils import timezone

from compliance.audit.models import BackgroundPrediction, ConfirmedWarning, PredictedPart
from compliance.audit.prediction import background, predict
from compliance.audit.tasks import predict as run_task
from compliance.core.web.jobs.job import JobState
from compliance.core.web.ui.precheck import CONFIRMED_FIELD, REASON_FIELD, Prediction
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from rounds.floor.fact_values import LimitsValue, WagersOfferedValue
from rounds.floor.models import Table
from rounds.ledger import size_of
from rounds.ledger.writing.append import correct
from rounds.rulebook.versions.propose import propose_version
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import wager
from tests.compliance.audit.run.test_reaudit import TEN, TEN_BETTER
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.core.web.confirming import REASON, shown_prediction
from tests.rounds.floor.crew import OPENING
from tests.rounds.rulebook.rule_makers import NSW, SOURCE, shipped_pack_bytes

LIMITS = LimitsValue(min=500, max=50_000)
ADDRESS = "/casinos/harbour/floor/tables/sb-1/facts/wagers-offered/"
ROUNDS, EVEN = 45, 20


@pytest.fixture
def table(house: House) -> Table:
    """45 rounds; in the last 20 there is a wager on Even, which the table offers."""
    table = house.open_table(limits=LIMITS)
    house.state(table, WagersOfferedValue(wagers=("even",)), at=OPENING)
    for number in range(ROUNDS):
        play(house, "even" if number >= ROUNDS - EVEN else "small")
    house.audit()
    assert house.codes() == []
    return table


def play(house: House, bet: str) -> int:
    return house.play((1, 2, 4), wager(bet, 1_000, 2_000 if bet == "small" else 0))


def typed(table: Table, *offered: str, note: str = "Seen on the layout.") -> dict[str, Any]:
    """States from a minute after the opening on which wagers are offered: not Even, unless it is named."""
    since = f"{OPENING.astimezone(table.casino.zone) + timedelta(minutes=1):%Y-%m-%dT%H:%M}"
    return {"wagers": offered, "when": "then", "effective_at": since, "note": note}


def send(house: House, form: dict[str, Any], confirmed: Prediction | None = None) -> Any:
    fields = {CONFIRMED_FIELD: confirmed.digest, REASON_FIELD: REASON} if confirmed else {}
    return browser_of(house.crew.sid).post(ADDRESS, form | fields)


def test_the_form_waits_for_the_result_and_is_confirmed_with_it(house: House, table: Table) -> None:
    form, size = typed(table), size_of("harbour")
    waiting = send(house, form)
    assert shown_prediction(waiting).running
    assert "Show the result" in waiting.content.decode()
    assert 'name="confirmed_findings" value=""' in waiting.content.decode()
    job = BackgroundPrediction.objects.get()
    assert (job.state, job.requested_by, size_of("harbour")) == (JobState.WAITING, house.crew.sid, size)
    # Sent again too early, even with a digest: it waits for the same job.
    assert shown_prediction(send(house, form, shown_prediction(waiting))).running
    assert BackgroundPrediction.objects.count() == 1
    run_task()
    result = send(house, form)
    prediction = shown_prediction(result)
    assert [each.code for each in prediction.findings] == ["WAGER-UNOFFERED"]
    assert prediction.findings[0].sentence.startswith(f"{EVEN} findings, the first of which is: ")
    assert f"{ROUNDS} rounds and records of {house.casino.name} are audited again." in result.content.decode()
    assert size_of("harbour") == size
    assert send(house, form, prediction).status_code == 302
    assert ConfirmedWarning.objects.get().findings == [
        {"code": "WAGER-UNOFFERED", "clause": ANY, "sentence": prediction.findings[0].sentence}
    ]
    house.audit()
    assert house.codes() == ["WAGER-UNOFFERED"] * EVEN


def test_a_result_without_findings_is_shown_before_it_is_recorded(house: House, table: Table) -> None:
    form, size = typed(table, "even"), size_of("harbour")
    send(house, form)
    run_task()
    result = send(house, form)
    prediction = shown_prediction(result)
    assert prediction.is_result
    assert prediction.findings == []
    assert size_of("harbour") == size
    assert send(house, form, prediction).status_code == 302


def test_the_job_finds_what_an_evaluation_of_all_at_once_finds(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "PART_SIZE", 7)
    form = typed(table)
    send(house, form)
    run_task()
    assert PredictedPart.objects.count() == 7
    by_job = shown_prediction(send(house, form))
    monkeypatch.setattr(predict, "MAX_AFFECTED", 1_000)
    assert [each.key for each in shown_prediction(send(house, form)).findings] == [each.key for each in by_job.findings]


def test_what_was_recorded_since_is_evaluated_again_on_confirmation(house: House, table: Table) -> None:
    form = typed(table)
    send(house, form)
    run_task()
    shown = shown_prediction(send(house, form))
    play(house, "even")
    house.audit()
    size = size_of("harbour")
    again = shown_prediction(send(house, form, shown))
    assert again.findings[0].sentence.startswith(f"{EVEN + 1} findings")
    assert size_of("harbour") == size
    assert BackgroundPrediction.objects.count() == 1
    assert send(house, form, again).status_code == 302


def test_a_round_played_while_the_warning_is_read_shows_the_page_again(house: House) -> None:
    """The same without a job."""
    table = house.open_table(limits=LIMITS)
    house.state(table, WagersOfferedValue(wagers=("even",)), at=OPENING)
    play(house, "even")
    house.audit()
    form = typed(table)
    shown = shown_prediction(send(house, form))
    assert [each.code for each in shown.findings] == ["WAGER-UNOFFERED"]
    play(house, "even")
    house.audit()
    size = size_of("harbour")
    again = shown_prediction(send(house, form, shown))
    assert [each.code for each in again.findings] == ["WAGER-UNOFFERED"] * 2
    assert size_of("harbour") == size
    assert send(house, form, again).status_code == 302


def test_after_a_correction_everything_is_evaluated_again(house: House, table: Table) -> None:
    form = typed(table)
    send(house, form)
    run_task()
    shown = shown_prediction(send(house, form))
    evaluated = predict.affected_entries(background.planned_entries(BackgroundPrediction.objects.get()))
    with transaction.atomic():
        correct("harbour", max(evaluated), {"reason": "Sent twice.", "by": "Sid"}, NOW)
    house.audit()
    assert shown_prediction(send(house, form, shown)).running
    run_task()
    again = shown_prediction(send(house, form, shown))
    assert again.findings[0].sentence.startswith(f"{EVEN - 1} findings")


def test_a_stored_round_that_later_entries_change_is_evaluated_again(house: House, table: Table) -> None:
    """The job's findings about it no longer count, although the job is not done again."""
    form = typed(table)
    send(house, form)
    run_task()
    shown = shown_prediction(send(house, form))
    evaluated = predict.affected_entries(background.planned_entries(BackgroundPrediction.objects.get()))
    invalidate = ConductReport(
        kind="invalidation", grounds="disruption", at=timezone.now(), rounds=[str(max(evaluated))]
    )
    record_conduct(table=table, report=invalidate, actor=house.crew.sid, now=timezone.now())
    house.audit()
    again = shown_prediction(send(house, form, shown))
    assert (
        max(evaluated)
        not in background.recall_for(
            house.crew.sid, house.casino, background.planned_entries(BackgroundPrediction.objects.get())
        ).evaluated
    )
    assert not again.running


def test_another_form_has_another_job_and_ends_the_first(house: House, table: Table) -> None:
    send(house, typed(table))
    send(house, typed(table, note="Seen by Gina."))
    assert list(BackgroundPrediction.objects.values_list("state", flat=True)) == ["cancelled", "waiting"]


def test_progress_is_for_the_person_who_waits(house: House, table: Table) -> None:
    send(house, typed(table))
    job = BackgroundPrediction.objects.get()
    browser = browser_of(house.crew.sid)
    assert "every 2s" in browser.get(job.progress_href).content.decode()
    assert browser_of(house.crew.gina).get(job.progress_href).status_code == 404
    run_task()
    ended = browser.get(job.progress_href).content.decode()
    assert "The evaluation has ended" in ended
    assert "every 2s" not in ended


def test_a_failed_job_is_told_and_does_not_stop_the_act(house: House, table: Table) -> None:
    form = typed(table)
    send(house, form)
    BackgroundPrediction.objects.update(state="running", attempts=3)
    job = BackgroundPrediction.objects.get()
    PredictedPart.objects.create(prediction=job, affected=[0])
    run_task()
    failed = send(house, form)
    assert "could not be evaluated beforehand" in failed.content.decode()
    assert send(house, form, shown_prediction(failed)).status_code == 302


def test_old_jobs_are_deleted(house: House, table: Table) -> None:
    send(house, typed(table))
    background.delete_old_predictions(timezone.now() + background.KEPT_FOR - timedelta(minutes=1))
    assert BackgroundPrediction.objects.exists()
    background.delete_old_predictions(timezone.now() + background.KEPT_FOR)
    assert not BackgroundPrediction.objects.exists()
    assert not PredictedPart.objects.exists()


def test_a_rule_version_from_the_past_is_evaluated_by_its_own_rules(house: House) -> None:
    house.open_table(limits=LIMITS)
    for _ in range(ROUNDS):
        house.play((1, 3, 6), wager("total:10", 1_000, 7_000))
    house.audit()
    before = house.codes()
    pack = shipped_pack_bytes(NSW).replace(TEN, TEN_BETTER, 1)
    version = propose_version(
        casino=house.casino, pack_content=pack, pack_file="nsw-sic-bo.toml", source=SOURCE, readings={},
        actor=house.crew.cora, now=NOW,
    )  # fmt: skip
    ines = house.crew.cast.ines
    form = {"evidence": "Gazette.", "edge_reason": "As printed.", "effective_at": "2026-11-01T10:00"}
    browser, address = browser_of(ines), f"{version.get_absolute_url()}approve/"
    assert shown_prediction(browser.post(address, form | sign_off(ines))).running
    run_task()
    page = browser.post(address, form | {CONFIRMED_FIELD: ""})
    prediction = shown_prediction(page)
    assert [each.code for each in prediction.findings] == ["SETTLE-UNDERPAID"]
    assert prediction.findings[0].sentence.startswith(f"{ROUNDS} findings")
    confirmed = {CONFIRMED_FIELD: prediction.digest, REASON_FIELD: REASON}
    assert browser.post(address, form | confirmed).status_code == 302
    house.audit()
    assert house.codes() == sorted([*before, *["SETTLE-UNDERPAID"] * ROUNDS])
