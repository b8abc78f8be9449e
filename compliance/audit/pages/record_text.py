"""The records of a violation case in words: labels instead of field names, amounts in dollars, times of the casino's
clock."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from compliance.core.web.local_time import format_clock, replace_utc_clocks, zone_of_place
from promotions.terms.content.labels import section_title
from promotions.terms.content.prize_rules import DETAIL_LABELS, PRIZE_TYPES
from rounds.engine.money import format_cents
from rounds.intake.entry_kinds import ROUND
from rounds.intake.round_view import TENDER_LABELS, VERDICT_TAGS
from rounds.intake.summaries import EVENT_LABELS, SIGN_LABELS
from rounds.ledger import entry_kinds as ledger_kinds
from rounds.rulebook.labels import bet_label, humanize_slug, void_reason_label
from rounds.rulepacks import shipped_packs
from rounds.rulepacks.violation_cases import REFERENCE, CaseRecord, ViolationCase

Path = tuple[str, ...]

# By path, with "#" for a position in a list and "*" for a name of the parents in NAMES. Other labels are the words of
# the path.
LABELS = {
    "again": "Put up again",
    "approved_by.position": "Approved by",
    "as": "Position",
    "because": "Follows from",
    "by.name": "By",
    "by.number": "Staff number",
    "by.position": "By",
    "by_bet.*.max": "Maximum on {}",
    "by_bet.*.min": "Minimum on {}",
    "by_face.#.cards": "Cards of number {}",
    "by_face.#.face": "Number {}",
    "called.by.position": "Numbers called by",
    "called.faces": "Numbers called",
    "called.total": "Total called",
    "change_at": "Time of the change on the sign",
    "closure_at": "Time of the closing on the sign",
    "corrects": "Takes back entry",
    "displayed.#.device": "Display {}",
    "displayed.#.faces": "Result on display {}",
    "entered": "Numbers entered",
    "entered.by.position": "Numbers entered by",
    "entered.faces": "Numbers entered",
    "foreign": "Foreign cards",
    "form": "Form of the prize",
    "happened_at": "Happened",
    "in_use_at": "In use from",
    "issued_at": "Issued at table",
    "limits.by_bet.*.max": "Maximum on {}",
    "limits.by_bet.*.min": "Minimum on {}",
    "limits.max": "Maximum",
    "limits.min": "Minimum",
    "limits.multiples": "Only multiples of the minimum",
    "liquor_ml": "Liquor",
    "lit": "Areas lit",
    "marker": "Value on the marker",
    "max": "Maximum on the sign",
    "min": "Minimum on the sign",
    "no_result.by.position": "No result, decided by",
    "no_result.faces_read": "Dice read before that",
    "no_result.grounds": "Grounds of no result",
    "no_result.reason": "Why there is no result",
    "odds.*": "Odds of {}",
    "paid.*": "Paid by {}",
    "chosen.*": "Chosen by the winner, {}",
    "particulars.entries": "Entries in the draw",
    "particulars.scrutineer_confirmed": "Scrutineer confirmed it",
    "person.record": "Record of the person",
    "person_fields": "Personal details on record",
    "play_ceased_at": "Gaming ceased",
    "player_limits.#.max": "Maximum of a player",
    "player_limits.#.min": "Minimum of a player",
    "player_limits.#.player": "Player with own limits",
    "reached": "Was reached",
    "received_at": "Received",
    "recorded_at": "Recorded",
    "returned.#.cents": "Handed back, amount {}",
    "returned.#.round": "Handed back, round {}",
    "returned.#.wager": "Handed back, wager {}",
    "rules.number": "Version of the rules",
    "rules.rules": "Rules",
    "rung": "Step of the dispute ladder",
    "scheduled_at": "Scheduled for",
    "settled_before.number": "Staff number of that supervisor",
    "settled_before.position": "Settled before",
    "streaks.#.flashing": "Streak {}: flashes",
    "streaks.#.length": "Streak {}: results in a row",
    "streaks.#.pair": "Streak {}: sides",
    "streaks.#.side": "Streak {}: side",
    "subject.index": "Disputed record",
    "subject.kind": "Kind of disputed record",
    "terms.*": "{}",
    "terms.*.#.cash_alternative_cents": "Prize {1}: cash alternative",
    "terms.*.#.conditions": "Prize {1}: conditions",
    "terms.*.#.details.*": "Prize {1}: {2}",
    "terms.*.#.free_of": "Prize {1}: free of",
    "terms.*.#.includes": "Prize {1}: includes",
    "terms.*.#.liquor_ml": "Prize {1}: liquor",
    "terms.*.#.name": "Prize {1}: name",
    "terms.*.#.quantity": "Prize {1}: quantity",
    "terms.*.#.type": "Prize {1}: type",
    "terms.*.#.value_cents": "Prize {1}: value",
    "terms.*.awarded_at": "{}: time",
    "terms.*.cents": "{}: amount",
    "terms.*.closes_at": "{}",
    "terms.*.ends_at": "{}: end",
    "terms.*.kind": "{}: which",
    "terms.*.methods": "{}",
    "terms.*.name": "{}",
    "terms.*.place": "{}: place",
    "terms.*.presence": "{}: presence",
    "terms.*.starts_at": "{}: start",
    "terms.*.text": "{}",
    "terms.*.where": "{}: place",
    "terms.*.wins": "{}: wins of one entry",
    "told.#.at": "Told, time {}",
    "told.#.position": "Told, person {}",
    "trials": "Number of trials",
    "wagers.#.bet": "Wager {}: on",
    "wagers.#.changes.#.at": "Wager {}: time of change {}",
    "wagers.#.changes.#.bet": "Wager {}: on, after change {}",
    "wagers.#.changes.#.stake": "Wager {}: stake after change {}",
    "wagers.#.changes.#.what": "Wager {}: change {}",
    "wagers.#.chips.colour": "Wager {}: colour of the chips",
    "wagers.#.chips.issued_at": "Wager {}: chips issued at table",
    "wagers.#.chips.value": "Wager {}: value of a chip",
    "wagers.#.id": "Wager {}: name",
    "wagers.#.paid_in": "Wager {}: paid in",
    "wagers.#.placed_at": "Wager {}: placed",
    "wagers.#.player": "Wager {}: player",
    "wagers.#.refusal.at": "Wager {}: refused",
    "wagers.#.refusal.grounds": "Wager {}: grounds of the refusal",
    "wagers.#.registered": "Wager {}: registered",
    "wagers.#.returned": "Wager {}: returned",
    "wagers.#.seat": "Wager {}: seat",
    "wagers.#.spoken": "Wager {}: spoken",
    "wagers.#.stake": "Wager {}: stake",
    "wagers.#.tender": "Wager {}: tender",
    "wagers.#.terminal": "Wager {}: terminal",
    "wagers.#.verdict": "Wager {}: reported as",
    "wagers.#.within_box": "Wager {}: wholly within its box",
}


def _box(bet: str) -> str:
    """Total 8 within a list or a label, where a colon would mislead."""
    return bet_label(bet).replace(": ", " ")


# The names under these members are data, and this is how each is shown.
NAMES: Mapping[str, Callable[[str], str]] = {
    "by_bet": _box,
    "odds": _box,
    "paid": lambda method: method.replace("-", " "),
    "chosen": lambda method: method.replace("-", " "),
    "terms": section_title,
    "details": lambda name: DETAIL_LABELS[name][0].lower(),
}
# Members whose words have labels of their own.
WORDS: Mapping[str, Callable[[str], str]] = {
    "bet": bet_label,
    "lit": _box,
    "verdict": lambda verdict: VERDICT_TAGS[verdict].label.lower(),
    "tender": lambda tender: TENDER_LABELS[tender].lower(),
    "paid_in": lambda tender: TENDER_LABELS[tender].lower(),
    "purpose": lambda purpose: SIGN_LABELS[purpose],
    "no_result.reason": void_reason_label,
    "terms.*.#.type": lambda kind: PRIZE_TYPES[kind],
    "language": lambda code: {"en": "English"}[code],
    "rules.rules": lambda slug: shipped_packs().find(slug).title,
}
MONEY = frozenset({"stake", "returned", "min", "max", "paid", "tokens", "value", "marker", "paid.*", "chosen.*"})
# A person is shown by name.
NOT_SHOWN = frozenset({"by.id"})
IDENTIFIERS = frozenset({"shaker", "sign"})
# The label of a record's own time.
TIME = "Time"
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
SLUG = re.compile(r"[a-z]+(?:-[a-z]+)+")


@dataclass(frozen=True)
class CaseText:
    """Writes the records and findings of one case in words."""

    case: ViolationCase

    def members(self, record: CaseRecord) -> dict[str, str]:
        """The time, the table and the members of a record by label."""
        place = {"Table": record.table} if record.table else {}
        return {TIME: self.time(record.at)} | place | dict(self._flatten(record.body, ()))

    def time(self, at: datetime) -> str:
        """Such as 20:00:40 AEDT, with the date where it is not the first day of the case."""
        local = at.astimezone(zone_of_place(self.case.time_zone))
        clock = format_clock(at, self.case.time_zone)
        return clock if local.date() == self.case.starts_at.date() else f"{format_day(local.date())} {clock}"

    def local_times(self, sentence: str, at: datetime) -> str:
        """The sentence of a finding about that instant, with times in UTC replaced by the casino's."""
        return replace_utc_clocks(sentence, at, self.time)

    def _flatten(self, value: Any, path: Path) -> Iterator[tuple[str, str]]:
        if path == ("events",):
            yield from self._events(value)
        elif isinstance(value, Mapping):
            for key, each in value.items():
                yield from self._flatten(each, (*path, key))
        elif isinstance(value, list) and any(isinstance(each, Mapping) for each in value):
            for place, each in enumerate(value, start=1):
                yield from self._flatten(each, (*path, str(place)))
        elif ".".join(path) not in NOT_SHOWN:
            pattern, names = _pattern_of(path)
            label = LABELS[pattern].format(*names) if pattern in LABELS else _words_of(path)
            yield label, self._text(value, pattern)

    def _events(self, events: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
        """By the label of each event, with a number from its second occurrence on."""
        seen: Counter[str] = Counter()
        for event in events:
            name = event["name"]
            seen[name] += 1
            again = f" ({seen[name]})" if seen[name] > 1 else ""
            times = {None: "", 1: ", once"}.get(event.get("count"), f", {event.get('count')} times")
            yield f"{EVENT_LABELS[name]}{again}", f"{self._text(event['at'], 'at')}{times}"

    def _text(self, value: Any, pattern: str) -> str:
        name = pattern.rpartition(".")[2]
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, list):
            return self._list_text(value, pattern)
        if isinstance(value, int):
            return _number_text(value, name, pattern)
        words = WORDS.get(pattern) or WORDS.get(name)
        return words(value) if words else self._plain_text(value, name)

    def _list_text(self, values: Sequence[Any], pattern: str) -> str:
        """The numbers of a result as 1-3-6."""
        if len(values) == 3 and all(type(each) is int for each in values):
            return "-".join(map(str, values))
        return ", ".join(self._text(each, pattern) for each in values) or "none"

    def _plain_text(self, text: str, name: str) -> str:
        if INSTANT.fullmatch(text):
            return self.time(datetime.fromisoformat(text))
        if DAY.fullmatch(text):
            return format_day(date.fromisoformat(text))
        if SLUG.fullmatch(text) and name not in IDENTIFIERS:
            return text.replace("-", " ")
        shown = REFERENCE.sub(self._referred, text.removeprefix("prescribed:"))
        return shown.replace(":w-", ", wager w-") or "not stated"

    def _referred(self, found: re.Match[str]) -> str:
        """A record of the case that another refers to by name."""
        record = next(each for each in (*self.case.breach, *self.case.honest) if each.name == found[1])
        return found[1] if record.kind == ROUND else describe_record(record)


