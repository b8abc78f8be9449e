"""The help page on rule sets follows the rule packs and the protocol."""

import re
from dataclasses import fields, replace
from html import unescape

import pytest
from django.test import Client

from compliance.audit.checks.round import procedure
from rounds.engine.pack import Conduct, Duties, PackFile
from rounds.intake.api import rule_sets
from rounds.intake.api.rule_set_expectations import LINES, LINES_OF_ALL, MEMBERS, NAMES_OF_WAGERS, Expectation
from rounds.intake.api.rule_sets import RuleSetPage, describe_rule_set
from rounds.intake.protocol.envelope import LINE_KINDS, line_schemas
from rounds.rulepacks import shipped_packs

PACKS = list(shipped_packs())
# Parts of packs that concern what people record, or tables as such; no line of a controller shows them.
NOT_REPORTED = {"disputes", "device_ban", "idle_players", "partnerships", "promotions", "pay_order", "invalidation"}


@pytest.fixture
def page(client: Client, db: None) -> str:
    return unescape(client.get("/help/integrators-rule-sets/").content.decode())


def optional_members(struct: str, prefix: str) -> set[str]:
    schema = line_schemas()[struct]
    return {f"{prefix}{name}" for name in schema["properties"] if name not in schema["required"]}


def test_every_optional_member_of_a_round_and_every_kind_of_line_is_explained() -> None:
    optional = (
        optional_members("Round", "") | optional_members("Wager", "wagers.") | optional_members("RoundEvent", "events.")
    )
    # `returned` depends on the verdict, not on the rules.
    assert {each.name for each in MEMBERS} == optional - {"wagers.returned"}
    assert {each.name for each in LINES} | set(LINES_OF_ALL) == {kind.name for kind in LINE_KINDS}


@pytest.mark.parametrize("expectation", [*MEMBERS, *LINES], ids=lambda each: each.name)
def test_a_rule_set_needs_it_by_a_clause_that_its_document_has(expectation: Expectation) -> None:
    cited = [(pack, clause) for pack in PACKS for clause in expectation.clauses(pack)]
    assert cited
    assert all(clause in pack.clauses for pack, clause in cited)


@pytest.mark.parametrize(
    ("part", "name"),
    [
        *(("conduct", field.name) for field in fields(Conduct)),
        *(("duties", field.name) for field in fields(Duties) if field.name not in NOT_REPORTED),
    ],
)
def test_the_page_of_some_rule_set_changes_with_each_part_of_a_pack(part: str, name: str) -> None:
    assert any(_changes_without(pack, part, name) for pack in PACKS)


def _changes_without(pack: PackFile, part: str, name: str) -> bool:
    value = getattr(getattr(pack, part), name)
    if not value:
        return False
    if hasattr(value, "clause"):
        changed = replace(value, clause="elsewhere")
    else:
        changed = () if isinstance(value, tuple) else None
    without = replace(pack, **{part: replace(getattr(pack, part), **{name: changed})})
    return describe_rule_set(without) != describe_rule_set(pack)


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.slug)
def test_each_rule_set_has_its_section(page: str, pack: PackFile) -> None:
    section = page.partition(f'<h2 id="{pack.slug}">')[2].partition("<h2")[0]
    assert pack.title in section
    for rule in pack.conduct.required_events:
        assert all(f"<code>{event}</code>" in section for event in rule.any_of)
    for reason in pack.law.void:
        assert f"<code>{reason}</code>" in section


def test_new_south_wales_in_detail() -> None:
    [nsw] = [describe_rule_set(pack) for pack in PACKS if pack.slug == "nsw-sic-bo"]
    events = {row.name: row for row in nsw.events}
    assert events["no-more-bets-called"].needed == "this or no-more-bets-signalled"
    assert events["no-more-bets-pressed"].needed == "at tables with a touch screen"
    assert events["result-called"].needed == "always"
    assert events["uncovered"].needed == "if what follows is reported"
    assert events["winners-paid"].needed == "where it happened"
    assert events["tumbled"].words == "begins the round; count: 3 tumbles or more before bets-open; before bets-open"
    assert "drawn" in nsw.other_events
    assert "wagers.registered" in nsw.other_members
    assert nsw.lines[0].clause == "9.8"


def test_events_that_may_be_missing_are_those_of_the_audit() -> None:
    assert set(rule_sets.OPTIONAL_EVENTS) == procedure.OPTIONAL_EVENTS


def describe(slug: str) -> RuleSetPage:
    return next(describe_rule_set(pack) for pack in PACKS if pack.slug == slug)


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.slug)
def test_what_every_rule_set_needs_is_not_listed_as_unused(page: str, pack: PackFile) -> None:
    """One name of a wager is mandatory, and the checks of the feed rely on openings and closings."""
    shown = describe_rule_set(pack)
    assert not {*NAMES_OF_WAGERS} & {*shown.other_members}
    assert "table-closed" not in shown.other_lines
    of_all = page.partition('<h2 id="every">')[2].partition("<h2")[0]
    assert "<code>player</code> or <code>seat</code> or <code>terminal</code>" in of_all
    assert "<code>table-closed</code>" in of_all


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.slug)
def test_events_stand_in_the_order_of_the_rules_under_names_that_can_be_sent(pack: PackFile) -> None:
    shown = describe_rule_set(pack)
    names = [row.name for row in shown.events]
    closing = pack.conduct.no_more_bets.events
    for step in pack.conduct.order:
        for first in closing if step.first == "no-more-bets" else (step.first,):
            for then in closing if step.then == "no-more-bets" else (step.then,):
                assert names.index(first) < names.index(then)
    words = " ".join(f"{row.words} {row.needed}" for row in shown.events)
    assert not re.search(r"no-more-bets(?!-)", words)


def test_dice_are_tumbled_before_betting_in_two_rule_sets() -> None:
    for slug in ("nsw-sic-bo", "skycity-big-and-small"):
        assert [row.name for row in describe(slug).events][:2] == ["tumbled", "bets-open"]
    assert [row.words for row in describe("skycity-big-and-small").events if row.name == "bets-open"] == [
        "before bell-rung; before no-more-bets-called"
    ]
