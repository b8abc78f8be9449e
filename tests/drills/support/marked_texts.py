"""A database with one of everything, in which every text that a person could have typed has a harmful mark. Columns are
found by introspection, so that none is missed; the others are listed by name. Each column's mark ends with its own
number, which tells which texts a page shows.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection, models, transaction

from tests import fixture_snapshots
from tests.contracts import test_permission_matrix
from tests.drills.support.extra_rows import ExtraPage, add_extra_rows
from tests.drills.support.generated_rows import Row, Tables, generate_rows

# A script, a tag of ReportLab's paragraphs, template braces, an entity and both quotes.
SCRIPT = "<script>alert(1)</script>"
MARK = f"=1+1 {SCRIPT}\"'<b>&{{{{7*7}}}}"
SHORTEST = "<b>&{{7*7}}"

# Names, codes and digests that programs write and read: never typed, and a mark would break the page's URL.
NOT_TYPED = {
    "id", "slug", "log", "kind", "code", "rules", "table", "controller", "duty", "clause", "state", "email",
    "password", "token", "time_zone", "currency", "check_name", "severity", "subject", "every", "outcome", "role",
    "name_of", "seed", "urgency", "about_log", "key_id", "public_key", "session_key", "app_label", "model",
    "codename", "key", "last_login", "unit", "sha256", "reference", "purpose", "consumer", "engine", "rule",
    "scope", "grounds", "effect", "equipment", "method", "basis", "step", "status", "act", "event", "reading",
    "choice", "readings", "media_type", "layout", "pay_table", "bet", "verdict", "cause", "locked_by", "ip_address",
    "username", "path_info", "user_agent", "http_accept", "acted_as", "carried_by", "decided_as", "no_result", "told",
    "removed_because", "occasion", "position", "type", "format", "salt", "code_scrypt", "together", "ruled_reading",
    "returns", "sent_at_text", "equipment_inspectionmade.item", "intake_quarantined.field",
    "disclosures_disclosure.what", "floor_fact.name", "signs_sign.name", "intake_paperround.body",
    "accounts_recoverysheet.name", "accounts_identitylink.issuer", "reviews_decision.reason",
    "witnesses_dissent.reason",
    "restores_epochbegun.reason", "restores_epochbegun.origin", "restores_epochbegun.outside_note",
    "restores_epochbegun.root",
    "fairness_examination.level", "fairness_signal.level",
    "fairness_signal.statistic", "fairness_signal.p_value", "fairness_signal.window", "fairness_lastlook.p_value",
    "fairness_lastlook.window", "trials_difference.code_now", "trials_difference.code_then",
    "saved_savedview.path", "web_outgoingemail.secret", "web_outgoingemail.last_error",
    "rulebook_packedit.window",
}  # fmt: skip
ENDINGS = ("_sha256", "_id", "_kind", "_code", "_log", "_key", "_zone", "_state", "_digest", "_hash", "_slug", "_table")


def typed_columns() -> dict[str, dict[str, int | None]]:
    """By table, the columns that hold people's own words, with their maximum length."""
    found: dict[str, dict[str, int | None]] = {}
    for model in apps.get_models():
        # A view shows other tables' rows, and the ledger has no text of its own.
        is_ours = model.__module__.split(".")[0] in ("compliance", "rounds", "promotions")
        if not is_ours or not model._meta.managed or model._meta.app_label == "ledger":
            continue
        for field in model._meta.local_concrete_fields:
            is_text = isinstance(field, models.CharField | models.TextField) and not isinstance(
                field, models.SlugField | models.EmailField | models.URLField
            )
            if not is_text or field.choices or field.primary_key or field.unique or field.is_relation:
                continue
            is_named = {field.name, f"{model._meta.db_table}.{field.name}"} & NOT_TYPED
            if not is_named and not field.name.endswith(ENDINGS):
                found.setdefault(model._meta.db_table, {})[str(field.column)] = field.max_length
    return found


def mark_of(number: int, most: int | None) -> str | None:
    """None if not even the shortest fits."""
    return next((mark for one in (MARK, SHORTEST) if len(mark := f"{one}{number:03}") <= (most or 1_000)), None)


