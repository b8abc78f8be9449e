"""Identity of each pack: version, dates as printed, time zone, source text, roles, readings, missing evidence."""

from datetime import UTC, datetime

import pytest

from rounds.rulepacks import PACK_FOLDER, shipped_packs
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY, pack_of

SOURCES = {
    NSW: "133677a40f7ad12aa3b48db4b5e1ff827c008092171855948674c829dfca4d46",
    RWS: "46d5c263138e1fee090cbcf5b236a1ad0109d0ae03f47a9e9f146fa0bcc9ff96",
    MBS: "8f39f97e4d47451b63a0fcc4cec6d21208287f1856faae8041484b8f35de9392",
    SKYCITY: "c790f0ea954604be9ac20c1a345e9691722493f09fde2c8892a1d886f7c36090",
    LICENSEE: "61cbde46c1c8a307add00f122d75c359b5230a01ea7d254c92f4885047550711",
}
# reading: (default, alternatives in order, item)
READINGS = {
    NSW: {
        "even": ("as-printed", ["every-even-total", "printed-no-triple"], "N1"),
        "four-number": ("three-different", ["repeats-allowed"], "N34"),
        "streak-count": ("after-wager", ["opening-counts", "first-result-sets"], "N4"),
        "streak-ten": ("parity", ["breaks", "neutral"], "N9"),
        "streak-invalidated": ("freeze", ["refund"], "N11"),
        "streak-fault": ("settle-at-count", ["refund"], "N10"),
        "promo-token": ("winnings-only", ["token-returned"], "N36"),
    },
    RWS: {
        "double-single": ("as-printed", ["all-thirty"], "R1"),
        "domino": ("once", ["twice"], "R15"),
        "outcome-established": ("any-bet-decided", ["all-dice-read"], "R4"),
    },
    MBS: {"totals-on-triples": ("win", ["lose"], "M4")},
    SKYCITY: {
        "field-on-triples": ("win", ["lose"], "K1"),
        "payable-gap": ("round-up", ["round-down"], "K5"),
        "lower-multiple": ("stake", ["payout"], "K5"),
        "lights-fail": ("as-called", ["dice"], "K12"),
        "domino": ("once", ["twice"], "K3"),
    },
    LICENSEE: {
        "one-of-a-kind": ("as-printed", ["even-money"], "U1"),
        "one-of-a-kind-pair": ("wagered-number", ["any-pair"], "U3"),
        "two-of-a-kind": ("two-or-more", ["exactly-two"], "U5"),
        "one-of-a-kind-levels": ("minimum", ["exact"], "U4"),
        "big": ("any-other-total", ["as-printed"], "U6"),
    },
}
# The highest numbered item of each rule set.
ITEMS = {NSW: ("N", 51), RWS: ("R", 18), MBS: ("M", 11), SKYCITY: ("K", 23), LICENSEE: ("U", 20)}


def test_the_five_packs_are_on_the_shelf() -> None:
    assert {pack.slug for pack in shipped_packs()} == set(SOURCES)
    assert all((PACK_FOLDER / f"{slug}.toml").exists() for slug in SOURCES)


@pytest.mark.parametrize("slug", list(SOURCES))
def test_a_pack_names_the_text_it_was_made_from(slug: str) -> None:
    assert pack_of(slug).source_sha256 == SOURCES[slug]


def test_rws_and_mbs_are_dated_and_the_others_are_not() -> None:
    assert pack_of(RWS).effective_at == datetime(2021, 5, 24, 0, 0, tzinfo=UTC)
    assert pack_of(RWS).effective_as_printed == "24 May 2021, 0800 hours"
    assert pack_of(MBS).effective_at == datetime(2016, 11, 14, 16, 0, tzinfo=UTC)
    for slug in (NSW, SKYCITY, LICENSEE):
        assert pack_of(slug).effective_at is None


def test_time_zones() -> None:
    zones = {slug: pack_of(slug).time_zone for slug in SOURCES}
    assert zones == {
        NSW: "Australia/Sydney",
        RWS: "Asia/Singapore",
        MBS: "Asia/Singapore",
        SKYCITY: "Australia/Adelaide",
        LICENSEE: None,
    }


def test_rws_prints_its_version_and_the_others_are_the_first() -> None:
    versions = {slug: pack_of(slug).version for slug in SOURCES}
    assert versions == {NSW: "1", RWS: "8", MBS: "1", SKYCITY: "1", LICENSEE: "1"}


@pytest.mark.parametrize("slug", list(SOURCES))
def test_no_source_text_is_whole_and_each_pack_says_what_it_lacks(slug: str) -> None:
    assert not pack_of(slug).evidence.is_complete
    assert pack_of(slug).evidence.missing


@pytest.mark.parametrize("slug", list(READINGS))
def test_named_readings(slug: str) -> None:
    found = {
        name: (reading.default, [choice for choice in reading.choices if choice != reading.default], reading.item)
        for name, reading in pack_of(slug).readings.items()
    }
    assert found == READINGS[slug]
    for reading in pack_of(slug).readings.values():
        assert all(choice.explains for choice in reading.choices.values())


@pytest.mark.parametrize("slug", list(ITEMS))
def test_every_ambiguity_is_a_reading_or_a_documented_choice(slug: str) -> None:
    letter, last = ITEMS[slug]
    pack = pack_of(slug)
    told = {reading.item for reading in pack.readings.values()} | {choice.item for choice in pack.procedures}
    assert told == {f"{letter}{number}" for number in range(1, last + 1)}


def test_an_inspector_is_government_in_nsw_and_house_staff_at_skycity() -> None:
    assert pack_of(NSW).roles["inspector"].is_government
    house = pack_of(SKYCITY).roles["Inspector"]
    assert not house.is_government
    assert house.means == ("games-supervisor",)
    assert pack_of(SKYCITY).roles["Authorised Officer"].means == ("inspector",)
    assert pack_of(SKYCITY).roles["Manager Government Casino Inspectorate"].is_government


def test_a_games_supervisor_is_a_casino_supervisor_in_nsw_but_does_not_review() -> None:
    roles = pack_of(NSW).roles
    assert "games-supervisor" in roles["casino supervisor"].means
    assert "games-supervisor" not in roles["reviewing casino supervisor"].means
    assert pack_of(LICENSEE).roles["floorperson"].means == ("games-supervisor",)
    assert pack_of(RWS).roles["Table Games Shift Manager"].means == ("shift-manager",)
