"""Weighted samples: factors are recorded before the draw, the draw is reproducible, and estimates undo the weights."""

import hashlib
import json
from datetime import timedelta
from fractions import Fraction

import msgspec
import pytest
from django.db import connection, transaction

from compliance.audit.models import Finding
from compliance.inspection.checklists.answer_choices import RoundVerdict
from compliance.inspection.checklists.errors import BadWeights
from compliance.inspection.checklists.models import Draw, Sample
from compliance.inspection.checklists.sampling.estimates import inclusion_probability, summarize_results
from compliance.inspection.checklists.sampling.seeded_selection import draw_rounds, smallest_ticket_hash
from compliance.inspection.checklists.sampling.weights import FACTOR_TESTS, RoundWeigher
from compliance.inspection.checklists.sampling_factors import FACTORS, ChosenFactor
from compliance.inspection.checklists.services import record_round_check
from rounds.intake.protocol.equipment import DicePlaced
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.table import Correction
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.search import size_of
from rounds.ledger.writing.append import append, make_entry
from tests.compliance.analysis.fairness.dice_play import signal_by_hand
from tests.compliance.audit.round_builders import NSW, START, build_round, void, wager
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.checklists.scenario import ChecklistScenario

HOUR = timedelta(hours=1)


def weighed(sample: Sample) -> dict[int, tuple[int, set[str]]]:
    """By entry: the weight, and the factors that apply."""
    found, slugs = RoundWeigher(sample).weigh(0, sample.up_to), [one.factor.slug for one in sample.chosen_factors]
    columns = (found.entries.tolist(), found.weights.tolist(), found.factors.tolist())
    return {
        index: (weight, {slug for number, slug in enumerate(slugs) if factors >> number & 1})
        for index, weight, factors in zip(*columns, strict=True)
    }


def factor(slug: str, adds: int, threshold: int = 0) -> ChosenFactor:
    return ChosenFactor(FACTORS[slug], adds, threshold)


BY_STAKE_AND_FINDING = [factor("large-stake", 3, 100_000), factor("finding", 4)]


def play_mixed(desk: ChecklistScenario) -> None:
    desk.play(honest=8, overpaid=2)
    for stake in (99_999, 100_000, 150_000):
        desk.house.play((4, 2, 4), wager("small", stake, 2 * stake))
    desk.office.audit()


def by_hand(seed: str, size: int) -> tuple[list[int], dict[int, int]]:
    """The help page's rule computed from the log alone, without the service's code."""
    entries = list(read_entries("harbour", 0, size_of("harbour")))
    found = {json.loads(entry.body)["subject"] for entry in entries if entry.kind == "finding"}
    weights = {}
    for entry in entries:
        if entry.kind == "round":
            stakes = [one["stake"] for one in json.loads(entry.body)["body"]["wagers"]]
            weights[entry.index] = 1 + 3 * (max(stakes) >= 100_000) + 4 * (entry.index in found)
    tickets = sorted(
        (hashlib.sha256(f"{seed}/{index}/{number}".encode()).hexdigest(), index)
        for index, weight in weights.items()
        for number in range(1, weight + 1)
    )
    return list(dict.fromkeys(index for _, index in tickets))[:size], weights


def test_what_weighs_is_in_the_log_before_the_draw_and_anybody_draws_the_same(desk: ChecklistScenario) -> None:
    play_mixed(desk)
    sample = desk.sample(5, factors=BY_STAKE_AND_FINDING)
    rounds, weights = by_hand(sample.seed, 5)
    seeded, drawn = (entry.content() for entry in read_entries("harbour", sample.entry_index, size_of("harbour")))
    assert seeded["weights"] == {
        "base": 1,
        "known_up_to": sample.entry_index,
        "factors": [
            {"factor": "large-stake", "adds": 3, "threshold": 100_000, "unit": "cents"},
            {"factor": "finding", "adds": 4},
        ],
    }
    assert drawn["rounds"] == rounds
    assert [one["weight"] for one in drawn["weighed"]["rounds"]] == [weights[index] for index in rounds]
    spread = {one["weight"]: one["rounds"] for one in drawn["weighed"]["by_weight"]}
    assert spread == {1: 9, 4: 2, 5: 2}
    assert drawn["weighed"]["sum"] == 9 + 8 + 10 == sum(weights.values())
    left_out = by_hand(sample.seed, 6)[0][-1]
    assert (
        drawn["weighed"]["first_left_out_sha256"]
        == smallest_ticket_hash(sample.seed, left_out, weights[left_out]).hex()
    )
    # Entries of an unweighted sample are unchanged by this feature.
    plain = desk.sample(2)
    seeded, drawn = (entry.content() for entry in read_entries("harbour", plain.entry_index, size_of("harbour")))
    assert "weights" not in seeded
    assert "weighed" not in drawn


