"""Large draws: run by workers, resumed after interruption, cancelled, idempotent, failing with a plain message."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.test import Client

from compliance.audit.models import PackedRound
from compliance.core.web.errors import NotFound
from compliance.core.web.jobs.job import JobCancelled, JobEnded, JobState
from compliance.inspection.checklists.errors import DrawnAlready, DrawStopped
from compliance.inspection.checklists.models import Draw, DrawJob, Sample
from compliance.inspection.checklists.sampling import seeded_selection
from compliance.inspection.checklists.sampling.seeded_selection import draw_rounds
from compliance.inspection.checklists.sampling.weights import RoundWeigher
from compliance.inspection.checklists.services import draw_sample, draws, seed_sample
from compliance.inspection.checklists.services.draws import (
    cancel_draw,
    finish_draw,
    request_draw,
    run_waiting_draws,
    weigh_next_range,
)
from rounds.ledger.readers.search import size_of
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.checklists.scenario import SINCE, UNTIL, ChecklistScenario
from tests.compliance.inspection.checklists.test_weighted_samples import BY_STAKE_AND_FINDING, by_hand, play_mixed

TYPED = {"purpose": "The quarter", "since": "2026-11-16T11:00", "until": "2026-11-17T11:00", "size": "4"}
WEIGHTED = "/casinos/harbour/samples/new/weighted/"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lowers the limits: three rounds count as large, and a step has three entries."""
    monkeypatch.setattr(draws, "MAX_IMMEDIATE_ROUNDS", 3)
    for module in (draws, seeded_selection):
        monkeypatch.setattr(module, "ENTRIES_PER_STEP", 3)


def seed(desk: ChecklistScenario, size: int = 5) -> Sample:
    return seed_sample(
        casino=desk.casino,
        purpose="The quarter",
        since=SINCE,
        until=UNTIL,
        tables=[],
        size=size,
        factors=BY_STAKE_AND_FINDING,
        actor=desk.ines,
        now=desk.now,
    )


def text(browser: Client, address: str) -> str:
    return browser.get(address).content.decode()


@pytest.mark.usefixtures("few")
def test_many_rounds_are_left_to_a_worker_and_the_page_shows_how_far_it_is(desk: ChecklistScenario) -> None:
    play_mixed(desk)
    browser = browser_of(desk.ines)
    asked = browser.post(WEIGHTED, TYPED | {"finding": "4"})
    sample, address = Sample.objects.get(), asked["Location"]
    assert size_of("harbour") == sample.entry_index + 1, "weights and seed are recorded, and no draw"
    assert "0 of 13 rounds weighed" in text(browser, address)
    assert "Look at the next round" not in text(browser, address)
    assert run_waiting_draws(lambda: desk.now, lambda: DrawJob.objects.get().weighed > 3)
    part = browser.get(f"{address}draw/progress/")
    assert f"{DrawJob.objects.get().weighed} of 13 rounds weighed" in part.content.decode()
    assert "HX-Refresh" not in part
    assert not run_waiting_draws(lambda: desk.now)
    assert browser.get(f"{address}draw/progress/")["HX-Refresh"] == "true"
    page = text(browser, address)
    assert "0 of 4" in page
    assert "rounds weighed" not in page


@pytest.mark.usefixtures("few")
def test_many_rounds_are_drawn_again_by_a_worker_and_compared(desk: ChecklistScenario) -> None:
    play_mixed(desk)
    sample = desk.sample(4, factors=BY_STAKE_AND_FINDING)
    browser, address = browser_of(desk.ines), f"/casinos/harbour/samples/{sample.entry_index}/again/"
    size = size_of("harbour")
    before = text(browser, address)
    assert f"{sample}: draw it again" in before
    assert "The seed" not in before
    assert "compared as well" not in before, "nothing was compared yet"
    for _ in range(2):
        assert "0 of 13 rounds weighed" in browser.post(address, follow=True).content.decode()
    assert "HX-Refresh" not in browser.get(f"{address}progress/")
    run_waiting_draws(lambda: desk.now)
    assert browser.get(f"{address}progress/")["HX-Refresh"] == "true"
    after = text(browser, address)
    assert "The seed draws the same rounds as it did then" in after
    assert "compared as well" in after
    PackedRound.objects.filter(entry_index=sample.draw.rounds[0]).delete()
    browser.post(address)
    run_waiting_draws(lambda: desk.now)
    assert "The seed now draws other rounds than were recorded" in text(browser, address)
    assert list(DrawJob.objects.filter(is_again=True).values_list("was_same", flat=True)) == [True, False]
    assert size_of("harbour") == size, "comparing records nothing"


