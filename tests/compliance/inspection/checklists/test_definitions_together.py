"""One answer to all clauses that only define or describe, by the clause map of each of the five documents."""

import pytest
from django.test import Client

from compliance.inspection.checklists.selectors import load_clause_rows
from rounds.rulepacks import shipped_packs
from tests.compliance.inspection.checklists.scenario import ChecklistScenario
from tests.compliance.inspection.checklists.test_sign_off_page import address_of, inspector

__all__ = ["inspector"]

# Clauses of class I without a binding, counted in the clause maps by hand. The Licensee's document has none.
DEFINITIONS = {
    "licensee-sic-bo": 0, "mbs-3-card-sic-bo": 4, "nsw-sic-bo": 19, "rws-sic-bo-etg": 10, "skycity-big-and-small": 12,
}  # fmt: skip


@pytest.mark.parametrize("rules", sorted(DEFINITIONS))
def test_definitions_are_ticked_together(desk: ChecklistScenario, inspector: Client, rules: str) -> None:
    desk.house.open_table(rules=rules)
    checklist = desk.begin()
    address = address_of(checklist, "unchecked-clauses")
    page = inspector.get(address, {"definitions": "1"})
    ticked = page.context["form"].initial["clauses"]
    assert len(ticked) == DEFINITIONS[rules]
    rows = {row.said.clause: row.said for row in load_clause_rows(checklist)}
    assert not any(rows[clause].codes for clause in ticked)
    assert page.content.decode().count(" checked") >= len(ticked)
    if ticked:
        typed = {"clauses": ticked, "verdict": "not-applicable", "basis": "observation", "comment": ""}
        assert inspector.post(address, typed).status_code == 302
        assert set(checklist.drafts.values_list("clause", flat=True)) == set(ticked)


def test_the_documents_are_all_there() -> None:
    assert {pack.slug for pack in shipped_packs()} == DEFINITIONS.keys()
