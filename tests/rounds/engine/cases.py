"""Helpers shared by the engine's tests: rule slugs, compiled rules, and one line settled as by `manage.py settle`."""

from typing import Any

from rounds.engine.pack.compiled_rules import Rules, compile_rules
from rounds.engine.pack.pack_file import Pack
from rounds.engine.settle.json_lines import settle_line
from rounds.rulepacks import shipped_packs

NSW = "nsw-sic-bo"
RWS = "rws-sic-bo-etg"
MBS = "mbs-3-card-sic-bo"
SKYCITY = "skycity-big-and-small"
LICENSEE = "licensee-sic-bo"

PAY_TABLES = [(NSW, "1"), (RWS, "1"), (RWS, "2"), (RWS, "3"), (MBS, "1"), (SKYCITY, "1"), (LICENSEE, "1")]


def pack_of(slug: str) -> Pack:
    return shipped_packs().find(slug)


def rules_of(slug: str, pay_table: str = "1", **readings: str) -> Rules:
    """Compiled rules of a shipped pack. Readings are keyword arguments with underscores: `streak_count=…`."""
    return compile_rules(
        pack_of(slug), pay_table, {name.replace("_", "-"): choice for name, choice in readings.items()}
    )


def settle_case(slug: str, bet: str, dice: str = "", stake: int = 100, **more: Any) -> dict[str, Any]:
    """Settles one line. Dice are written "2-3-3"."""
    line: dict[str, Any] = {"rules": slug, "bet": bet, "stake": stake, **more}
    if dice:
        line["dice"] = parse_dice(dice)
    return settle_line(shipped_packs(), line)


def parse_dice(dice: str) -> list[int]:
    return [int(face) for face in dice.split("-")]


def parse_history(written: str) -> list[list[int] | None]:
    """Parses a history such as "1-2-3 none 6-6-5"."""
    return [None if each == "none" else parse_dice(each) for each in written.split()]


def alternative_verdict(line: dict[str, Any], reading: str, choice: str) -> tuple[str | None, int | None] | None:
    """Verdict and amount under another choice; None if it changes nothing."""
    for alternative in line["alternatives"]:
        if (alternative["reading"], alternative["choice"]) == (reading, choice):
            return alternative["verdict"], alternative["returned"]
    return None