def test_few_rounds_are_drawn_at_once(desk: ChecklistScenario) -> None:
    desk.play(honest=3)
    page = browser_of(desk.ines).post(WEIGHTED, TYPED | {"finding": "4"}, follow=True).content.decode()
    assert "0 of 3" in page
    assert not run_waiting_draws(lambda: desk.now)


@pytest.mark.usefixtures("few")
def test_whoever_weighs_however_often_and_in_whatever_pieces_the_same_is_drawn_once(desk: ChecklistScenario) -> None:
    play_mixed(desk)
    sample = seed(desk)
    steps = 0
    while run_waiting_draws(lambda: desk.now, lambda: True):
        steps += 1
    assert steps > 3
    draw = Draw.objects.get()
    assert draw.rounds == by_hand(sample.seed, 5)[0] == [one.index for one in draw_rounds(sample).rounds]
    assert draw.weighed == draw_rounds(sample).weights_body()
    size = size_of("harbour")
    assert not run_waiting_draws(lambda: desk.now)
    assert size_of("harbour") == size
    assert DrawJob.objects.get().so_far == {}


@pytest.mark.usefixtures("few")
def test_one_who_weighs_slowly_does_not_undo_what_another_weighed_meanwhile(desk: ChecklistScenario) -> None:
    play_mixed(desk)
    sample = seed(desk)
    slow = DrawJob.objects.get()
    steps = iter((False, True))
    assert run_waiting_draws(lambda: desk.now, lambda: next(steps))
    meanwhile = DrawJob.objects.get()
    assert meanwhile.reached > slow.reached
    weigh_next_range(slow, RoundWeigher(sample))
    after = DrawJob.objects.get()
    assert (after.reached, after.weighed, after.so_far) == (meanwhile.reached, meanwhile.weighed, meanwhile.so_far)


@pytest.mark.usefixtures("few")
def test_a_stretch_that_is_begun_three_times_and_never_finished_fails_the_draw_in_plain_words(
    desk: ChecklistScenario,
) -> None:
    play_mixed(desk)
    sample, other = seed(desk), seed(desk)
    whole = PackedRound.objects.filter(entry_index__lt=sample.up_to).order_by("entry_index").last()
    assert whole is not None
    PackedRound.objects.filter(pk=whole.pk).update(wagers=b"torn")
    for _ in range(6):
        with pytest.raises(ValueError, match="buffer size"):
            run_waiting_draws(lambda: desk.now)
    assert not run_waiting_draws(lambda: desk.now)
    assert DrawJob.objects.filter(state=JobState.FAILED).count() == 2, "one does not keep the other waiting"
    browser, address = browser_of(desk.ines), f"/casinos/harbour/samples/{sample.entry_index}/"
    assert "begun to be weighed three times and never finished" in text(browser, address)
    assert "Failed" in text(browser, "/casinos/harbour/checklists/")
    assert browser.get(f"{address}draw/progress/")["HX-Refresh"] == "true"
    PackedRound.objects.filter(pk=whole.pk).update(wagers=whole.wagers)
    assert "0 of 13 rounds weighed" in browser.post(f"{address}draw/", follow=True).content.decode()
    run_waiting_draws(lambda: desk.now)
    assert Draw.objects.get().rounds == by_hand(sample.seed, 5)[0]
    assert "Draw it now" not in text(browser, f"/casinos/harbour/samples/{other.entry_index}/")
    assert "Try again" in text(browser, f"/casinos/harbour/samples/{other.entry_index}/")


