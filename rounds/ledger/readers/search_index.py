"""Search index: which rounds and people each entry names, so that a search does not read every body.

A projection, a few seconds behind the log, except for rounds, which intake indexes as it appends them. `verify_ledger`
derives it again and compares.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, LiteralString, NamedTuple

import msgspec
from django.db import connection, transaction

from compliance.core.web.binary_rows import fetch_binary_rows
from rounds.ledger.entry import LogEntry
from rounds.ledger.models import Cursor, IndexedTerm
from rounds.ledger.readers.consumer import consume_kinds, position_of, read_entries_at
from rounds.ledger.registry import register_projection
from rounds.ledger.storage import get_log

CONSUMER = "search"
ROUND, PERSON = "round", "person"
MAX_VALUE_LENGTH = 200
# The members that name a round. People are named in `by` and in members that end in `_by`.
ROUND_MEMBERS = frozenset({"round", "round_id"})
PERSON_MEMBER_SUFFIX = b'by"'
MAX_PROBES = 50
# In one transaction: entries that are read, and entries that were indexed when they were appended.
MAX_ENTRIES_READ, MAX_ENTRIES_PASSED = 500, 5000

COPY_TERMS_SQL = "COPY ledger_mention (log_id, what, value, index) FROM STDIN (FORMAT BINARY)"
INSERT_ROUNDS_SQL = """
INSERT INTO ledger_mention (log_id, what, value, index)
SELECT log.id, %s, named.value, named.index
FROM unnest(%s::bigint[], %s::text[]) AS named (index, value), ledger_log log WHERE log.slug = %s
"""
INDEXED_SQL: LiteralString = "SELECT index FROM ledger_mention WHERE log_id = %s AND index >= %s AND index <= %s"
STORED_TERMS_SQL = "SELECT index, what, value FROM ledger_mention WHERE log_id = %s AND index >= %s AND index < %s"
COLUMN_TYPES = ("int8", "text", "text", "int8")


class EntryTerm(NamedTuple):
    """A round or person that an entry names: the normalized value for the index,
    and the text as written in the entry.
    """

    what: str
    value: str
    words: str


class _RoundReference(msgspec.Struct):
    """The members of a controller's line that can name a round."""

    round: Any = None
    round_id: Any = None


class _EntryRoundReference(_RoundReference):
    body: _RoundReference | None = None


_ROUND_REFERENCE_DECODER = msgspec.json.Decoder(_EntryRoundReference)


def register_search_projection() -> None:
    register_projection("search", None, verify_rows, read_position=lambda log: position_of(CONSUMER, log))


def index_new_entries(log: str) -> int:
    """Index the next entries. Returns how many there were."""
    return consume_kinds(CONSUMER, log, handle_entries, MAX_ENTRIES_PASSED)


def rebuild_index(log: str) -> None:
    """Delete the index and rebuild it from entry 0, for example after `verify_ledger` found differences."""
    stored_log = get_log(log)
    with transaction.atomic():
        Cursor.objects.select_for_update().filter(consumer=CONSUMER, log=stored_log).update(next_index=0)
        IndexedTerm.objects.filter(log=stored_log).delete()
    while index_new_entries(log):
        pass


def terms_in(entry: LogEntry) -> set[EntryTerm]:
    """The terms of an entry: rounds at the top level or in the body of a controller's line, people at any depth."""
    references = None if may_name_people(entry.body) else _round_references_in(entry.body)
    return _terms_by_full_parse(entry) if references is None else _round_terms(references)


def may_name_people(body: bytes) -> bool:
    """Faster form of `PERSON_MEMBER_SUFFIX in body`: "y" is rare,
    and a search for a single byte is many times as fast.
    """
    at = -1
    for _ in range(MAX_PROBES):
        at = body.find(b"y", at + 1)
        if at < 0:
            return False
        if body[at - 1 : at + 2] == PERSON_MEMBER_SUFFIX:
            return True
    return PERSON_MEMBER_SUFFIX in body


def _round_references_in(body: bytes) -> tuple[Any, ...] | None:
    """The values that can name a round in a controller's line; None if the body is not such a line."""
    try:
        reference = _ROUND_REFERENCE_DECODER.decode(body)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    line = reference.body
    return (
        (reference.round, reference.round_id)
        if line is None
        else (reference.round, reference.round_id, line.round, line.round_id)
    )