def test_what_is_found_later_changes_nothing_that_was_weighed(desk: ChecklistScenario) -> None:
    play_mixed(desk)
    sample = desk.sample(4, factors=[*BY_STAKE_AND_FINDING, factor("signal", 2, 7)])
    then = draw_rounds(sample)
    signal_by_hand(desk.casino, START)
    desk.play(honest=2, overpaid=3)
    # A finding recorded later, about a round of the population.
    later = Finding.objects.exclude(subject_index__lt=sample.up_to).first()
    assert later is not None
    honest = next(index for index, (_, factors) in weighed(sample).items() if not factors)
    later.pk, later.subject_index, later.entry_index = None, honest, later.entry_index + 1_000_000
    later.save(force_insert=True)
    assert draw_rounds(sample) == then
    assert draw_rounds(desk.sample(4, factors=[factor("signal", 2, 7)])).by_weight == {3: 18}


def test_a_small_population_is_drawn_whole(desk: ChecklistScenario) -> None:
    desk.play(honest=2, overpaid=1)
    draw = desk.sample(3, factors=[factor("finding", 9)]).draw
    assert draw.weighed is not None
    assert sorted(one["weight"] for one in draw.weighed["rounds"]) == [1, 1, 10]
    assert draw.weighed["first_left_out_sha256"] == ""
    assert summarize_results(draw, [(10, "not-in-order"), (1, "in-order"), (1, "in-order")]).estimate == 1


def test_each_factor_holds_for_its_rounds_and_for_no_other(desk: ChecklistScenario) -> None:
    house = desk.house
    house.open_table()
    desk.second_table("sb-2")
    # START is three hours before everything is recorded.
    late = house.play((1, 2, 3), later=-HOUR)
    on_time = house.play((1, 2, 3))
    stake = house.play((1, 2, 3), wager("small", 50_000, 100_000), later=HOUR)
    house.play((1, 2, 3), later=HOUR, table="sb-2")
    house.report("correction", Correction(corrects=1, reason="Twice.", by=Staff(position="dealer")), table="sb-2")
    early = house.play((1, 2, 3), table="sb-2")
    # A minute, so that the rounds do not overlap.
    too_early = house.play((1, 2, 3), later=-timedelta(minutes=1), table="sb-2")
    near = house.play((1, 2, 3), later=2 * HOUR, table="sb-2")
    far = house.play((1, 2, 3), later=2 * HOUR + timedelta(minutes=1), table="sb-2")
    no_result = house.play(None, later=HOUR, **void("exposed-early"))
    streak = house.play((1, 2, 3), wager("streak:small", 500, None), later=HOUR)
    house.report("dice-placed", DicePlaced(dice="set-1"), at=START + 2 * HOUR)
    after = house.play((1, 2, 3), later=3 * HOUR)
    wrong = house.play((4, 2, 4), wager("small", 2_500, 5_100), later=4 * HOUR)
    following = house.play((1, 2, 3), later=5 * HOUR)
    disputed = house.play((4, 2, 4), wager("even", 1_000, 0), wager("small", 500, 1_000), later=5 * HOUR)
    clear = house.play((1, 2, 3), wager("even", 1_000, 2_000), later=5 * HOUR)
    said = {"at": "2026-11-16T09:02:00Z", "body": msgspec.to_builtins(build_round(NSW, (1, 2, 3), round="P-1"))}
    with transaction.atomic():
        [paper] = append("harbour", [make_entry("round", said | {"origin": {"how": "paper"}}, table="sb-1")], desk.now)
    desk.office.audit()
    found = desk.sample(
        1,
        factors=[
            factor("finding", 1),
            factor("large-stake", 1, 50_000),
            factor("table-findings", 1, 1),
            factor("by-people", 1),
            factor("late", 1, 3),
            factor("near-correction", 1, 1),
            factor("unusual", 1),
            factor("streak", 1),
            factor("new-equipment", 1, 1),
            factor("reading", 1),
        ],
    )
    holds: dict[str, set[int]] = {slug: set() for slug in FACTOR_TESTS}
    for index, (weight, factors) in weighed(found).items():
        assert weight == 1 + len(factors)
        for slug in factors:
            holds[slug].add(index)
    assert wrong in holds["finding"]
    assert {late, on_time, stake, too_early, near, far, after, following}.isdisjoint(holds["finding"])
    assert holds["large-stake"] == {stake}
    assert holds["by-people"] == {paper.index}
    assert late in holds["late"]
    assert stake not in holds["late"]
    assert holds["near-correction"] == {early, near}
    assert no_result in holds["unusual"]
    assert on_time not in holds["unusual"]
    assert holds["streak"] == {streak}
    assert holds["new-equipment"] == {after}
    assert holds["reading"] == {disputed}, "at ten, whether even wins hangs on a reading"
    assert clear not in holds["reading"], "at six, every reading pays"
    assert following in holds["table-findings"]
    assert {late, near, far}.isdisjoint(holds["table-findings"]), "before it, and at another table"
    assert set(FACTOR_TESTS) == set(FACTORS)


