"""Which rounds and people each entry names, kept beside the log so that a search need not read every body.

A projection, filled by following the log a few seconds behind it; `verify_ledger` derives it again and compares.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from django.db import connection, transaction

from rounds.ledger.following import Recorded, follow, followed_up_to
from rounds.ledger.models import Cursor, Mention
from rounds.ledger.recorded import register_projection
from rounds.ledger.stored import log_named, read_binary

CONSUMER = "search"
ROUND, PERSON = "round", "person"
LONGEST_VALUE = 200
# The members in which a round is named. People stand in `by` and in whatever ends in `_by`.
ROUND_MEMBERS = frozenset({"round", "round_id"})
NAMES_A_PERSON = b'by"'
LOOKS = 50

COPY_MENTIONS = "COPY ledger_mention (log_id, what, value, index) FROM STDIN (FORMAT BINARY)"
KEPT = "SELECT index, what, value FROM ledger_mention WHERE log_id = %s AND index >= %s AND index < %s"
COLUMN_TYPES = ("int8", "text", "text", "int8")


class Named(NamedTuple):
    """What an entry names: the value it is kept and found by, and the words the entry has for it."""

    what: str
    value: str
    words: str


class _Line(msgspec.Struct):
    """A controller's line, as much of it as can name a round."""

    round: Any = None
    round_id: Any = None


class _Entry(_Line):
    body: _Line | None = None


_LINES = msgspec.json.Decoder(_Entry)


def register() -> None:
    register_projection("search", None, differences, reached=lambda log: followed_up_to(CONSUMER, log))


def follow_mentions(log: str) -> int:
    """Note what the next entries name; how many entries that were."""
    return follow(CONSUMER, log, _note)


def derive_again(log: str) -> None:
    """Forget all that was noted and begin at entry 0: for a projection that `verify_ledger` finds fault with."""
    stored_log = log_named(log)
    with transaction.atomic():
        Cursor.objects.select_for_update().filter(consumer=CONSUMER, log=stored_log).update(next_index=0)
        Mention.objects.filter(log=stored_log).delete()
    while follow_mentions(log):
        pass


def named_in(entry: Recorded) -> set[Named]:
    """What an entry names. The round is looked for where it stands: at the top, or in the body of a controller's line;
    people everywhere."""
    said = None if names_people(entry.body) else _line_in(entry.body)
    return _named_anywhere(entry) if said is None else _rounds(said)


def names_people(body: bytes) -> bool:
    """`NAMES_A_PERSON in body`. Its last letter but one is rare, and a single byte is found many times as fast."""
    at = -1
    for _ in range(LOOKS):
        at = body.find(b"y", at + 1)
        if at < 0:
            return False
        if body[at - 1 : at + 2] == NAMES_A_PERSON:
            return True
    return NAMES_A_PERSON in body


def _line_in(body: bytes) -> tuple[Any, ...] | None:
    """Where a controller's line can name a round; None for what is no such line."""
    try:
        said = _LINES.decode(body)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    line = said.body
    return (said.round, said.round_id) if line is None else (said.round, said.round_id, line.round, line.round_id)


def _named_anywhere(entry: Recorded) -> set[Named]:
    try:
        # Not read strictly once more: what could be taken in two ways was refused when it was recorded.
        body = msgspec.json.decode(entry.body)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return set()
    if not isinstance(body, dict):
        return set()
    line = body.get("body")
    places = (body, line) if isinstance(line, dict) else (body,)
    named = _rounds(place[member] for place in places for member in ROUND_MEMBERS & place.keys())
    if names_people(entry.body):
        named.update(_people(body))
    return named


def _rounds(names: Iterable[Any]) -> set[Named]:
    return {Named(ROUND, _value(name), str(name)) for name in names if _is_name(name)}


def person_value(identity: int) -> str:
    """How a person is kept whom an entry names by number; others are kept by the text that names them."""
    return f"#{identity}"


def _people(value: Any) -> Iterator[Named]:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in children:
        yield from _people(child)
    if isinstance(value, dict):
        for name, child in value.items():
            if name == "by" or name.endswith("_by"):
                yield from _person(child)


def _person(value: Any) -> Iterator[Named]:
    """By number and by name, where both are given: people are looked for by either."""
    name = value.get("name") if isinstance(value, dict) else value
    if isinstance(value, dict) and type(value.get("id")) is int:
        yield Named(PERSON, person_value(value["id"]), name if isinstance(name, str) else person_value(value["id"]))
    if isinstance(name, str) and name:
        yield Named(PERSON, _value(name), name)


def _is_name(value: Any) -> bool:
    return (isinstance(value, str) and value != "") or type(value) is int


def _value(value: str | int) -> str:
    return str(value).casefold()[:LONGEST_VALUE]


def _note(entries: Sequence[Recorded]) -> None:
    log = log_named(entries[0].log)
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(COPY_MENTIONS) as rows:
        rows.set_types(COLUMN_TYPES)
        for entry in entries:
            for what, value in _kept(entry):
                rows.write_row((log.pk, what, value, entry.index))


def _kept(entry: Recorded) -> set[tuple[str, str]]:
    if not names_people(entry.body) and (said := _line_in(entry.body)):
        return {(ROUND, _value(name)) for name in said if name is not None and _is_name(name)}
    return {(named.what, named.value) for named in named_in(entry)}


def differences(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterable[tuple[int, str]]:
    derived = {(entry.index, *kept) for entry in entries for kept in _kept(entry)}
    kept = set(read_binary(KEPT, [log_named(log).pk, first, last]))
    for index, what, value in sorted(derived - kept):
        yield index, f"the {what} {value!r} is named in it, and the search would not find it."
    for index, what, value in sorted(kept - derived):
        yield index, f"the search claims that it names the {what} {value!r}."
