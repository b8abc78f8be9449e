"""The page of a casino's feeds: with none, one and many feeds."""

from datetime import timedelta

from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from rounds.floor.models import Controller
from rounds.intake.models import Feed
from tests.compliance.core.accounts.people import browser_of
from tests.rounds.floor.crew import Crew
from tests.rounds.intake.controller_client import Feeder

PAGE = "/casinos/harbour/floor/feeds/"


def page_for(crew: Crew) -> str:
    return browser_of(crew.sid).get(PAGE).content.decode()


def test_before_anything_came_the_page_says_so(crew: Crew) -> None:
    assert "No controller has sent anything yet." in page_for(crew)


def test_a_feed_with_gaps_a_wrong_clock_and_refused_lines_is_told_as_it_is(crew: Crew, feeder: Feeder) -> None:
    slow = (timezone.now() - timedelta(seconds=90)).isoformat()
    assert feeder.send(feeder.line_at(1), feeder.line_at(4), sent_at=slow).status_code == 200
    feeder.send(feeder.line_at(5, dice=[1, 2, 7]))
    page = page_for(crew)
    for words in ("sb-1", "Box box-1", "Gaps", "s slow", "Quarantine: 1 waiting"):
        assert words in page
    Feed.objects.update(last_seen_at=timezone.now() - timedelta(seconds=31))
    assert "Silent" in page_for(crew)


def test_the_floor_leads_there_and_the_menu_has_one_way_only(crew: Crew) -> None:
    page = browser_of(crew.sid).get("/casinos/harbour/floor/").content.decode()
    assert page.count(f'href="{PAGE}"') == 1
    assert 'href="/feeds/"' not in page


def test_batches_under_unknown_keys_are_told_to_those_who_look_after_feeds(crew: Crew, feeder: Feeder) -> None:
    assert "keys that no controller has" not in page_for(crew)
    Feeder(key_id="f" * 16).send(feeder.line())
    assert "keys that no controller has" in page_for(crew)


def test_ten_thousand_feeds_are_listed_as_quickly_as_one(
    crew: Crew, feeder: Feeder, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    controller, now = Controller.objects.get(), timezone.now()
    Feed.objects.bulk_create(
        Feed(casino=crew.harbour, controller=controller, table=f"t-{number:05}", last_seen_at=now)
        for number in range(10_000)
    )
    browser = browser_of(crew.sid)
    with django_assert_max_num_queries(13):
        page = browser.get(PAGE).content.decode()
    assert "1 to 50 of 10,000" in page