def test_a_round_with_four_tickets_comes_first_four_times_as_often() -> None:
    first = [
        min((1, 2), key=lambda index: smallest_ticket_hash(f"seed-{number}", index, 4 if index == 2 else 1))
        for number in range(4_000)
    ]
    # 3,200 are expected; three standard deviations are 76.
    assert abs(first.count(2) - 3_200) < 76


def test_weighed_back_samples_come_out_right_on_average_and_raw_ones_do_not() -> None:
    """Forty rounds, five of them bad; the bad ones have five times the weight of the others."""
    weights = {index: 5 if index < 5 else 1 for index in range(40)}
    estimates, raw = [], []
    for number in range(200):
        tickets = sorted(
            (smallest_ticket_hash(f"s{number}", index, weight), index) for index, weight in weights.items()
        )
        drawn, left_out = [index for _, index in tickets[:10]], tickets[10][0].hex()
        draw = Draw(population=40, rounds=drawn, weighed={"first_left_out_sha256": left_out})
        verdicts = [(weights[index], "not-in-order" if index < 5 else "in-order") for index in drawn]
        estimates.append(summarize_results(draw, verdicts).estimate or Fraction(0))
        raw.append(Fraction(sum(index < 5 for index in drawn) * 40, 10))
    assert abs(float(sum(estimates)) / 200 - 5) < 0.35
    assert float(sum(raw)) / 200 > 10


def test_the_chance_of_being_drawn_is_exact() -> None:
    half = f"{2**255:064x}"
    assert [inclusion_probability(half, weight) for weight in (1, 2, 3)] == [
        Fraction(1, 2),
        Fraction(3, 4),
        Fraction(7, 8),
    ]


def test_the_page_takes_the_weights_shows_them_and_weighs_the_results_back(desk: ChecklistScenario) -> None:
    desk.play(honest=5, overpaid=1)
    browser = browser_of(desk.ines)
    address = "/casinos/harbour/samples/new/weighted/"
    assert "Draw a sample weighted by risk" in browser.get(address).content.decode()
    typed = {"purpose": "Night shift", "since": "2026-11-16T11:00", "until": "2026-11-17T11:00", "size": "2"}
    assert "Let at least one factor add tickets" in browser.post(address, typed).content.decode()
    refused = browser.post(address, typed | {"large-stake": "2", "large-stake-threshold": ""}).content.decode()
    assert "Say how much" in refused
    assert "Enter 9 or less." in browser.post(address, typed | {"finding": "10"}).content.decode()
    assert not Sample.objects.exists()
    page = browser.post(address, typed | {"finding": "9"}, follow=True).content.decode()
    sample = Sample.objects.get()
    assert "5 of weight 1, 1 of weight 10; 15 tickets in all" in page
    assert "not the share among all rounds" in page
    again = browser.get(f"/casinos/harbour/samples/{sample.entry_index}/again/").content.decode()
    assert "The seed draws the same rounds" in again
    first, second = sample.sampled_rounds.all()
    look = {"note": "x", "expected_checks": 0, "actor": desk.ines, "now": desk.now}
    record_round_check(sampled=first, verdict=RoundVerdict.NOT_IN_ORDER, **look)  # type: ignore[arg-type]
    here = f"/casinos/harbour/samples/{sample.entry_index}/"
    assert "Not known before every round" in browser.get(here).content.decode()
    record_round_check(sampled=second, verdict=RoundVerdict.IN_ORDER, **look)  # type: ignore[arg-type]
    assert sample.draw.weighed is not None
    share = 1 / inclusion_probability(sample.draw.weighed["first_left_out_sha256"], first.weight)
    assert f"About {min(round(share), 6)} of 6" in browser.get(here).content.decode()


def test_weights_are_held_to_their_limits_and_kept(desk: ChecklistScenario) -> None:
    desk.play(honest=2)
    for adds in (0, 10):
        with pytest.raises(BadWeights):
            desk.sample(1, factors=[factor("finding", adds)])
    assert not Sample.objects.exists()
    desk.sample(1, factors=[factor("finding", 1)])
    for statement in ("UPDATE checklists_sampledround SET weight = 3", "UPDATE checklists_draw SET weighed = '{}'"):
        with (
            pytest.raises(Exception, match=r"refused|denied|keeps"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)
