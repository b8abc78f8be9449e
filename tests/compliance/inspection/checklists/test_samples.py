"""Samples: the seed is recorded before the draw, the draw is reproducible, and each round is rechecked."""

import hashlib
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from compliance.audit.models import Finding, PackedRound
from compliance.core.web.errors import NotFound
from compliance.inspection.checklists.answer_choices import RoundVerdict
from compliance.inspection.checklists.errors import CheckedMeanwhile, DrawnAlready, NothingToDraw
from compliance.inspection.checklists.models import RoundCheck, Sample, SampledRound
from compliance.inspection.checklists.recheck import recheck_rounds
from compliance.inspection.checklists.sampling.seeded_selection import draw_rounds
from compliance.inspection.checklists.services import draw_sample, record_round_check, seed_sample
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.search import size_of
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.checklists.scenario import SINCE, UNTIL, ChecklistScenario

HOME = "/casinos/harbour/checklists/"


@pytest.fixture
def inspector(desk: ChecklistScenario) -> Client:
    return browser_of(desk.ines)


def smallest(seed: str, indexes: list[int], size: int) -> list[int]:
    """The rule of the help page, computed independently."""
    return sorted(indexes, key=lambda index: hashlib.sha256(f"{seed}/{index}".encode()).digest())[:size]


def test_the_seed_is_in_the_log_before_the_draw_and_decides_it_alone(desk: ChecklistScenario) -> None:
    played = desk.play(honest=12)
    sample = desk.sample(5)
    seeded, drawn = read_entries("harbour", sample.entry_index, size_of("harbour"))
    assert (seeded.kind, drawn.kind) == ("sample-seeded", "sample-drawn")
    assert seeded.content()["seed"] == sample.seed
    assert len(sample.seed) == 32
    expected = smallest(sample.seed, played, 5)
    assert drawn.content()["rounds"] == expected
    assert drawn.content()["population"] == 12
    assert [row.round_index for row in sample.sampled_rounds.all()] == expected


def test_the_same_seed_draws_the_same_whatever_was_played_or_taken_back_since(desk: ChecklistScenario) -> None:
    desk.play(honest=8)
    sample = desk.sample(3)
    then = draw_rounds(sample)
    desk.play(honest=8)
    # A correction recorded after the sample's population.
    PackedRound.objects.filter(entry_index=then.rounds[0].index).update(taken_back_index=sample.up_to)
    assert draw_rounds(sample) == then
    other = desk.sample(3)
    assert other.seed != sample.seed
    assert draw_rounds(other).population == 15, "what is taken back by now is not drawn any more"


def test_tables_times_and_what_is_not_audited_narrow_what_can_be_drawn(desk: ChecklistScenario) -> None:
    desk.play(honest=2)
    desk.second_table("sb-2")
    desk.house.play((1, 2, 3), table="sb-2")
    desk.office.audit()
    assert desk.sample(50).draw.population == 3
    assert desk.sample(50, tables=["sb-2"]).draw.population == 1
    with pytest.raises(NothingToDraw):
        desk.sample(1, since=UNTIL, until=UNTIL + timedelta(days=1))
    assert Sample.objects.count() == 2, "a refused sample leaves no seed"
    desk.house.play((1, 2, 3), table="sb-2")
    assert desk.sample(50).draw.population == 3, "a round that is not audited yet cannot be drawn"


def test_a_sample_is_drawn_once_and_by_government_alone(desk: ChecklistScenario) -> None:
    desk.play(honest=2)
    sample = desk.sample(1)
    with pytest.raises(DrawnAlready):
        draw_sample(sample=sample, now=desk.now)
    for person in (desk.office.cora, desk.office.sid, desk.house.crew.cast.otto):
        with pytest.raises(NotFound):
            seed_sample(
                casino=desk.casino,
                purpose="x",
                since=SINCE,
                until=UNTIL,
                tables=[],
                size=1,
                actor=person,
                now=desk.now,
            )


def test_each_look_is_an_entry_and_the_note_is_not_in_it(desk: ChecklistScenario) -> None:
    desk.play(overpaid=1)
    sampled = desk.sample(1).sampled_rounds.get()
    look = {"sampled": sampled, "note": "I saw the tape.", "actor": desk.ines, "now": desk.now}
    check = record_round_check(verdict=RoundVerdict.NOT_IN_ORDER, expected_checks=0, **look)  # type: ignore[arg-type]
    assert (check.was_same, check.codes) == (True, ["SETTLE-OVERPAID"])
    [entry] = read_entries("harbour", check.entry_index, check.entry_index + 1)
    assert entry.content()["codes"] == ["SETTLE-OVERPAID"]
    assert b"tape" not in entry.body
    with pytest.raises(CheckedMeanwhile):
        record_round_check(verdict=RoundVerdict.IN_ORDER, expected_checks=0, **look)  # type: ignore[arg-type]
    record_round_check(verdict=RoundVerdict.IN_ORDER, expected_checks=1, **look)  # type: ignore[arg-type]
    assert list(RoundCheck.objects.values_list("number", "verdict")) == [(1, "not-in-order"), (2, "in-order")]


