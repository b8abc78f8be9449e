"""Saved views of an earlier release: they open and find new rows after the column with the table's id is gone."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection

from compliance.notify.saved_views.models import SavedView
from compliance.notify.saved_views.services import subscribe
from compliance.notify.saved_views.states import Frequency
from compliance.notify.saved_views.subscriptions.new_rows import check_due_subscriptions
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.reviews.scenario import ReviewScenario, many_reviews
from tests.compliance.notify.saved_views.save_view import QUEUE, keep

BEFORE = ("saved", "0004_emails_to_outbox")
INSERT = """
INSERT INTO saved_savedview
    (owner_id, casino_id, path, table_id, list_words, query, name, shared_with, is_usual, kept_at)
SELECT owner_id, casino_id, path, %s, list_words, query, %s, shared_with, is_usual, kept_at
FROM saved_savedview WHERE name = 'Pattern'
"""


@pytest.mark.django_db(transaction=True)
def test_views_kept_by_an_earlier_release_open_and_tell(committed_office: ReviewScenario) -> None:
    office = committed_office
    many_reviews(office, 2)
    keep(office.ines, f"{QUEUE}?severity=serious&sort=-code", name="Pattern")
    call_command("migrate", *BEFORE, verbosity=0)
    try:
        with connection.cursor() as cursor:
            cursor.execute(INSERT, ["table", "Told"])
            cursor.execute(INSERT, ["", "Not told"])
    finally:
        call_command("migrate", verbosity=0)
    told, other = SavedView.objects.get(name="Told"), SavedView.objects.get(name="Not told")
    assert (told.path, told.query, told.is_subscribable) == (QUEUE, "severity=serious&sort=-code", True)
    assert browser_of(office.ines).get(told.open_url)["Location"] == told.list_url
    assert browser_of(office.ines).get(told.list_url).status_code == 200
    assert other.is_subscribable, "the list decides it, and not what was stored"
    subscribe(view=told, every=Frequency.ONCE, actor=office.ines, now=told.kept_at)
    many_reviews(office, 3, first=3)
    assert check_due_subscriptions(lambda: told.kept_at + timedelta(hours=1)) == 1