def add_mark(text: str, mark: str) -> str:
    """Keeps a JSON text valid."""
    if not text.startswith("{"):
        return mark
    return json.dumps(mark_words(json.loads(text), mark), separators=(",", ":"), ensure_ascii=False)


def mark_words(value: Any, mark: str) -> Any:
    """In a JSON column only sentences: single words are names and codes."""
    if isinstance(value, dict):
        return {name: mark_words(one, mark) for name, one in value.items()}
    if isinstance(value, list):
        return [mark_words(one, mark) for one in value]
    return f"{value} {mark}" if isinstance(value, str) and " " in value and not value.startswith("<") else value


def does_database_accept(table: str, rows: list[Row]) -> bool:
    """Whether the database's constraints accept these rows. Nothing is written."""
    try:
        with transaction.atomic():
            write_back({table: rows})
            transaction.set_rollback(True)
    except DatabaseError:
        return False
    return True


def write_back(rows: Tables, logs: Sequence[Row] = (), heads: Sequence[Row] = ()) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT kept.write_back(%s)", [json.dumps({"rows": rows, "logs": logs, "heads": heads})])


def with_mark(row: Row, column: str, mark: str) -> Row:
    """Recomputes a document's digest, which the database checks, and URL-encodes a saved filter."""
    if column == "query":
        return row | {column: urlencode({"text": mark})}
    value = row.get(column)
    changed = row | {column: add_mark(value, mark) if isinstance(value, str) else mark}
    if "terms_sha256" in row and column == "content":
        changed["terms_sha256"] = hashlib.sha256(changed[column].encode()).hexdigest()
    return changed


def mark_table(table: str, rows: list[Row], columns: Mapping[str, str | None]) -> tuple[list[Row], set[str]]:
    """Marks every column that the database allows, empty ones included; returns the rows and those columns."""
    done = set()
    for column, mark in columns.items():
        for place, row in enumerate(rows):
            tried = [*rows[:place], with_mark(row, column, mark), *rows[place + 1 :]] if mark else rows
            if tried != rows and does_database_accept(table, tried):
                rows = tried
                done.add(f"{table}.{column}")
    return rows, done


def mark_documents(table: str, rows: list[Row]) -> list[Row]:
    """Sentences inside JSON columns, which have no mark of their own."""
    for column in {name for row in rows for name, value in row.items() if isinstance(value, dict | list)}:
        tried = [row | {column: mark_words(row.get(column), MARK)} for row in rows]
        rows = tried if tried != rows and does_database_accept(table, tried) else rows
    return rows


@dataclass(frozen=True)
class MarkedWorld:
    """`numbers`: the number at the end of each column's mark; `held`: columns where the database refuses a mark."""

    places: Any
    further: list[ExtraPage]
    numbers: dict[str, int]
    held: set[str]


def snapshot_of_everything() -> dict[str, Any]:
    """The snapshot of the fixture with one of everything."""
    hashers = str(settings.PASSWORD_HASHERS)
    [world] = [one for key, one in fixture_snapshots._worlds.items() if key[1:] == ("one_of_everything", hashers)]
    written: dict[str, Any] = json.loads(world.rows)
    return written


def write_marked_world() -> MarkedWorld:
    """The permission matrix's fixture, a row in every table that people write to, and every text marked."""
    empty = transaction.savepoint()
    places = test_permission_matrix.one_of_everything()
    transaction.savepoint_rollback(empty)
    written = snapshot_of_everything()
    tables: Tables = written["rows"]
    typed = typed_columns()
    generate_rows(tables, typed, does_database_accept)
    further = add_extra_rows(tables)
    numbers: dict[str, int] = {}
    held = set()
    for table, columns in typed.items():
        marks = {}
        for column, most in columns.items():
            numbers[f"{table}.{column}"] = number = len(numbers)
            marks[column] = mark_of(number, most)
        tables[table], done = mark_table(table, tables.get(table, []), marks)
        held |= {f"{table}.{column}" for column in columns} - done
    for table, rows in tables.items():
        tables[table] = mark_documents(table, rows)
    write_back(tables, written["logs"], written["heads"])
    return MarkedWorld(places, further, numbers, held)
