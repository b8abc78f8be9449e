"""`naive_settle`: one line of the settle contract, settled as plainly as the documents allow.

The alternatives are found by settling again with one reading changed at a time.
"""

from typing import Any

from tests.rounds.reference import licensee, mbs, nsw, rws, skycity
from tests.rounds.reference.wording import EVERY_CODE, Answer, Line, Refused

READINGS_OF: dict[str, dict[str, tuple[str, ...]]] = {
    "nsw-sic-bo": nsw.READINGS,
    "rws-sic-bo-etg": rws.READINGS,
    "mbs-3-card-sic-bo": mbs.READINGS,
    "skycity-big-and-small": skycity.READINGS,
    "licensee-sic-bo": licensee.READINGS,
}


def adopted_readings(line: Line) -> dict[str, str]:
    known = READINGS_OF[line["rules"]]
    adopted = {reading: choices[0] for reading, choices in known.items()}
    for reading, choice in line.get("readings", {}).items():
        if choice not in known.get(reading, ()):
            raise Refused("unknown-reading", f"no reading {reading!r} with the choice {choice!r}")
        adopted[reading] = choice
    return adopted


def settle_under(line: Line, readings: dict[str, str]) -> Answer:
    rules = line["rules"]
    if rules == "nsw-sic-bo":
        return nsw.settle(line, readings)
    if rules == "rws-sic-bo-etg":
        return rws.settle(line, readings)
    if rules == "mbs-3-card-sic-bo":
        return mbs.settle(line, readings)
    if rules == "skycity-big-and-small":
        return skycity.settle(line, readings)
    return licensee.settle(line, readings)


def alternatives(line: Line, adopted: dict[str, str], answer: Answer) -> list[dict[str, Any]]:
    """Every other choice of every reading that pays something else; a choice that cannot be settled is left out."""
    differing = []
    for reading, choices in READINGS_OF[line["rules"]].items():
        for choice in choices:
            if choice == adopted[reading]:
                continue
            try:
                other = settle_under(line, adopted | {reading: choice})
            except Refused:
                continue
            if (other["verdict"], other["returned"]) != (answer["verdict"], answer["returned"]):
                kept = {"verdict": other["verdict"], "returned": other["returned"]}
                differing.append({"reading": reading, "choice": choice} | kept)
    return sorted(differing, key=lambda found: (found["reading"], found["choice"]))


def naive_settle(line: Line) -> Answer:
    """verdict, odds, winnings, returned and alternatives; or error and code."""
    try:
        if line.get("rules") not in READINGS_OF:
            raise Refused("unknown-rules", f"no rule set {line.get('rules')!r}")
        if line.get("bet") not in EVERY_CODE:
            raise Refused("unknown-bet", f"no bet code {line.get('bet')!r}")
        adopted = adopted_readings(line)
        answer = settle_under(line, adopted)
        return answer | {"alternatives": alternatives(line, adopted, answer)}
    except Refused as refusal:
        return {"error": str(refusal), "code": refusal.code}