def describe_record(record: CaseRecord) -> str:
    kind = ledger_kinds.find_kind(record.kind)
    summary = kind.summarize(record.body) if kind else ""
    return kind_label(record) + (f": {summary}" if summary else "")


def kind_label(record: CaseRecord) -> str:
    kind = ledger_kinds.find_kind(record.kind)
    return kind.label if kind else humanize_slug(record.kind)


def format_day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"


def _pattern_of(path: Path) -> tuple[str, list[str]]:
    """The path as a key of LABELS, and the numbers and names that its label is filled with."""
    pattern, names = [], []
    for parent, name in zip(("", *path), path, strict=False):
        is_named = parent in NAMES
        if is_named or name.isdigit():
            names.append(NAMES[parent](name) if is_named else name)
        pattern.append("*" if is_named else "#" if name.isdigit() else name)
    return ".".join(pattern), names


def _words_of(path: Path) -> str:
    return ", ".join(name.removesuffix("_at").removesuffix("_cents").replace("_", " ") for name in path).capitalize()


def _number_text(number: int, name: str, pattern: str) -> str:
    if name in MONEY or pattern in MONEY or name.endswith("cents"):
        return format_cents(number)
    if name == "rung":
        return str(number + 1)
    return f"{number:,} ml" if name.endswith("_ml") else f"{number:,}"
