"""Generates a row for each empty table: any that the database accepts, found by trial.

Its values are arbitrary. It exists so that every text that people may write is shown somewhere.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from random import Random
from typing import Any

from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import models

from compliance.inspection.reviews.models import DEFAULT_SERVICE_HOURS
from compliance.inspection.reviews.outcomes import REASON_LABELS, Outcome
from tests.compliance.core.accounts.people import LONG_AGO

Row = dict[str, Any]
Tables = dict[str, list[Row]]
ATTEMPTS = 400
# Default by column type: indexes of entries that do not exist, all different.
FIRST_INDEX = 2 * 10**9
NAMED = {"log": "harbour", "table": "sb-1", "about_log": "harbour"}
# Columns for which a page can show certain values only.
SAID = {
    "patrons_retentionrule.subject": "dispute",
    "reviews_decision.outcome": Outcome.NEEDS_INFORMATION.value,
    "reviews_decision.reason": next(iter(REASON_LABELS)),
    "reviews_decision.due_at": (LONG_AGO + timedelta(days=1)).isoformat(),
    "reviews_decision.accepted_until": None,
    "reviews_arrangement.service_hours": {severity.value: hours for severity, hours in DEFAULT_SERVICE_HOURS.items()},
}
# These end what they refer to, so they refer to a copy: the original's pages must still open.
ENDS = {"checklists_signoff", "floor_takenback", "terms_prescribedremoval"}
OF_EVERYBODY = {"accounts_casino", "accounts_user"}


def generate_rows(tables: Tables, wanted: Iterable[str], is_taken: Callable[[str, list[Row]], bool]) -> None:
    """In the `wanted` tables; referenced tables first, over several passes if needed."""
    by_table = {model._meta.db_table: model for model in apps.get_models()}
    for _ in range(3):
        for table in wanted:
            if not tables.get(table) and by_table[table]._meta.managed:
                chance = Random(table)
                rows = (generate_row(by_table[table], tables, chance) for _ in range(ATTEMPTS))
                tables[table] = next(([row] for row in rows if row is not None and is_taken(table, [row])), [])
                if table in ENDS:
                    end_copied_row(by_table[table], tables)


def end_copied_row(model: type[models.Model], tables: Tables) -> None:
    for row in tables[model._meta.db_table]:
        for field in model._meta.local_concrete_fields:
            if field.is_relation and (named := field.related_model._meta.db_table) not in OF_EVERYBODY:  # type: ignore[union-attr]
                [ended] = [one for one in tables[named] if one["id"] == row[str(field.column)]]
                row[str(field.column)] = FIRST_INDEX
                tables[named].append(ended | {"id": FIRST_INDEX, "entry_index": FIRST_INDEX})


def generate_row(model: type[models.Model], tables: Mapping[str, list[Row]], chance: Random) -> Row | None:
    """By the types of its columns; None while a row that it must refer to is missing."""
    row: Row = {}
    for field in model._meta.local_concrete_fields:
        if isinstance(field, models.GeneratedField):
            continue
        if field.is_relation:
            named = tables.get(field.related_model._meta.db_table, [])  # type: ignore[union-attr]
            if not named and not field.null:
                return None
            key = field.target_field.column  # type: ignore[attr-defined]
            # The first casino is Harbour, whose pages are opened; most other rows refer to it too.
            which = 0 if chance.random() < 0.8 else chance.randrange(len(named) or 1)
            row[str(field.column)] = named[which][key] if named and chance.random() < 0.9 else None
        else:
            name = f"{model._meta.db_table}.{field.column}"
            row[str(field.column)] = SAID[name] if name in SAID else generate_value(field, chance)
        if row[str(field.column)] is None and not field.null:
            return None
    return row


def generate_value(field: "models.Field[Any, Any]", chance: Random) -> Any:
    if field.null and chance.random() < 0.4:
        return None
    if field.primary_key and isinstance(field, models.IntegerField):
        return FIRST_INDEX + chance.randrange(10**6)
    if field.choices:
        return chance.choice([value for value, _ in field.flatchoices])
    if field.name in NAMED:
        return NAMED[field.name]
    match field:
        case models.BooleanField():
            return chance.random() < 0.5
        case models.DateTimeField():
            return LONG_AGO.isoformat()
        case models.DateField():
            return LONG_AGO.date().isoformat()
        case models.IntegerField():
            return FIRST_INDEX + chance.randrange(10**6) if field.name.endswith("index") else chance.choice([0, 1, 2])
        case ArrayField():
            return [FIRST_INDEX]
        case models.BinaryField():
            return "\\x" + "00" * 32
        case models.JSONField():
            return field.get_default() if field.has_default() else {} if chance.random() < 0.9 else []
        case models.UUIDField():
            return "00000000-0000-4000-8000-000000000001"
        case models.CharField() | models.TextField():
            return generate_text(field, chance)
    return None


def generate_text(field: "models.Field[Any, Any]", chance: Random) -> str:
    if "sha256" in field.name or "digest" in field.name:
        return "0" * 64
    return chance.choice(["", "Some words."[: field.max_length]])
