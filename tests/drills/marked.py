"""The world with one of everything, in which every text that a person could have typed carries a harmful mark.

Columns are found by asking the models, so that none can be left out; what is not a person's text is listed by name.
"""

import hashlib
import json
import re
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, models, transaction

from tests import kept
from tests.contracts import test_permission_matrix

# A script, a tag that ReportLab's paragraphs know, a template's braces, an entity and both quotes.
SCRIPT = "<script>alert(1)</script>"
MARK = f"=1+1 {SCRIPT}<b>&{{{{7*7}}}}\"'"
SHORTEST = "<b>&{{7*7}}"

# Names, codes and digests that programs make and read: a person never types them, and a page could not be reached.
NOT_TYPED = {
    "id", "slug", "log", "kind", "code", "rules", "table", "controller", "duty", "clause", "state", "email",
    "password", "token", "time_zone", "currency", "check_name", "severity", "subject", "every", "outcome", "role",
    "name_of", "seed", "urgency", "about_log", "key_id", "public_key", "session_key", "app_label", "model",
    "codename", "key", "last_login", "unit", "sha256", "reference", "purpose", "consumer", "engine", "rule",
    "scope", "grounds", "effect", "equipment", "method", "basis", "step", "status", "act", "event", "reading",
    "choice", "readings", "media_type", "layout", "pay_table", "bet", "verdict", "cause", "locked_by", "ip_address",
    "username", "path_info", "user_agent", "http_accept",
}  # fmt: skip
CODE = re.compile(r"[a-z0-9_-]+")
ENDINGS = ("_sha256", "_id", "_kind", "_code", "_log", "_key", "_zone", "_state", "_digest", "_hash", "_slug", "_table")


# Columns that the database itself holds to a list or a pattern.
HELD_TO_A_LIST = """
SELECT relation.relname, attname FROM pg_constraint
JOIN pg_class relation ON relation.oid = conrelid
JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
WHERE contype = 'c' AND pg_get_constraintdef(pg_constraint.oid) ~ '(= ANY|~|::text = )'
AND pg_get_constraintdef(pg_constraint.oid) !~ 'sha256'
"""


def held_to_a_list() -> set[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(HELD_TO_A_LIST)
        return set(cursor.fetchall())


def typed_columns() -> dict[str, dict[str, int | None]]:
    """Table by table, the columns that hold a person's own words, with the most characters they take."""
    found: dict[str, dict[str, int | None]] = {}
    for model in apps.get_models():
        if model.__module__.split(".")[0] not in ("compliance", "rounds", "promotions"):
            continue
        for field in model._meta.local_concrete_fields:
            is_text = isinstance(field, models.CharField | models.TextField) and not isinstance(
                field, models.SlugField | models.EmailField | models.URLField
            )
            if not is_text or field.choices or field.primary_key or field.unique or field.is_relation:
                continue
            if field.name not in NOT_TYPED and not field.name.endswith(ENDINGS):
                found.setdefault(model._meta.db_table, {})[str(field.column)] = field.max_length
    return found


def marked(text: str, most: int | None) -> str:
    if CODE.fullmatch(text):
        return text
    if most is None or len(MARK) <= most:
        return MARK
    return SHORTEST if len(SHORTEST) <= most else text


def mark_document(row: dict[str, Any], column: str) -> str:
    """A text that is a JSON document stays one; the digest beside it, which the database checks, is made anew."""
    text = json.dumps(mark_words(json.loads(row[column])), separators=(",", ":"), ensure_ascii=False)
    if "terms_sha256" in row:
        row["terms_sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return text


def mark_words(value: Any) -> Any:
    """In a JSON column only what reads like a sentence: single words there are names and codes."""
    if isinstance(value, dict):
        return {name: mark_words(one) for name, one in value.items()}
    if isinstance(value, list):
        return [mark_words(one) for one in value]
    return f"{value} {MARK}" if isinstance(value, str) and " " in value and not value.startswith("<") else value


def write_marked_world() -> tuple[Any, int]:
    """The places of the permission matrix with every text marked, and how many columns were."""
    empty = transaction.savepoint()
    places = test_permission_matrix.one_of_everything()
    transaction.savepoint_rollback(empty)
    hashers = str(settings.PASSWORD_HASHERS)
    [world] = [one for key, one in kept._worlds.items() if key[1:] == ("one_of_everything", hashers)]
    written = json.loads(world.rows)
    count = mark_rows(written["rows"])
    with connection.cursor() as cursor:
        cursor.execute("SELECT kept.write_back(%s)", [json.dumps(written)])
    return places, count


def mark_rows(tables: dict[str, list[dict[str, Any]]]) -> int:
    touched, held = set(), held_to_a_list()
    for table, columns in typed_columns().items():
        for row in tables.get(table, []):
            for column, most in columns.items():
                if row.get(column) and (table, column) not in held:
                    is_document = row[column].startswith("{")
                    before = row[column]
                    row[column] = mark_document(row, column) if is_document else marked(before, most)
                    touched |= {(table, column)} if row[column] != before else set()
            for column, value in row.items():
                is_free = isinstance(value, dict | list) and (table, column) not in held
                if is_free and (words := mark_words(value)) != value:
                    row[column] = words
                    touched.add((table, column))
    return len(touched)
