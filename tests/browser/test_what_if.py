"""An authority officer starts a what-if trial: chooses readings, watches the progress, reads the result."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from compliance.analysis.what_if.models import Trial, TrialRange
from compliance.analysis.what_if.run.worker import begin_trial, run_waiting_trials
from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.core.web.jobs.job import MAX_ATTEMPTS, JobState
from rounds.rulebook.models import RuleVersion
from tests.browser.conftest import demo_floors
from tests.browser.user_actions import assert_accessible, assert_fits_its_width, save_screenshot, sign_in
from tests.compliance.analysis.what_if.trial_builders import trial_by_hand

pytestmark = pytest.mark.browser

PLACE = "/casinos/harbour/what-if/"


@pytest.fixture
def world() -> Callable[[], None]:
    return demo_floors


def look_at(page: Page, name: str) -> None:
    assert_accessible(page)
    page.set_viewport_size({"width": 320, "height": 900})
    assert_fits_its_width(page)
    page.set_viewport_size({"width": 1024, "height": 1366})
    save_screenshot(page, name)


def test_an_officer_tries_another_reading(site: str, open_browser: Callable[..., Page]) -> None:
    officer = User.objects.get(email=demo_email(Role.AUTHORITY_OFFICER))
    version = RuleVersion.objects.approved().filter(casino__slug="harbour", rules="nsw-sic-bo").earliest("number")
    page = open_browser()
    sign_in(page, "Authority officer")
    page.goto(PLACE)
    expect(page.get_by_text("Nothing was tried yet.")).to_be_visible()
    look_at(page, "trials-none")
    page.get_by_role("link", name="Try rules over what was played").click()
    page.get_by_label("What do you want to try?").select_option(f"readings:{version.pk}")
    look_at(page, "trial-new")
    page.get_by_role("button", name="Go on").click()
    page.get_by_label(re.compile("^Every even total")).check()
    look_at(page, "trial-readings")
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_text("It is done in the background.")).to_be_visible()
    look_at(page, "trial-waiting")
    # A worker runs it; the page polls for the result.
    run_waiting_trials(timezone.now)
    expect(page.get_by_text("No audited round of these tables and days")).to_be_visible()
    page.get_by_role("button", name="Try the same again").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("cancelled it before it was done.")).to_be_visible()
    look_at(page, "trial-cancelled")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("It is done in the background.")).to_be_visible()
    # The job used up its attempts.
    hopeless = Trial.objects.get(state=JobState.WAITING)
    begin_trial(trial=hopeless)
    TrialRange.objects.create(trial=hopeless, first=0, last=40)
    Trial.objects.filter(pk=hopeless.pk).update(attempts=MAX_ATTEMPTS)
    run_waiting_trials(timezone.now)
    expect(page.get_by_text("begun three times and never finished")).to_be_visible()
    look_at(page, "trial-failed")
    trial = trial_by_hand(version, officer, timezone.now(), count=60)
    page.goto(trial.get_absolute_url())
    look_at(page, "trial")
    page.get_by_role("link", name="Every single difference").click()
    expect(page.get_by_text("1 to 50 of 60")).to_be_visible()
    look_at(page, "trial-differences")
    page.goto(PLACE)
    look_at(page, "trials")