@pytest.mark.usefixtures("few")
def test_a_draw_is_cancelled_while_it_waits_and_while_rounds_are_weighed_and_draws_the_same_when_tried_again(
    desk: ChecklistScenario,
) -> None:
    play_mixed(desk)
    sample = seed(desk)
    browser, address = browser_of(desk.ines), f"/casinos/harbour/samples/{sample.entry_index}/"
    size = size_of("harbour")
    page = browser.post(f"{address}draw/cancel/", follow=True).content.decode()
    for words in ("The draw is cancelled.", "Ines cancelled it before it was done.", "Try again</button>"):
        assert words in page, words
    assert "Draw it now" not in page
    assert "Cancelled" in text(browser, "/casinos/harbour/checklists/")
    assert browser.get(f"{address}draw/progress/")["HX-Refresh"] == "true"
    assert browser.post(f"{address}draw/cancel/").status_code == 409, "sent twice"
    assert not run_waiting_draws(lambda: desk.now)
    for _ in range(2):
        page = browser.post(f"{address}draw/", follow=True).content.decode()
        assert "The draw was started." in page
        assert "Cancel</button>" in page
    assert run_waiting_draws(lambda: desk.now, lambda: DrawJob.objects.get().weighed > 3)
    slow = DrawJob.objects.get()
    cancel_draw(sample=sample, actor=desk.ines, now=desk.now)
    weigh_next_range(slow, RoundWeigher(sample))
    assert DrawJob.objects.get().reached == slow.reached, "nothing is saved after it was cancelled"
    assert not run_waiting_draws(lambda: desk.now)
    assert not Draw.objects.exists()
    assert size_of("harbour") == size, "nothing is recorded by a draw that was cancelled"
    job = request_draw(sample=sample, actor=desk.ines)
    assert (job.reached, job.weighed, job.so_far, job.attempts) == (job.first, 0, {}, 0)
    run_waiting_draws(lambda: desk.now)
    assert Draw.objects.get().rounds == by_hand(sample.seed, 5)[0]
    assert browser.post(f"{address}draw/cancel/").status_code == 409, "too late"


@pytest.mark.usefixtures("few")
def test_a_draw_that_is_cancelled_before_its_last_step_records_nothing(desk: ChecklistScenario) -> None:
    play_mixed(desk)
    sample = seed(desk)
    assert run_waiting_draws(lambda: desk.now, lambda: DrawJob.objects.get().is_fully_weighed)
    finished = DrawJob.objects.get()
    cancel_draw(sample=sample, actor=desk.ines, now=desk.now)
    with pytest.raises(JobCancelled):
        finish_draw(job=finished, sample=sample, now=desk.now)
    assert not Draw.objects.exists()
    with pytest.raises(DrawStopped, match="Ines cancelled it"):
        draw_sample(sample=sample, now=desk.now)


@pytest.mark.usefixtures("few")
def test_a_repeated_draw_is_cancelled_and_tried_again(desk: ChecklistScenario) -> None:
    play_mixed(desk)
    sample = desk.sample(4, factors=BY_STAKE_AND_FINDING)
    browser, address = browser_of(desk.ines), f"/casinos/harbour/samples/{sample.entry_index}/again/"
    assert browser.post(f"{address}cancel/").status_code == 409, "there is none"
    assert "Cancel</button>" in browser.post(address, follow=True).content.decode()
    page = browser.post(f"{address}cancel/", follow=True).content.decode()
    assert "Ines cancelled it before it was done." in page
    assert page.count("</button>") == text(browser, f"{address}../").count("</button>") + 1, "only Try again"
    assert not run_waiting_draws(lambda: desk.now)
    browser.post(address)
    run_waiting_draws(lambda: desk.now)
    assert "The seed draws the same rounds as it did then" in text(browser, address)
    assert DrawJob.objects.get(is_again=True).was_same


