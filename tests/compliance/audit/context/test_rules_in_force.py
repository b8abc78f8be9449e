"""RulesTimeline is cached across ranges with the same facts and rules, and never used after a change."""

from datetime import timedelta

from compliance.audit.context.rules_in_force import load_rules_timeline
from rounds.engine import RulesInForce
from rounds.floor.fact_values import LimitsValue
from rounds.floor.models import Fact
from rounds.floor.services.facts import retract_fact
from rounds.rulebook.models import RuleVersion
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import MBS
from tests.rounds.floor.crew import OPENING

HOUR = timedelta(hours=1)


def minimum_at(house: House) -> int | None:
    found = load_rules_timeline(house.casino, ["sb-1"], OPENING, NOW).rules_at("sb-1", NOW - HOUR)
    assert isinstance(found, RulesInForce)
    return found.limits.minimum_cents


def test_stretches_that_are_governed_alike_share_what_was_worked_out(house: House) -> None:
    house.open_table(limits=LimitsValue(min=500, max=50_000))
    house.open_table("mb-1", rules=MBS, limits=LimitsValue(min=1_000, max=50_000))
    of_one = load_rules_timeline(house.casino, ["sb-1"], OPENING, NOW)
    assert load_rules_timeline(house.casino, ["sb-1"], OPENING + HOUR, NOW) is of_one
    assert load_rules_timeline(house.casino, ["sb-1", "mb-1"], OPENING, NOW) is not of_one


def test_a_fact_that_comes_since_is_seen_and_one_that_is_taken_back_is_not(house: House) -> None:
    table = house.open_table(limits=LimitsValue(min=500, max=50_000))
    assert minimum_at(house) == 500
    house.state(table, LimitsValue(min=1_000, max=50_000), at=NOW - 2 * HOUR)
    assert minimum_at(house) == 1_000
    latest = Fact.objects.order_by("pk").last()
    assert latest is not None
    retract_fact(fact=latest, reason="It never was.", actor=house.crew.sid, now=NOW)
    assert minimum_at(house) == 500


def test_a_version_that_is_tried_governs_only_where_it_is_tried(house: House) -> None:
    house.open_table()
    version = RuleVersion.objects.approved().get(casino=house.casino)
    known = load_rules_timeline(house.casino, ["sb-1"], OPENING, NOW)
    assert load_rules_timeline(house.casino, ["sb-1"], OPENING, NOW, rules_override=version) is not known
    assert load_rules_timeline(house.casino, ["sb-1"], OPENING, NOW) is known
