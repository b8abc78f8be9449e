"""Every kind of entry is described in words that a supervisor understands."""

from datetime import UTC, datetime

import pytest

from compliance.pages.timeline.entry_text import describe_entry
from rounds.intake.protocol.envelope import LINE_KIND_BY_NAME
from rounds.intake.protocol.examples import BODIES, example_bytes
from rounds.ledger.entry import LogEntry
from rounds.ledger.entry_kinds import find_kind

NOW = datetime(2026, 11, 16, 9, 42, tzinfo=UTC)
TOLD = {
    "round": "20261116-0041: 4-2-4, total 10; 2 wagers",
    "table-opened": "Limits $5.00 to $500.00",
    "table-closed": "Players were present",
    "sign-shown": "Change of limits, $10.00 to $500.00 (sign-limits-8)",
    "sign-removed": "sign-limits-8",
    "limits-changed": "$10.00 to $500.00, other limits on 1 box",
    "posted-odds-shown": "2 boxes, on the layout",
    "fault": "Electrical device not lit (F-204)",
    "fault-cleared": "F-204: Lamp driver replaced and tried three times.",
    "dice-placed": "set-0912, sealed",
    "dice-removed": "set-0912: time",
    "shaker-placed": "shaker-2, automated",
    "shaker-removed": "shaker-2, automated",
    "inspection": "Electrical device, before opening: tried once, worked",
    "shoe-changed": "shoe-77, 4 decks",
    "deck-count": "shoe-76: 192 cards, 0 foreign",
    "foreign-card": "shoe-77: A card with another back.",
    "terminal-interrupted": "t-04, t-05",
    "terminal-restored": "t-04, t-05",
    "streak-state": "small 2 in a row; even 1 in a row",
    "chips-issued": "40 blue at $5.00 to seat 4",
    "chips-redeemed": "31 blue from seat 4, $155.00 paid",
    "voucher-exchanged": "V-88120, $50.00, for $50.00 in tokens",
    "correction": "Its number 41 was wrong: The stake of wager 0041-2 was read wrongly.",
}


def entry_of(kind: str, body: bytes) -> LogEntry:
    return LogEntry("harbour", 7, kind, "sb-03", "box-1", 42, NOW, body, bytes(32))


@pytest.mark.parametrize("kind", sorted(set(BODIES) - {"heartbeat"}))
def test_every_kind_from_a_controller(kind: str) -> None:
    recorded_as = find_kind(LINE_KIND_BY_NAME[kind].entry_kind)
    assert recorded_as is not None
    told = describe_entry(entry_of(recorded_as, example_bytes(kind)))
    assert told.detail == TOLD[kind]
    assert (told.title, told.tag) == (recorded_as.label, recorded_as.tag)
    assert told.at == datetime(2026, 11, 16, 9, 42, 21, 500_000, tzinfo=UTC)


@pytest.mark.parametrize("body", [b"{", b"[]", b"{}", b'{"body":{"wagers":3}}', b'{"at":5,"body":[]}'])
def test_what_cannot_be_read_is_told_all_the_same(body: bytes) -> None:
    told = describe_entry(entry_of("round", body))
    assert told.title
    assert told.at == NOW


def test_a_kind_that_no_app_defines_any_more_is_told_by_its_name() -> None:
    told = describe_entry(entry_of("hearsay", b"{}"))
    assert (told.title, told.detail, told.tag) == ("hearsay", "", None)
