"""Results of a sample: the margin of error, a period that must be over, and links to rounds that are not in order."""

from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest

from compliance.audit.models import Finding
from compliance.inspection.checklists.answer_choices import RoundVerdict
from compliance.inspection.checklists.models import Sample
from compliance.inspection.checklists.sampling.estimates import SampleResults, summarize_results, wilson_interval
from compliance.inspection.checklists.sampling.text import estimate_text
from compliance.inspection.checklists.services import record_round_check
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from rounds.floor.models import Table
from tests.compliance.audit.house import NOW
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.checklists.scenario import ChecklistScenario
from tests.compliance.inspection.checklists.test_weighted_samples import factor, play_mixed


def results(drawn: int, bad: int, population: int) -> SampleResults:
    estimate = Fraction(bad * population, drawn)
    return SampleResults(drawn, drawn, bad, population, estimate, Fraction(drawn))


def test_four_rounds_of_45_leave_a_wide_margin() -> None:
    text = estimate_text(results(4, 1, 45))
    assert text.startswith("About 11 of 45 (25.0%)")
    assert text.endswith("With 95 % confidence, between 2 and 31 (4.4% to 68.9%).")


def test_the_margin_is_wilsons_interval() -> None:
    """For 10 of 100, published tables give 5.52 % to 17.44 %; for 0 of 100, 0 to 3.70 %."""
    assert wilson_interval(0.1, 100) == pytest.approx((0.0552, 0.1744), abs=0.0001)
    assert wilson_interval(0, 100) == pytest.approx((0, 0.0370), abs=0.0001)
    assert wilson_interval(1, 100) == pytest.approx((0.9630, 1), abs=0.0001)


def test_the_margin_shrinks_with_the_rounds_that_are_left_and_never_contradicts_those_seen() -> None:
    assert results(100, 10, 10**6).interval == (55_230, 174_362)
    assert results(100, 10, 200).interval == (13, 30)
    assert results(100, 10, 101).interval == (10, 11), "one round is left"
    assert results(100, 10, 100).interval == (10, 10)
    assert estimate_text(results(100, 10, 100)) == "10 of 100 are not in order. Every round was looked at."


def test_rounds_of_different_weight_count_as_fewer(desk: ChecklistScenario) -> None:
    play_mixed(desk)
    sample = desk.sample(6, factors=[factor("finding", 9)])
    weights = list(sample.sampled_rounds.values_list("weight", flat=True))
    assert len(set(weights)) > 1
    checked = summarize_results(sample.draw, [(weight, "in-order") for weight in weights])
    assert 1 < checked.effective_size < 6
    assert checked.interval is not None
    assert checked.interval[0] == 0
    assert summarize_results(sample.draw, [(weight, "") for weight in weights]).interval is None


def test_a_sample_of_a_time_that_is_not_over_is_refused(desk: ChecklistScenario) -> None:
    desk.play(honest=1)
    typed = {"purpose": "Tomorrow", "since": "2026-11-16T11:00", "until": "2199-11-17T11:00", "size": "1"}
    for address in ("/casinos/harbour/samples/new/", "/casinos/harbour/samples/new/weighted/"):
        page = browser_of(desk.ines).post(address, typed | {"finding": "1"}).content.decode()
        assert "The time of the sample ends in the future" in page
    assert not Sample.objects.exists()
    desk.sample(1, until=desk.now)
    with pytest.raises(Exception, match="ends in the future"):
        desk.sample(1, until=desk.now + timedelta(seconds=1))


def test_a_round_that_is_not_in_order_leads_to_the_round_and_its_finding(desk: ChecklistScenario) -> None:
    overpaid, _ = desk.play(overpaid=2)
    sample = desk.sample(2)
    address = f"/casinos/harbour/samples/{sample.entry_index}/"
    finding = Finding.objects.get(subject_index=overpaid).get_absolute_url()
    browser = browser_of(desk.ines)
    assert f'href="/casinos/harbour/rounds/{overpaid}/"' in browser.get(address).content.decode()
    assert finding not in browser.get(address).content.decode(), "a person looks first"
    sampled = sample.sampled_rounds.get(round_index=overpaid)
    record_round_check(
        sampled=sampled,
        verdict=RoundVerdict.NOT_IN_ORDER,
        note="A dollar too much.",
        expected_checks=0,
        actor=desk.ines,
        now=desk.now,
    )
    page = browser.get(address).content.decode()
    assert f'href="{finding}"' in page
    assert page.count("SETTLE-OVERPAID") == page.count("Shown after your verdict") == 1
    assert f'href="{finding}"' in browser.get(f"{address}rounds/{sampled.place}/").content.decode()


def test_a_sampled_round_shows_what_was_decided_later(desk: ChecklistScenario) -> None:
    [index] = desk.play(honest=1)
    sample = desk.sample(1)
    address = f"/casinos/harbour/samples/{sample.entry_index}/"
    [sampled] = sample.sampled_rounds.all()
    looked_at: dict[str, Any] = {"note": "", "expected_checks": 0, "actor": desk.ines, "now": desk.now}
    record_round_check(sampled=sampled, verdict=RoundVerdict.IN_ORDER, **looked_at)
    browser = browser_of(desk.ines)
    assert "Invalidated" not in browser.get(address).content.decode()
    report = ConductReport(at=NOW + timedelta(hours=2), kind="invalidation", grounds="disruption", rounds=[str(index)])
    table = Table.objects.get(slug="sb-1")
    record_conduct(table=table, report=report, actor=desk.office.sid, now=NOW + timedelta(hours=2))
    desk.office.audit()
    for url in (address, f"{address}rounds/{sampled.place}/"):
        assert "Invalidated" in browser.get(url).content.decode(), url