def _terms_by_full_parse(entry: LogEntry) -> set[EntryTerm]:
    try:
        # No strict parsing here: ambiguous JSON was refused when the entry was recorded.
        body = msgspec.json.decode(entry.body)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return set()
    if not isinstance(body, dict):
        return set()
    line = body.get("body")
    objects = (body, line) if isinstance(line, dict) else (body,)
    named = _round_terms(obj[member] for obj in objects for member in ROUND_MEMBERS & obj.keys())
    if may_name_people(entry.body):
        named.update(_people_terms(body))
    return named


def _round_terms(names: Iterable[Any]) -> set[EntryTerm]:
    return {EntryTerm(ROUND, _normalize_term(name), str(name)) for name in names if _is_round_name(name)}


def person_term(identity: int) -> str:
    """Index value of a person named by id. People without an id are indexed by their name."""
    return f"#{identity}"


def _people_terms(value: Any) -> Iterator[EntryTerm]:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in children:
        yield from _people_terms(child)
    if isinstance(value, dict):
        for name, child in value.items():
            if name == "by" or name.endswith("_by"):
                yield from _person_terms(child)


def _person_terms(value: Any) -> Iterator[EntryTerm]:
    """One term for the id and one for the name, if both are given: people are searched by either."""
    name = value.get("name") if isinstance(value, dict) else value
    if isinstance(value, dict) and type(value.get("id")) is int:
        yield EntryTerm(PERSON, person_term(value["id"]), name if isinstance(name, str) else person_term(value["id"]))
    if isinstance(name, str) and name:
        yield EntryTerm(PERSON, _normalize_term(name), name)


def _is_round_name(value: Any) -> bool:
    return (isinstance(value, str) and value != "") or type(value) is int


def _normalize_term(value: str | int) -> str:
    return str(value).casefold()[:MAX_VALUE_LENGTH]


def handle_entries(log: str, kinds: Sequence[tuple[int, str]]) -> int:
    """Handler of `consume_kinds`. Entries that were indexed when they were appended are not read."""
    between = [get_log(log).pk, kinds[0][0], kinds[-1][0]]
    indexed = {index for (index,) in fetch_binary_rows(INDEXED_SQL, between)}
    needed = [index for index, _ in kinds if index not in indexed]
    if needed:
        entries = read_entries_at(log, needed[:MAX_ENTRIES_READ])
        terms = [(entry.index, what, value) for entry in entries for what, value in _terms_to_store(entry)]
        _copy_terms(log, terms)
    return needed[MAX_ENTRIES_READ] if len(needed) > MAX_ENTRIES_READ else kinds[-1][0] + 1


def index_rounds(log: str, named: Sequence[tuple[int, str]]) -> None:
    """Indexes entries of which it is known that they name one round and nobody: (index, round). In the transaction that
    appends them, so in a single statement."""
    indexes, names = [index for index, _ in named], [_normalize_term(name) for _, name in named]
    with connection.cursor() as cursor:
        cursor.execute(INSERT_ROUNDS_SQL, [ROUND, indexes, names, log])


def _copy_terms(log: str, terms: Sequence[tuple[int, str, str]]) -> None:
    log_id = get_log(log).pk
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(COPY_TERMS_SQL) as rows:
        rows.set_types(COLUMN_TYPES)
        for index, what, value in terms:
            rows.write_row((log_id, what, value, index))


def _terms_to_store(entry: LogEntry) -> set[tuple[str, str]]:
    if not may_name_people(entry.body) and (references := _round_references_in(entry.body)):
        return {(ROUND, _normalize_term(name)) for name in references if name is not None and _is_round_name(name)}
    return {(term.what, term.value) for term in terms_in(entry)}


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterable[tuple[int, str]]:
    derived = {(entry.index, *kept) for entry in entries for kept in _terms_to_store(entry)}
    kept = set(fetch_binary_rows(STORED_TERMS_SQL, [get_log(log).pk, first, last]))
    for index, what, value in sorted(derived - kept):
        yield index, f"the {what} {value!r} is named in it, and the search would not find it."
    for index, what, value in sorted(kept - derived):
        yield index, f"the search claims that it names the {what} {value!r}."
