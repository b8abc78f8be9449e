"""Draw jobs of an earlier release get a state from their times, and can be taken back to it."""

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from compliance.core.web.jobs.job import JobState, fail_job
from compliance.inspection.checklists.models import DrawJob
from compliance.inspection.checklists.services import cancel_draw, request_draw
from compliance.inspection.checklists.services.draws import run_waiting_draws
from tests.compliance.inspection.checklists.scenario import ChecklistScenario
from tests.compliance.inspection.checklists.test_draws import few, seed
from tests.compliance.inspection.checklists.test_weighted_samples import play_mixed

__all__ = ["few"]
BEFORE = ("checklists", "0005_model_names")
OLD_ROWS = "SELECT drawn_at, failed_at, failure FROM checklists_drawing ORDER BY id"


@pytest.mark.usefixtures("few")
def test_draws_in_every_state_are_carried_over(committed_desk: ChecklistScenario) -> None:
    desk, now = committed_desk, committed_desk.now
    play_mixed(desk)
    drawn = seed(desk)
    request_again = {"sample": drawn, "actor": desk.ines, "is_again": True}
    run_waiting_draws(lambda: now)
    request_draw(**request_again)  # type: ignore[arg-type]
    run_waiting_draws(lambda: now)
    failed, cancelled = seed(desk), seed(desk)
    cancel_draw(sample=cancelled, actor=desk.ines, now=now)
    assert run_waiting_draws(lambda: now, lambda: True)
    fail_job(DrawJob.objects.get(sample=failed), "The disk is full.", now)
    seed(desk)
    assert run_waiting_draws(lambda: now, lambda: True)
    seed(desk)
    before = [dict(row) for row in DrawJob.objects.order_by("pk").values()]
    assert [row["state"] for row in before] == ["done", "done", "failed", "cancelled", "running", "waiting"]
    call_command("migrate", *BEFORE, verbosity=0)
    try:
        with connection.cursor() as cursor:
            cursor.execute(OLD_ROWS)
            assert cursor.fetchall() == [
                (now, None, ""),
                (now, None, ""),
                (None, now, "The disk is full."),
                (None, now, "Ines cancelled it."),
                (None, None, ""),
                (None, None, ""),
            ]
            with pytest.raises(DatabaseError, match="goes on"), transaction.atomic():
                cursor.execute("UPDATE checklists_drawing SET attempts = 0 WHERE drawn_at IS NOT NULL")
    finally:
        call_command("migrate", "checklists", verbosity=0)
    before[3] |= {"state": "failed", "failure": "Ines cancelled it.", "cancelled_by_name": ""}
    assert [*DrawJob.objects.order_by("pk").values()] == before
    with pytest.raises(DatabaseError, match="does not become"), transaction.atomic():
        DrawJob.objects.filter(state=JobState.WAITING).update(state=JobState.DONE)
    for sample in (failed, cancelled):
        request_draw(sample=sample, actor=desk.ines)
    run_waiting_draws(lambda: now)
    assert {*DrawJob.objects.values_list("state", flat=True)} == {JobState.DONE}
