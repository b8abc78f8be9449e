"""Changes that database triggers refuse, and changes that `verify_ledger` detects if triggers are bypassed."""

from pathlib import Path

import pytest
from django.db import Error, connection, transaction

from compliance.config.database_roles import app_privileges
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.verify.verify_log import verify_log
from rounds.rulebook.versions.approve import withdraw_version
from tests.conftest import superuser
from tests.rounds.rulebook.rule_makers import APPROVED_AT, RuleMakers, days_later, propose, propose_and_approve
from tests.rounds.rulebook.versions.test_rulings import rule


def refusal(statement: str) -> str:
    with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    return str(refused.value)


FROZEN = (
    "rules = 'other'", "number = 9", "title = 'Other'", "readings = '{}'", "truth_sha256 = '{}'", "proposed_at = now()",
    "proposed_index = 7", "pack_name = 'x'",
)  # fmt: skip
DECIDED = ("effective_at = now()", "time_zone = 'UTC'", "evidence = ''", "approved_at = now()", "approved_index = 7")


def test_what_was_proposed_never_changes(rulers: RuleMakers) -> None:
    propose(rulers)
    for change in FROZEN:
        assert "kept as it was written" in refusal(f"UPDATE rulebook_ruleversion SET {change}")


def test_what_was_approved_never_changes_and_nothing_follows_a_withdrawal(rulers: RuleMakers) -> None:
    version = propose_and_approve(rulers)
    for change in (*FROZEN, *DECIDED, "approved_at = NULL"):
        assert "kept as it was written" in refusal(f"UPDATE rulebook_ruleversion SET {change}")
    withdraw_version(version=version, reason="Wrong text.", actor=rulers.olga, now=APPROVED_AT)
    assert "nothing follows" in refusal("UPDATE rulebook_ruleversion SET withdrawal_reason = 'Other'")


def test_a_version_begins_as_a_proposal_and_acts_are_whole(rulers: RuleMakers) -> None:
    propose(rulers)
    copy = "INSERT INTO rulebook_ruleversion SELECT (jsonb_populate_record(v, '{}')).* FROM rulebook_ruleversion v"
    approved = copy.replace("'{}'", """'{"id": 999, "number": 9, "approved_at": "2026-06-01"}'""")
    assert "begins as a proposal" in refusal(approved)
    assert "rule_version_approval_whole" in refusal("UPDATE rulebook_ruleversion SET approved_at = now()")
    alone = (
        "UPDATE rulebook_ruleversion SET approved_at = now(), approved_by_id = proposed_by_id, approved_index = 9, "
        "effective_at = now(), time_zone = 'UTC', edges_confirmed = '[]'"
    )
    assert "rule_version_second_person" in refusal(alone)


@pytest.mark.parametrize("table", ["rulebook_ruleversion", "rulebook_frozenpack", "rulebook_sourcedocument"])
def test_nothing_is_deleted_and_bytes_never_change(rulers: RuleMakers, table: str) -> None:
    propose(rulers)
    assert "permission denied" in refusal(f"DELETE FROM {table}")
    assert "permission denied" in refusal(f"TRUNCATE {table} CASCADE")
    assert "DELETE" not in app_privileges()[table]
    if table != "rulebook_ruleversion":
        assert "permission denied" in refusal(f"UPDATE {table} SET content = 'x'")


def test_bytes_that_do_not_fit_their_digest_are_not_stored(rulers: RuleMakers) -> None:
    assert "fits_its_digest" in refusal("INSERT INTO rulebook_frozenpack VALUES (repeat('0', 64), 'x')")


@pytest.mark.django_db(transaction=True)
class TestAgainstTheLedger:
    @pytest.fixture(autouse=True)
    def acts(self, rulers: RuleMakers, key_file: Path) -> None:
        version = propose_and_approve(rulers)
        rule(rulers, version)
        withdraw_version(version=propose(rulers), reason="Typed wrongly.", actor=rulers.cora, now=days_later(1))

    def test_every_act_is_compared_with_its_entry(self) -> None:
        verdict = verify_log("harbour")
        assert verdict.is_intact, list(verdict.issues)
        accounts = [entry for entry in read_entries("harbour", 0, 100) if entry.kind.startswith("account-")]
        assert verdict.checked["records"] == 5 + len(accounts)

    @pytest.mark.parametrize(
        "change",
        ["effective_at = effective_at - interval '1 year'", "evidence = 'Other'", "approved_index = 77"],
    )
    def test_an_owner_who_rewrites_an_approval_is_found_out(self, change: str) -> None:
        as_owner(f"UPDATE rulebook_ruleversion SET {change} WHERE approved_at IS NOT NULL")
        assert not verify_log("harbour").is_intact

    def test_an_owner_who_approves_behind_the_ledgers_back_is_found_out(self) -> None:
        as_owner(
            "UPDATE rulebook_ruleversion SET approved_at = wanted_at, effective_at = wanted_at, time_zone = 'UTC', "
            "approved_by_id = uploaded_by_id, approved_index = 0, edges_confirmed = '[]' "
            "FROM rulebook_sourcedocument WHERE rules_on_id IS NOT NULL"
        )
        assert not verify_log("harbour").is_intact


def as_owner(statement: str) -> None:
    """Runs SQL as the database owner with triggers disabled."""
    with superuser(connection.settings_dict["NAME"]) as admin:
        admin.execute("ALTER TABLE rulebook_ruleversion DISABLE TRIGGER rule_version_acts_in_order")
        admin.execute(statement)
        admin.execute("ALTER TABLE rulebook_ruleversion ENABLE ALWAYS TRIGGER rule_version_acts_in_order")
