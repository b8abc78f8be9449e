"""An entry's body can be computed again from its row: one statement a table, however many rows."""

import re
from collections.abc import Mapping
from string import Formatter

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compliance.disputes.entry_bodies import BODY_BY_KIND
from compliance.disputes.models import Dispute
from compliance.transparency.wager_proofs.models import Commitment
from rounds.ledger import EntryKind
from rounds.ledger.entry_kinds import registered_kinds
from rounds.ledger.registry import RowSource, registered_rows
from rounds.ledger.writing.ledger_rows import LedgerModel
from rounds.transparency_log.tree.merkle import MAX_SIZE
from tests.contracts.test_permission_matrix import places
from tests.drills.support.generated_rows import generate_rows
from tests.drills.support.marked_texts import does_database_accept, snapshot_of_everything, write_back

__all__ = ["places"]

# A dispute's wagers take a second statement.
FURTHER = {Dispute: 2}
# Its constraints refuse generated values; it names no person or text.
NOT_PLANTED = {Commitment}


def models_with_entries() -> dict[type[LedgerModel], RowSource]:
    """With the source of their rows; some kinds of entries have another source than a model."""
    owners = ((getattr(rows, "__self__", None), rows) for rows, _ in registered_rows())
    return {model: rows for model, rows in owners if isinstance(model, type) and issubclass(model, LedgerModel)}


@pytest.mark.usefixtures("places")
def test_no_row_asks_for_what_it_names_by_itself() -> None:
    every = models_with_entries()
    tables, names = snapshot_of_everything()["rows"], [model._meta.db_table for model in every]
    # Check the fixture's deferred constraints now, so that only the planted rows are checked later.
    connection.check_constraints()
    generate_rows(tables, names, does_database_accept)
    write_back({name: tables[name] for name in names})
    statements, members = {}, {}
    for model, rows in every.items():
        with CaptureQueriesContext(connection) as captured:
            told = [row.entry_body() for row in rows("harbour", 0, MAX_SIZE)]
        if told:
            statements[model] = len(captured)
            members[model] = set().union(*told)
    assert {model: count for model, count in statements.items() if count != 1} == FURTHER
    assert every.keys() - statements.keys() == NOT_PLANTED
    assert {kind: missing for kind in registered_kinds() if (missing := unknown_members(kind, members))} == {}


def unknown_members(kind: EntryKind, members: Mapping[type[LedgerModel], set[str]]) -> set[str]:
    """What the summary's template names and no body of its model has."""
    model = apps.get_model(kind.model) if kind.model else None
    known = members.get(model) if isinstance(kind.summary, str) and model else None
    if known is None:
        return set()
    step = BODY_BY_KIND.get(kind)
    named = {re.split(r"[.\[]", name)[0] for _, name, _, _ in Formatter().parse(str(kind.summary)) if name}
    return named - known - set(step.__struct_fields__ if step else ())
