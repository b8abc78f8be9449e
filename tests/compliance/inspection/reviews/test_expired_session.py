"""A form sent after the session expired is restored after signing in: only for the same person, and not recorded."""

from datetime import datetime, timedelta

import time_machine
from django.test import Client
from time_machine import Traveller

from compliance.core.accounts.models import User
from compliance.inspection.reviews.models import Answer, Decision
from compliance.inspection.reviews.outcomes import Outcome
from tests.compliance.core.accounts.people import PASSWORD, browser_of, next_code, sign_off
from tests.compliance.inspection.reviews.scenario import ReviewScenario

HALF_AN_HOUR = timedelta(minutes=30)
BACK = "What you typed before is here again."


def send_too_late(browser: Client, address: str, typed: dict[str, str], clock: Traveller) -> str:
    """Submits the form after the session expired. The response leads to the sign-in page and back to the form."""
    assert browser.get(address).status_code == 200
    clock.shift(HALF_AN_HOUR)
    answer = browser.post(address, typed, headers={"Referer": f"http://testserver{address}"})
    assert answer.status_code == 302
    assert "What you typed is kept" in browser.get(answer.headers["Location"]).content.decode()
    return answer.headers["Location"]


def sign_in(browser: Client, person: User, page: str) -> str:
    step = browser.post(page, {"email": person.email, "password": PASSWORD}).headers["Location"]
    return browser.post(step, {"code": next_code(person)}).headers["Location"]


def test_a_decision_sent_too_late_is_there_again_without_what_proves_who_one_is(office: ReviewScenario) -> None:
    [review] = office.overpay()
    address = f"/casinos/harbour/reviews/{review.finding.entry_index}/decide/upheld/"
    browser = browser_of(office.ines)
    typed = {"reason": "equipment", "note": "Thirty lines & more.", "seen": "0"}
    with time_machine.travel(datetime.now().astimezone(), tick=False) as clock:
        page = send_too_late(browser, address, typed | {"password": "a-secret-of-mine"}, clock)
        assert sign_in(browser, office.ines, page) == address
        for _ in range(2):
            shown = browser.get(address).content.decode()
            assert BACK in shown
            assert "Thirty lines &amp; more." in shown
            assert "a-secret-of-mine" not in shown + str(dict(browser.session))
        assert not Decision.objects.exists()
        assert browser.post(address, typed | sign_off(office.ines)).status_code == 302
        assert Decision.objects.get().note == "Thirty lines & more."
        assert "unsent" not in browser.session


def test_an_answer_is_not_sent_by_opening_its_page_and_nobody_else_sees_it(office: ReviewScenario) -> None:
    [review] = office.overpay()
    asked = office.decide(review, Outcome.NEEDS_INFORMATION)
    browser = browser_of(office.cora)
    with time_machine.travel(datetime.now().astimezone(), tick=False) as clock:
        page = send_too_late(browser, asked.answer_href, {"text": "Dealer 7 paid it."}, clock)
        sign_in(browser, office.cora, page)
        assert "Dealer 7 paid it." in browser.get(asked.answer_href).content.decode()
        assert not Answer.objects.exists()
        clock.shift(HALF_AN_HOUR)
        another = browser_of(office.cora)
        page = send_too_late(another, asked.answer_href, {"text": "Dealer 7 paid it."}, clock)
        sign_in(another, office.ines, page)
        shown = another.get(asked.answer_href).content.decode()
        assert "Dealer 7 paid it." not in shown
        assert BACK not in shown


def test_a_colleague_who_signs_in_at_the_same_screen_sees_nothing_of_it(office: ReviewScenario) -> None:
    [review] = office.overpay()
    address = f"/casinos/harbour/reviews/{review.finding.entry_index}/decide/upheld/"
    browser = browser_of(office.ines)
    with time_machine.travel(datetime.now().astimezone(), tick=False) as clock:
        page = send_too_late(browser, address, {"reason": "equipment", "note": "Mine alone."}, clock)
        assert sign_in(browser, office.iris, page) == address
        opened = browser.get(address)
        assert opened.status_code == 200
        assert "Mine alone." not in opened.content.decode()
        assert "unsent" not in browser.session


def test_nothing_is_kept_of_somebody_who_was_never_signed_in(office: ReviewScenario) -> None:
    [review] = office.overpay()
    stranger = Client()
    answer = stranger.post(f"/casinos/harbour/reviews/{review.finding.entry_index}/decide/upheld/", {"note": "Mine."})
    assert answer.headers["Location"].startswith("/sign-in/")
    assert "unsent" not in stranger.session
