"""The inbox, an alert with its steps, one tap to acknowledge, the block, and the ladder's pages."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.core.web.mail.outbox import send_due_emails
from compliance.notify.alerts.mailer import escalate_due
from compliance.notify.alerts.models import Alert, EscalationRule
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.core.web.mail.mail_server import Mailbox
from tests.compliance.notify.alerts.alert_scenario import House, after, lights_failed

INBOX = "/casinos/harbour/alerts/"


def page(person: User, address: str) -> str:
    response = browser_of(person).get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def test_an_inspector_acknowledges_with_one_tap_from_home_to_the_record(house: House, mailbox: Mailbox) -> None:
    alert = lights_failed(house)
    send_due_emails(lambda: after(3))
    where = f"{INBOX}{alert.entry_index}/"
    assert f'href="{where}"' in page(house.ines, "/")
    before = page(house.ines, where)
    assert "From the fact to the first e-mail" in before
    assert "3.0 s" in before
    assert "Not yet" in before
    inspector = browser_of(house.ines)
    response = inspector.post(f"{where}acknowledge/", follow=True)
    text = response.content.decode()
    assert f"{alert.reference} is acknowledged in your name." in text
    assert "Ines (Inspector)" in text
    assert "acknowledge/" not in text, "there is nothing left to tap"
    assert f'href="{where}"' not in page(house.ines, "/")
    again = browser_of(house.ivan).post(f"{where}acknowledge/", follow=True).content.decode()
    assert "Ines acknowledged it before you." in again


def test_pages_show_the_times_of_a_statement_in_local_time(house: House) -> None:
    alert = lights_failed(house, statement=f"Nobody had been told by {after(0):%H:%M:%S} UTC.")
    local = f"told by {after(0).astimezone(house.harbour.zone):%H:%M:%S} AEDT."
    for where in ("/", INBOX, f"{INBOX}{alert.entry_index}/", reverse("alerts:block", args=["harbour", "sb-1"])):
        text = page(house.ines, where)
        assert local in text, where
        assert alert.statement not in text, where


def test_supervisors_see_what_was_told_and_cannot_tap_for_the_inspector(house: House) -> None:
    alert = lights_failed(house)
    where = f"{INBOX}{alert.entry_index}/"
    assert "acknowledge/" not in page(house.sam, where)
    assert browser_of(house.sam).post(f"{where}acknowledge/").status_code == 403
    alert.refresh_from_db()
    assert alert.is_waiting


def test_marketing_sees_what_it_raised_and_no_other(house: House) -> None:
    fault = lights_failed(house)
    own = lights_failed(house, actor=house.mara, statement="The draw is postponed.", table="", duty="promotion-stopped")
    text = page(house.mara, INBOX)
    assert "The draw is postponed." in text
    assert "were not lit" not in text
    assert browser_of(house.mara).get(f"{INBOX}{fault.entry_index}/").status_code == 404
    assert browser_of(house.mara).get(f"{INBOX}{own.entry_index}/").status_code == 200
    assert browser_of(house.otto).get(f"{INBOX}{own.entry_index}/").status_code == 404


def test_the_inbox_is_searched_by_state_table_duty_and_role(house: House) -> None:
    lights_failed(house, statement="First.")
    lights_failed(house, statement="Second.", table="sb-2", now=after(600))
    lights_failed(house, statement="Third.", to=Role.SHIFT_MANAGER, duty="closing", now=after(600))
    escalate_due(lambda: after(400))

    def found(query: str) -> set[str]:
        text = page(house.sam, INBOX + query)
        return {word for word in ("First.", "Second.", "Third.") if word in text}

    assert found("") == {"First.", "Second.", "Third."}
    assert found("?state=escalated") == {"First."}
    assert found("?state=acknowledged") == set()
    assert found("?table=sb-2") == {"Second."}
    assert found("?duty=closing") == {"Third."}
    assert found("?role=shift-manager") == {"First.", "Third."}
    assert found("?state=nonsense&duty=nonsense") == {"First.", "Second.", "Third."}


def test_the_inbox_asks_as_often_for_fifty_as_for_one(
    house: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    lights_failed(house)
    browser = browser_of(house.ines)
    browser.get(INBOX)
    with CaptureQueriesContext(connection) as first:
        browser.get(INBOX)
    for _ in range(49):
        lights_failed(house)
    with django_assert_num_queries(len(first)):
        browser.get(INBOX)


def test_the_block_is_a_fragment_for_htmx_and_a_page_for_others(house: House) -> None:
    lights_failed(house)
    address = reverse("alerts:block", args=["harbour", "sb-1"])
    inspector = browser_of(house.ines)
    fragment = inspector.get(address, headers={"HX-Request": "true"}).content.decode()
    whole = inspector.get(address).content.decode()
    assert "<html" not in fragment
    assert "<html" in whole
    for text in (fragment, whole):
        assert "The winning areas of SB-1 were not lit." in text
        assert "Acknowledge" in text
    assert "No alerts are open at this table." in page(house.ines, reverse("alerts:block", args=["harbour", "sb-9"]))


def test_a_compliance_officer_sets_the_ladder_and_a_mistake_loses_nothing(house: House) -> None:
    address = f"{INBOX}ladder/at-once/"
    typed = {
        "first_minutes": "10",
        "first_roles": ["shift-manager"],
        "second_minutes": "4",
        "second_roles": ["authority-officer"],
        "reason": "The floor is small.",
    }
    browser = browser_of(house.cora)
    refused = browser.post(address, {**typed, **sign_off(house.cora)}).content.decode()
    assert "Each step comes later than the one before" in refused
    assert "The floor is small." in refused
    assert EscalationRule.objects.count() == 0
    done = browser.post(address, {**typed, "second_minutes": "20", **sign_off(house.cora)}, follow=True)
    assert "After 20 min" in done.content.decode()
    assert "Cora: The floor is small." in page(house.sam, f"{INBOX}ladder/")
    assert browser.get(f"{INBOX}ladder/never/").status_code == 404


@pytest.mark.parametrize("alert", [999_999, 0])
def test_no_such_alert(alert: int, house: House) -> None:
    assert browser_of(house.ines).get(f"{INBOX}{alert}/").status_code == 404
    assert Alert.objects.count() == 0
