"""Bundles of an earlier release: a row of every former state gets the state of a job, and goes back."""

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from compliance.transparency.ledger_pages.models import Bundle
from tests.compliance.transparency.ledger_pages.harbour_scenario import OPENED_AT, Floor, after

BEFORE = ("evidence", "0002_bundles_for_analysis")
FORMER = {"waiting": "waiting", "preparing": "running", "ready": "done", "failed": "failed", "removed": "done"}
INSERT = """
INSERT INTO evidence_bundle (casino_id, asked_by_id, asked_by_name, asked_at, first_index, end_index, state, attempts,
    done, failure, removed_at, prepared_at, file_sha256, log, entry_index)
SELECT %s, %s, former.state, %s, 0, 9, former.state, 1, 7, CASE former.state WHEN 'failed' THEN 'No disk.' ELSE '' END,
    CASE former.state WHEN 'removed' THEN %s::timestamptz END,
    CASE WHEN former.state IN ('ready', 'removed') THEN %s::timestamptz END, '', 'harbour',
    CASE WHEN former.state IN ('ready', 'removed') THEN number END
FROM unnest(%s::text[]) WITH ORDINALITY AS former (state, number)
"""


def former_states() -> dict[str, tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT asked_by_name, state, failure FROM evidence_bundle")
        return {name: (state, failure) for name, state, failure in cursor.fetchall()}


@pytest.mark.django_db(transaction=True)
def test_a_bundle_in_every_former_state_is_carried_over_and_back(committed_floor: Floor) -> None:
    floor, week = committed_floor, after(days=7)
    call_command("migrate", *BEFORE, verbosity=0)
    try:
        with connection.cursor() as cursor:
            cursor.execute(INSERT, [floor.harbour.pk, floor.ines.pk, OPENED_AT, week, OPENED_AT, list(FORMER)])
    finally:
        call_command("migrate", "evidence", verbosity=0)
    carried = {bundle.asked_by_name: bundle for bundle in Bundle.objects.all()}
    assert {name: bundle.state for name, bundle in carried.items()} == FORMER
    assert {name: bundle.removed_at for name, bundle in carried.items() if bundle.removed_at} == {"removed": week}
    assert {name for name, bundle in carried.items() if bundle.has_file} == {"ready"}
    assert [carried[name].tag.label for name in ("ready", "removed")] == ["Done", "File removed"]
    assert carried["failed"].failure == "No disk."
    with pytest.raises(IntegrityError, match="does not become done"), transaction.atomic():
        Bundle.objects.filter(asked_by_name="waiting").update(state="done")
    Bundle.objects.filter(asked_by_name="waiting").update(state="cancelled", cancelled_by_name="Ines")

    call_command("migrate", *BEFORE, verbosity=0)
    try:
        assert former_states() == {name: (name, "") for name in FORMER} | {
            "waiting": ("failed", "Ines cancelled it before it was done."),
            "failed": ("failed", "No disk."),
        }
        with connection.cursor() as cursor, pytest.raises(IntegrityError, match="does not become"):
            cursor.execute("UPDATE evidence_bundle SET state = 'preparing' WHERE asked_by_name = 'failed'")
    finally:
        call_command("migrate", "evidence", verbosity=0)
    assert former_states()["removed"] == ("done", "")
