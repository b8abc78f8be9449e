"""Closings, openings and signs that were recorded in error: state, screens, floor and audit go back, in that order
only."""

from datetime import datetime
from pathlib import Path

import pytest
from django.db import IntegrityError, connection, transaction
from pytest_django import Settings

from compliance.audit.models import Finding
from compliance.audit.run.worker import audit_log
from compliance.core.accounts.models import User
from compliance.core.corrections.errors import NotAuthorOrSuperior, StillNeeded
from compliance.core.corrections.services import withdraw_record
from compliance.core.web.errors import NotFound
from compliance.pages.models import TableState
from compliance.pages.table_state_consumer import consume_table_entries
from compliance.tables.closures.models import Closure, ClosureStep
from compliance.tables.closures.services import announce_closure, close_in_emergency, close_table, reopen_table
from compliance.tables.closures.states import ClosureState
from compliance.tables.closures.table_activity import is_closed
from compliance.tables.closures.todo_items import closed_table_facts
from compliance.tables.signs.models import Showing, Sign
from compliance.tables.signs.selectors import clock_of
from compliance.tables.signs.services import add_display, refresh_display, take_down_sign
from rounds.floor.models import Table
from rounds.ledger import corrections_of, entry_at, verify_log
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.tables.signs.builders import MINUTE, START, nsw_table, put_up
from tests.rounds.floor.crew import Crew

AT = START + 22 * MINUTE
LATER = AT + 10 * MINUTE


@pytest.fixture(autouse=True)
def ledger_key(tmp_path: Path, settings: Settings) -> None:
    """For verify_log."""
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)


def withdraw(crew: Crew, index: int, by: User, at: datetime = LATER) -> None:
    entry = entry_at("harbour", index)
    assert entry is not None
    withdraw_record(casino=crew.harbour, entry=entry, reason="Tapped by mistake.", actor=by, now=at)


def announced(crew: Crew, table: Table) -> tuple[Closure, Sign]:
    closure = announce_closure(
        table=table, closes_at=AT, players_present=True, streak_in_progress=False, actor=crew.sid, now=START
    )
    assert closure.sign is not None
    return closure, put_up(crew, closure.sign, START)


def closed(crew: Crew, table: Table) -> Closure:
    closure, _ = announced(crew, table)
    return close_table(closure=closure, actor=crew.gina, now=AT)


def codes(crew: Crew) -> list[str]:
    list(audit_log(crew.harbour))
    found = Finding.objects.current().filter(casino=crew.harbour, code__startswith="CLOSE-")
    return sorted(found.values_list("code", flat=True))


def misfits() -> list[str]:
    return [found.sentence for found in verify_log("harbour").issues]


def last_step(closure: Closure, state: ClosureState) -> ClosureStep:
    return ClosureStep.recorded.get(closure=closure, state=state)


@pytest.mark.parametrize("is_line", [True, False])
def test_a_closing_recorded_in_error(crew: Crew, is_line: bool) -> None:
    """Withdrawn from the table's line or from the step: both go together."""
    table = nsw_table(crew)
    closure = closed(crew, table)
    consume_table_entries()
    assert TableState.objects.get(table=table.slug).is_open is False
    step = last_step(closure, ClosureState.CLOSED)
    withdraw(crew, step.entry_index - is_line, crew.gina)
    closure.refresh_from_db()
    assert closure.state == ClosureState.WITHDRAWN
    assert [each.state for each in closure.steps.all()] == [ClosureState.WITHDRAWN]
    assert not is_closed(table)
    assert closed_table_facts(table, LATER) is None
    consume_table_entries()
    assert TableState.objects.get(table=table.slug).is_open is None
    both = [step.entry_index - 1, step.entry_index]
    assert sorted(corrections_of("harbour", both)) == both
    assert misfits() == []
    closed(crew, table)
    assert is_closed(table)


def test_an_emergency_that_was_none_is_no_finding_any_more(crew: Crew) -> None:
    table = nsw_table(crew)
    closure = close_in_emergency(
        table=table, players_present=True, streak_in_progress=False, reason="Fire.", actor=crew.gina, now=START
    )
    assert codes(crew) == ["CLOSE-NO-SIGN"]
    withdraw(crew, last_step(closure, ClosureState.CLOSED).entry_index, crew.sid)
    assert codes(crew) == []
    assert misfits() == []


def test_an_opening_recorded_in_error(crew: Crew) -> None:
    table = nsw_table(crew)
    closure = closed(crew, table)
    reopen_table(table=table, actor=crew.gina, now=AT + MINUTE)
    with pytest.raises(StillNeeded, match="was opened again"):
        withdraw(crew, last_step(closure, ClosureState.CLOSED).entry_index, crew.gina)
    consume_table_entries()
    withdraw(crew, last_step(closure, ClosureState.REOPENED).entry_index, crew.gina)
    closure.refresh_from_db()
    assert closure.state == ClosureState.CLOSED
    assert is_closed(table)
    consume_table_entries()
    assert TableState.objects.get(table=table.slug).is_open is False
    reopen_table(table=table, actor=crew.gina, now=LATER + MINUTE)
    assert misfits() == []


