"""What an entry says is told again from the row that was kept of it: one statement a table, however many rows."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compliance.disputes.models import Dispute
from compliance.transparency.wager_proofs.models import Commitment
from rounds.ledger.registry import RowSource, registered_rows
from rounds.ledger.tree.merkle import MAX_SIZE
from rounds.ledger.writing.ledger_rows import LedgerModel
from tests.contracts.test_permission_matrix import places
from tests.drills.support.generated_rows import generate_rows
from tests.drills.support.marked_texts import does_database_accept, snapshot_of_everything, write_back

__all__ = ["places"]

# A dispute has several wagers, and these have a statement of their own.
FURTHER = {Dispute: 2}
# Its limits are narrower than what is planted; it names nothing.
NOT_PLANTED = {Commitment}


def models_with_entries() -> dict[type[LedgerModel], RowSource]:
    """With what gives their rows; that of some kinds of entries is no model's own."""
    owners = ((getattr(rows, "__self__", None), rows) for rows, _ in registered_rows())
    return {model: rows for model, rows in owners if isinstance(model, type) and issubclass(model, LedgerModel)}


@pytest.mark.usefixtures("places")
def test_no_row_asks_for_what_it_names_by_itself() -> None:
    every = models_with_entries()
    tables, names = snapshot_of_everything()["rows"], [model._meta.db_table for model in every]
    # What the world's own rows still have to answer for is asked now: nothing is planted beside it otherwise.
    connection.check_constraints()
    generate_rows(tables, names, does_database_accept)
    write_back({name: tables[name] for name in names})
    statements = {}
    for model, rows in every.items():
        with CaptureQueriesContext(connection) as captured:
            told = [row.entry_body() for row in rows("harbour", 0, MAX_SIZE)]
        if told:
            statements[model] = len(captured)
    assert {model: count for model, count in statements.items() if count != 1} == FURTHER
    assert every.keys() - statements.keys() == NOT_PLANTED