def test_only_an_inspector_of_the_casino_cancels_a_draw(desk: ChecklistScenario) -> None:
    desk.play(honest=2)
    sample = seed(desk)
    for person in (desk.house.crew.cora, desk.house.crew.cast.otto):
        with pytest.raises(NotFound):
            cancel_draw(sample=sample, actor=person, now=desk.now)
    with pytest.raises(JobEnded):
        cancel_draw(sample=sample, is_again=True, actor=desk.ines, now=desk.now)
    assert DrawJob.objects.get().state == JobState.WAITING


def test_rounds_that_are_gone_when_they_are_weighed_fail_the_draw(desk: ChecklistScenario) -> None:
    play_mixed(desk)
    sample = seed(desk)
    PackedRound.objects.filter(entry_index__lt=sample.up_to)[:1].get().delete()
    with pytest.raises(DrawStopped, match="Out of 13 rounds it was to be drawn, and 12 were there"):
        draw_sample(sample=sample, now=desk.now)
    assert not Draw.objects.exists()
    request_draw(sample=sample, actor=desk.ines)
    assert draw_sample(sample=sample, now=desk.now).population == 12


def test_a_seed_from_before_draws_were_noted_is_drawn_when_somebody_asks(desk: ChecklistScenario) -> None:
    desk.play(honest=2)
    old = Sample.objects.create(
        log="harbour",
        entry_index=900,
        casino=desk.casino,
        purpose="Old",
        since=SINCE,
        until=UNTIL,
        tables=[],
        size=1,
        up_to=size_of("harbour"),
        seed="00",
        seeded_by=desk.ines,
        seeded_by_name="Ines",
        seeded_at=desk.now,
    )
    browser, address = browser_of(desk.ines), f"/casinos/harbour/samples/{old.entry_index}/"
    assert "Draw it now" in text(browser, address)
    assert "0 of 1" in browser.post(f"{address}draw/", follow=True).content.decode()
    assert "drawn before" in browser.post(f"{address}draw/", follow=True).content.decode()


def test_the_database_lets_no_draw_go_back_or_change_once_it_is_drawn(desk: ChecklistScenario) -> None:
    desk.play(honest=2)
    waiting, cancelled = seed(desk), seed(desk)
    cancel_draw(sample=cancelled, actor=desk.ines, now=desk.now)
    desk.sample(1)
    done = "state = 'done', cancelled_by_name = ''"
    for statement in (
        f"UPDATE checklists_drawing SET reached = first - 1 WHERE sample_id = {waiting.pk}",
        f"UPDATE checklists_drawing SET sample_id = sample_id + 9 WHERE sample_id = {waiting.pk}",
        f"UPDATE checklists_drawing SET {done} WHERE sample_id = {waiting.pk}",
        f"UPDATE checklists_drawing SET {done} WHERE sample_id = {cancelled.pk}",
        f"UPDATE checklists_drawing SET attempts = 0 WHERE sample_id > {cancelled.pk}",
        f"DELETE FROM checklists_drawing WHERE sample_id = {waiting.pk}",
    ):
        with (
            pytest.raises(Exception, match=r"refused|denied|goes on|does not become"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)


@pytest.mark.usefixtures("few")
def test_two_who_draw_at_the_same_time_draw_once(committed_desk: ChecklistScenario) -> None:
    play_mixed(committed_desk)
    sample = seed(committed_desk)

    def draw(_: int) -> list[int] | None:
        try:
            return list(draw_sample(sample=Sample.objects.get(pk=sample.pk), now=committed_desk.now).rounds)
        except DrawnAlready:
            return None
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as threads:
        found = [rounds for rounds in threads.map(draw, range(3)) if rounds is not None]
    assert found, "whoever comes when it is done is told so; nobody else is"
    assert found == [by_hand(sample.seed, 5)[0]] * len(found)
    assert Draw.objects.count() == 1
    assert size_of("harbour") == Draw.objects.get().entry_index + 1