def test_a_fresh_judgement_differs_where_the_record_of_the_audit_was_changed(desk: ChecklistScenario) -> None:
    honest, overpaid = desk.play(honest=1, overpaid=1)
    judged = recheck_rounds(desk.casino, [honest, overpaid])
    assert [(one.is_same, one.codes) for one in judged.values()] == [(True, []), (True, ["SETTLE-OVERPAID"])]
    # Simulates tampering with the audit's table: only the stored bytes remain.
    Finding.objects.filter(subject_index=overpaid).update(
        superseded_at=timezone.now(), superseded_index=9, superseded_reason="Gone."
    )
    assert not recheck_rounds(desk.casino, [overpaid])[overpaid].is_same


def test_a_sample_is_walked_page_by_page_and_progress_is_kept(desk: ChecklistScenario, inspector: Client) -> None:
    desk.play(honest=2, overpaid=1)
    typed = {
        "purpose": "Night shift",
        "since": "2026-11-16T11:00",
        "until": "2026-11-17T11:00",
        "size": "3",
    }
    assert "(sb-1)" in inspector.get("/casinos/harbour/samples/new/").content.decode()
    page = inspector.post("/casinos/harbour/samples/new/", typed, follow=True)
    assert "0 of 3" in page.content.decode()
    sample = Sample.objects.get()
    address = f"/casinos/harbour/samples/{sample.entry_index}/"
    walked = inspector.get(f"{address}rounds/1/").content.decode()
    assert "the same came out as the audit had recorded" in walked
    assert "$25.00" in walked
    refused = inspector.post(f"{address}rounds/1/", {"verdict": "not-in-order", "note": "", "seen": "0"})
    assert "Say what is not in order." in refused.content.decode()
    answer = inspector.post(f"{address}rounds/1/", {"verdict": "in-order", "note": "", "seen": "0"})
    assert answer["Location"] == f"{address}rounds/2/"
    assert "1 of 3" in inspector.get(address).content.decode()
    late = inspector.post(f"{address}rounds/1/", {"verdict": "in-order", "note": "Kept words.", "seen": "0"})
    assert "Somebody looked at this round" in late.content.decode()
    assert "Kept words." in late.content.decode()
    assert "The seed draws the same rounds" in inspector.get(f"{address}again/").content.decode()


def test_a_seed_without_its_draw_is_drawn_later(desk: ChecklistScenario, inspector: Client) -> None:
    desk.play(honest=1)
    sample = seed_sample(
        casino=desk.casino, purpose="x", since=SINCE, until=UNTIL, tables=[], size=1, actor=desk.ines, now=desk.now
    )
    address = f"/casinos/harbour/samples/{sample.entry_index}/"
    assert inspector.get(f"{address}again/").status_code == 404
    assert "0 of 1 round weighed" in inspector.get(address).content.decode(), "a worker will find it"
    assert "0 of 1<" in inspector.post(f"{address}draw/", follow=True).content.decode()


def test_the_database_keeps_what_was_drawn(desk: ChecklistScenario) -> None:
    desk.play(honest=2)
    sample = desk.sample(1)
    for statement in (
        "UPDATE checklists_sample SET seed = 'x'",
        "DELETE FROM checklists_draw",
        "UPDATE checklists_sampledround SET round_index = round_index + 1",
    ):
        with (
            pytest.raises(Exception, match=r"refused|denied|keeps"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)
    with pytest.raises(IntegrityError), transaction.atomic():
        SampledRound.objects.create(sample=sample, place=1, round_index=9, table="", started_at=desk.now)


def test_ten_thousand_samples_and_a_thousand_rounds_take_as_many_queries_as_one(
    desk: ChecklistScenario, inspector: Client
) -> None:
    desk.play(honest=1)
    assert "No sample was drawn yet." in inspector.get(HOME).content.decode()
    sample = desk.sample(1)
    one_list, one_sample = queries(inspector, HOME), queries(inspector, f"{HOME}../samples/{sample.entry_index}/")
    rows = [
        Sample(
            log="harbour",
            entry_index=100_000 + number,
            casino=desk.casino,
            purpose=f"Sample {number}",
            since=SINCE,
            until=UNTIL,
            tables=[],
            size=1,
            up_to=1,
            seed="00",
            seeded_by=desk.ines,
            seeded_by_name="Ines",
            seeded_at=desk.now,
        )
        for number in range(10_000)
    ]
    Sample.objects.bulk_create(rows, batch_size=2_000)
    SampledRound.objects.bulk_create(
        SampledRound(sample=sample, place=place, round_index=place + 50_000, table="sb-1", started_at=desk.now)
        for place in range(2, 1_001)
    )
    assert "10,001" in inspector.get(HOME).content.decode()
    assert queries(inspector, HOME) == one_list
    assert queries(inspector, f"{HOME}../samples/{sample.entry_index}/") == one_sample


def queries(browser: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as found:
        assert browser.get(address.replace("checklists/../", "")).status_code == 200
    return len(found)
