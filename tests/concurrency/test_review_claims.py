"""Many inspectors ask for the next finding at once, on separate connections: no two get the same."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from compliance.inspection.reviews.models import Review
from compliance.inspection.reviews.services import claim_next_finding
from tests.compliance.inspection.reviews.conftest import (
    committed_crew,
    committed_house,
    committed_office,
    quick_passwords,
)
from tests.compliance.inspection.reviews.scenario import ReviewScenario, many_reviews

__all__ = ["committed_crew", "committed_house", "committed_office", "quick_passwords"]


def test_no_two_people_get_the_same_finding(committed_office: ReviewScenario) -> None:
    office = committed_office
    many_reviews(office, 12)
    people = [office.ines, office.iris, office.olga]
    start = Barrier(len(people))

    def work(place: int) -> list[int]:
        taken = []
        for _ in range(4):
            start.wait(timeout=60)
            review = claim_next_finding(casino=office.casino, actor=people[place], now=office.now)
            taken.append(review.pk)
            # Decided, so that the same person is given another one.
            Review.objects.filter(pk=review.pk).update(state="decided")
        connection.close()
        return taken

    with ThreadPoolExecutor(len(people)) as pool:
        taken = [pk for each in pool.map(work, range(len(people))) for pk in each]
    assert len(taken) == len(set(taken)) == 12
