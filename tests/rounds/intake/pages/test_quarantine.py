"""Pages of quarantined lines: list, download of the bytes, marking as dealt with once, permissions."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from compliance.core.web.errors import NotFound
from rounds.floor.models import Controller
from rounds.intake.errors import AlreadyResolved
from rounds.intake.models import Quarantined, QuarantineResolution
from rounds.intake.selectors import access_quarantined
from rounds.intake.services.quarantine import resolve_quarantined_line
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.core.accounts.people import browser_of
from tests.rounds.floor.crew import Crew
from tests.rounds.intake.controller_client import Feeder

LIST = "/casinos/harbour/floor/quarantine/"


def refused(feeder: Feeder) -> Quarantined:
    feeder.send(feeder.line_at(7, dice=[1, 2, 7], lit=["<b>R7</b>"]))
    return Quarantined.objects.get()


def test_nothing_refused_is_said_plainly(crew: Crew) -> None:
    page = browser_of(crew.sid).get(LIST).content.decode()
    assert "Nothing was refused" in page


def test_a_refused_line_is_found_read_and_dealt_with(crew: Crew, feeder: Feeder) -> None:
    line = refused(feeder)
    browser = browser_of(crew.gina)
    assert (
        "A result is three whole numbers from 1 to 6." in browser.get(f"{LIST}?q=sb-1&state=waiting").content.decode()
    )
    page = browser.get(f"{LIST}{line.pk}/").content.decode()
    assert "&lt;b&gt;R7&lt;/b&gt;" in page
    assert browser.get(f"{LIST}{line.pk}/line.txt").content == bytes(line.line)
    empty = browser.post(f"{LIST}{line.pk}/deal-with/", {"note": " "})
    assert "Say what you found" in empty.content.decode()
    done = browser.post(f"{LIST}{line.pk}/deal-with/", {"note": "Firmware 2.1 was put on."}, follow=True)
    assert "Firmware 2.1 was put on." in done.content.decode()
    assert "No line fits this search." in browser.get(f"{LIST}?state=waiting").content.decode()
    [entry] = [one for one in read_entries("harbour", 0, 10**6) if one.kind == "quarantine-dealt-with"]
    assert entry.content() == {
        "by": {"id": crew.gina.pk, "name": "Gina"},
        "note": "Firmware 2.1 was put on.",
        "quarantined": line.entry_index,
    }
    assert verify_log("harbour").issues == ()


def test_the_second_to_deal_with_it_is_told(crew: Crew, feeder: Feeder) -> None:
    line = refused(feeder)
    resolve_quarantined_line(quarantined=line, note="Seen.", actor=crew.sid, now=timezone.now())
    with pytest.raises(AlreadyResolved):
        resolve_quarantined_line(quarantined=line, note="Seen too.", actor=crew.gina, now=timezone.now())
    again = browser_of(crew.gina).post(f"{LIST}{line.pk}/deal-with/", {"note": "Seen too."}).content.decode()
    assert "another person marked the line meanwhile" in again
    assert "Seen too." in again
    assert QuarantineResolution.objects.count() == 1


def test_nobody_else_gets_at_it(crew: Crew, feeder: Feeder) -> None:
    line = refused(feeder)
    assert access_quarantined(crew.cast.ines, crew.harbour, line.pk) == line
    for person, casino in (
        (crew.cast.mara, crew.harbour),
        (crew.cast.otto, crew.harbour),
        (crew.sid, crew.cast.marina),
    ):
        with pytest.raises(NotFound):
            access_quarantined(person, casino, line.pk)


@pytest.mark.parametrize("table", ["intake_quarantined", "intake_dealtwith"])
def test_neither_line_nor_mark_can_be_removed_or_rewritten(crew: Crew, feeder: Feeder, table: str) -> None:
    resolve_quarantined_line(quarantined=refused(feeder), note="Seen.", actor=crew.sid, now=timezone.now())
    for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET log = 'x'", f"TRUNCATE {table} CASCADE"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def test_ten_thousand_lines_are_listed_as_quickly_as_one(
    crew: Crew, feeder: Feeder, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    controller = Controller.objects.get()
    start = timezone.now() - timedelta(days=1)
    Quarantined.objects.bulk_create(
        Quarantined(
            log="harbour",
            entry_index=10_000 + number,
            casino=crew.harbour,
            controller=controller,
            table="sb-1",
            sequence=number,
            line_number=1,
            line=b"{}",
            line_sha256=number.to_bytes(32, "big"),
            code="not-json",
            sentence="The line is not one whole JSON object.",
            received_at=start + timedelta(seconds=number),
        )
        for number in range(10_000)
    )
    browser = browser_of(crew.sid)
    with django_assert_max_num_queries(12):
        page = browser.get(LIST).content.decode()
    assert "1 to 50 of 10,000" in page