def test_an_opening_stays_while_the_table_is_to_close_again(crew: Crew) -> None:
    table = nsw_table(crew)
    closure = closed(crew, table)
    reopen_table(table=table, actor=crew.gina, now=AT + MINUTE)
    announce_closure(
        table=table,
        closes_at=None,
        players_present=False,
        streak_in_progress=False,
        actor=crew.sid,
        now=AT + 2 * MINUTE,
    )
    with pytest.raises(StillNeeded, match="a later closing"):
        withdraw(crew, last_step(closure, ClosureState.REOPENED).entry_index, crew.gina)


def test_the_database_moves_a_closing_back_only_after_a_withdrawal(crew: Crew) -> None:
    closure = closed(crew, nsw_table(crew))
    with pytest.raises(IntegrityError, match="does not become"), transaction.atomic():
        Closure.objects.filter(pk=closure.pk).update(state=ClosureState.WITHDRAWN)
    step = last_step(closure, ClosureState.CLOSED)
    step.pk, step.entry_index = None, 900_001
    with pytest.raises(IntegrityError, match="stands already"), transaction.atomic():
        step.save(force_insert=True)


def test_a_sign_that_never_stood(crew: Crew) -> None:
    """NSW 9.8: twenty minutes of notice. Without the sign the closing is in breach, once it is audited again."""
    table = nsw_table(crew)
    closure = closed(crew, table)
    assert codes(crew) == []
    showing = Showing.objects.get()
    withdraw(crew, showing.shown_index, crew.gina)
    assert codes(crew) == ["CLOSE-NO-SIGN"]
    assert closure.sign is not None
    assert clock_of(closure.sign, AT).intervals == ()
    assert not Showing.objects.exists()
    assert misfits() == []


def test_a_sign_that_is_said_to_be_up_is_not_any_more(crew: Crew) -> None:
    _, sign = announced(crew, nsw_table(crew))
    showing = Showing.objects.get()
    assert clock_of(sign, AT).is_notice_complete
    withdraw(crew, showing.shown_index, crew.gina)
    assert not clock_of(sign, AT).is_up
    put_up(crew, sign, LATER + MINUTE)
    assert clock_of(sign, LATER + 2 * MINUTE).displayed_since == LATER + MINUTE
    assert misfits() == []


def test_a_removal_recorded_in_error(crew: Crew) -> None:
    """The clock never stopped, so the table closes in time; without the withdrawal it would not."""
    closure, sign = announced(crew, nsw_table(crew))
    take_down_sign(sign=sign, actor=crew.gina, now=START + 5 * MINUTE)
    removed = Showing.objects.get().removed_index
    assert removed is not None
    with pytest.raises(IntegrityError, match="unless its removal is withdrawn"), transaction.atomic():
        Showing.objects.update(until_at=None, was_lost=None, removed_index=None)
    withdraw(crew, removed, crew.sid, START + 6 * MINUTE)
    assert clock_of(sign, AT).is_notice_complete
    close_table(closure=closure, actor=crew.gina, now=AT)
    assert codes(crew) == []
    assert misfits() == []


def test_a_removal_stays_when_the_sign_went_up_again(crew: Crew) -> None:
    _, sign = announced(crew, nsw_table(crew))
    take_down_sign(sign=sign, actor=crew.gina, now=START + 5 * MINUTE)
    put_up(crew, sign, START + 6 * MINUTE)
    removed = Showing.objects.get(removed_index__isnull=False).removed_index
    assert removed is not None
    with pytest.raises(StillNeeded, match="went up again"):
        withdraw(crew, removed, crew.gina)


def test_what_a_display_reports_is_not_withdrawn(crew: Crew) -> None:
    table = nsw_table(crew)
    closure = announce_closure(
        table=table, closes_at=AT, players_present=True, streak_in_progress=False, actor=crew.sid, now=START
    )
    assert closure.sign is not None
    display = add_display(table=table, name="Left", actor=crew.sid, now=START).display
    refresh_display(display=display, shown=[closure.sign.name], now=START)
    with pytest.raises(NotFound):
        withdraw(crew, Showing.objects.get().shown_index, crew.sid)


def test_the_pages(crew: Crew) -> None:
    table = nsw_table(crew)
    closure = closed(crew, table)
    step, showing = last_step(closure, ClosureState.CLOSED), Showing.objects.get()
    for address, index in (
        (f"/casinos/harbour/closures/tables/{table.slug}/", step.entry_index),
        (f"/casinos/harbour/signs/tables/{table.slug}/", showing.shown_index),
    ):
        page = f"/casinos/harbour/entries/{index}/withdraw/"
        gina, sue = browser_of(crew.gina), browser_of(crew.cast.ines)
        assert page in gina.get(address).content.decode()
        assert page not in sue.get(address).content.decode()
        assert gina.post(page, {"reason": "Tapped by mistake."}).status_code in (200, 302)
    with pytest.raises(NotAuthorOrSuperior):
        withdraw(crew, showing.shown_index, crew.cast.ines)


def test_the_app_role_cannot_restore_a_showing(crew: Crew) -> None:
    announced(crew, nsw_table(crew))
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE signs_showing SET shown_index = shown_index + 1")
