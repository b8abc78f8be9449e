"""Detection matrix: every planted fault is found with its code, and nothing else. Honest and faulty days of all five
rule sets."""

import io
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.core.management import CommandError, call_command
from pytest_django import Settings

from compliance.audit.checks import checked_codes, feed
from compliance.audit.clause_matrix import rows_by_clause
from compliance.audit.context.entry_source import NoEntries
from compliance.audit.context.rules_in_force import approved_versions
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.detection_matrix import (
    Comparison,
    DetectionRow,
    PlantedFault,
    compare,
    findings_at_planted_tables,
    read_planted_faults,
)
from compliance.audit.models import Finding, ReadingCase
from compliance.audit.run.evaluate_in_memory import evaluate_in_memory
from compliance.audit.run.worker import audit_log
from compliance.core.accounts.models import Casino
from compliance.core.accounts.roles import Role
from promotions.terms.models import PrescribedItem
from rounds.floor.fact_values import (
    DecksValue,
    EquipmentValue,
    FactValue,
    LimitsValue,
    PostedOddsValue,
    SmallestChipValue,
    StreakAmountValue,
    TableRulesValue,
    WagersOfferedValue,
)
from rounds.floor.models import Table
from rounds.floor.services import assign_table
from rounds.ledger import read_entries, size_of
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.rulepacks.violation_cases import violation_cases
from rounds.simulator.violation_cases import is_reported
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, RWS, SKYCITY, wager
from tests.compliance.core.accounts.people import hire
from tests.rounds.floor.crew import OPENING, Crew, gather, new_controller, new_table, record_table_fact, trusted_key

ROUNDS = 140
SINGLES = {f"single:{face}": ("1 to 1", "2 to 1", "3 to 1") for face in range(1, 7)}


def equipment(layout: str, screen: Any = "none", *, touch: bool = False, shaker: Any = "none") -> EquipmentValue:
    return EquipmentValue(layout=layout, screen=screen, touch_screen=touch, shaker=shaker)


FACTS: dict[str, Sequence[FactValue]] = {
    NSW: (
        equipment("C", "lcd", touch=True),
        WagersOfferedValue(wagers=("odd", "even", "streak")),
        LimitsValue(min=1_000, max=100_000),
        SmallestChipValue(cents=250),
        StreakAmountValue(cents=500),
    ),
    RWS: (equipment("A"), LimitsValue(min=500, max=50_000), SmallestChipValue(cents=5)),
    MBS: (equipment("A"), DecksValue(decks=4), LimitsValue(min=2_500, max=500_000), SmallestChipValue(cents=250)),
    SKYCITY: (equipment("A"), LimitsValue(min=500, max=50_000), SmallestChipValue(cents=100)),
    LICENSEE: (
        equipment("A", shaker="automated"),
        PostedOddsValue(odds={"total:4": "60 to 1", "total:17": "60 to 1", **SINGLES}),
        LimitsValue(min=500, max=50_000),
        SmallestChipValue(cents=100),
    ),
}
TERMINALS = {"t-01": "Appendix A", "t-02": "Appendix A", "t-03": "Appendix B", "t-04": "Appendix C"}


def open_floor(house: House) -> list[Table]:
    """A table of each rule set, and a second one of New South Wales without Super Streak."""
    tables = []
    for rules, facts in FACTS.items():
        table = house.open_table(rules, rules=rules)
        for fact in facts:
            record_table_fact(house.crew, table, fact)
        tables.append(table)
    for terminal, layout in TERMINALS.items():
        house.add_terminal(tables[1], terminal, layout)
    plain = new_table(house.crew, "plain")
    for fact in (TableRulesValue(rules=NSW), equipment("A"), LimitsValue(min=2_500, max=250_000, unit=2_500)):
        record_table_fact(house.crew, plain, fact)
    return [*tables, plain]


def give_controllers(house: House, tables: Iterable[Table], folder: Path) -> None:
    """A controller for each table, with its private key in the folder."""
    folder.mkdir()
    for number, table in enumerate(tables, start=1):
        secret = Ed25519PrivateKey.from_private_bytes(bytes([number] * 32))
        controller = new_controller(house.crew, f"box-{number}")
        trusted_key(house.crew, controller, secret.public_key().public_bytes_raw())
        assign_table(controller=controller, table=table, actor=house.crew.cora, now=OPENING)
        pem = secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (folder / f"harbour.{controller.slug}.pem").write_bytes(pem)


@pytest.fixture
def crew(transactional_db: None) -> Crew:
    """With real commits: what people record is planted right after a signature, which another connection makes."""
    return gather()


@pytest.fixture
def floor(house: House, tmp_path: Path, settings: Settings) -> House:
    """Harbour with a table of each rule set, a controller for each, and a person for each role in the documents."""
    settings.LEDGER_KEY_FILE, settings.DATA_DIR = tmp_path / "ledger.key", tmp_path / "data"
    create_key_file(settings.LEDGER_KEY_FILE)
    give_controllers(house, open_floor(house), tmp_path / "keys")
    for name, role in (("sam", Role.SHIFT_MANAGER), ("alf", Role.AUTHORITY_OFFICER)):
        hire(name, house.casino, role, by=house.crew.cast.ada)
    return house


def play(folder: Path, *, faults: str = "", seed: int) -> tuple[list[PlantedFault], str]:
    """Plays a gaming day at each table as controllers send it, with people's records after it; then audits."""
    said, truth = io.StringIO(), folder / "truth.ndjson"
    call_command(
        "simulate",
        casino="harbour",
        rounds=ROUNDS,
        seed=seed,
        faults=faults,
        truth=truth,
        keys=folder / "keys",
        in_process=True,
        stdout=said,
    )
    list(audit_log(Casino.objects.get(slug="harbour")))
    return read_planted_faults(truth.read_bytes().splitlines()), said.getvalue()


def unexplained(rows: Iterable[DetectionRow]) -> list[str]:
    missed = [f"missed {row.code}: {one.table} {one.round} {one.says}" for row in rows for one in row.missed]
    false = [f"false {row.code}: {one.table} {one.sentence}" for row in rows for one in row.false]
    return missed + false


# Only a floor that plays in real time can fall silent.
NEEDS_A_CLOCK = {"FEED-SILENT"}


def test_every_fault_is_found_with_its_code_and_nothing_else(floor: House, tmp_path: Path) -> None:
    truth, said = play(tmp_path, faults="all", seed=2)
    comparison = compare(truth, findings_at_planted_tables(truth))
    rows = comparison.rows_by_code()
    assert unexplained(rows) == []
    assert "No room" not in said
    assert {row.code for row in rows if row.found} == {code.name for code in checked_codes()} - NEEDS_A_CLOCK
    assert_clauses_are_planted(comparison)
    assert_found_in_memory(floor.casino)


def assert_clauses_are_planted(comparison: Comparison) -> None:
    """Every clause that is bound to a check was planted here, or is by a violation case that can be played, which
    test_violation_cases_recorded.py does."""
    rows = rows_by_clause(comparison)
    assert {row.rules for row in rows} == set(FACTS)
    assert [row.clause.clause for row in rows if row.missed] == []
    played = [case for rules in FACTS for case in violation_cases(rules) if is_reported(case)]
    by_cases = {(case.rules, clause) for case in played for clause in case.clauses}
    never_planted = {(row.rules, row.clause.clause) for row in rows if not row.planted}
    assert sorted(never_planted - by_cases) == []


class StoredPrizeList(NoEntries):
    """Prizes name a prescribed item by its row, which entries do not state."""

    def prescribed_items_at(self, at: datetime) -> Sequence[PrescribedItem]:
        return StoredEntries(self.casino).prescribed_items_at(at)


def assert_found_in_memory(casino: Casino) -> None:
    """Evaluated as entries that are not stored, the log gives the recorded findings, those of delivery excepted."""
    entries = read_entries(casino.slug, 0, size_of(casino.slug))
    drafts = evaluate_in_memory(StoredPrizeList(casino, approved_versions(casino)), entries)
    of_delivery = {code.name for check in feed.RANGE_CHECKS for code in check.codes}
    recorded = Finding.objects.current().exclude(code__in=of_delivery).exclude(check_name__startswith="reading:")
    compared = ("code", "wager", "table", "at", "version_id", "clause", "sentence", "required_cents", "found_cents")
    expected = {(row.subject_index, *(getattr(row, name) for name in compared)) for row in recorded}
    found = {
        (draft.index, *(getattr(draft, name.removesuffix("_id")) for name in compared))
        for draft in drafts
        if draft.reading is None
    }
    assert found == expected
    cases = ReadingCase.objects.values_list("subject_index", "wager", "choice", "required_cents", "found_cents")
    assert set(cases) == {
        (draft.index, draft.wager, draft.reading[1], draft.required_cents, draft.found_cents)
        for draft in drafts
        if draft.reading is not None
    }


def test_honest_days_have_nothing_but_what_players_overlooked(floor: House, tmp_path: Path) -> None:
    said = io.StringIO()
    call_command(
        "confusion",
        casino="harbour",
        rounds=ROUNDS,
        seed=3,
        honest=True,
        in_process=True,
        keys=tmp_path / "keys",
        details=True,
        stdout=said,
    )
    assert said.getvalue().endswith("; 0 findings were in vain.\n")
    found = set(Finding.objects.current().values_list("code", flat=True))
    assert found <= {"FEED-LATE", "LIMIT-OVER-MAX", "WAGER-UNDER-MIN"}


class TestTheCommand:
    """One fault found, one missed, one near miss reported, one finding without a planted fault."""

    @pytest.fixture
    def truth(self, house: House, tmp_path: Path) -> Path:
        house.open_table()
        for number, returned in enumerate((5_100, 5_000, 5_100, 5_100), start=1):
            house.play((4, 2, 4), wager("small", 2_500, returned, id=f"w-{number}"))
        said = {"code": "SETTLE-OVERPAID", "casino": "harbour", "table": "sb-1", "says": "A dollar too much."}
        planted = [
            {**said, "round": "r-1", "wager": "w-1", "sequence": 1},
            {**said, "round": "r-2", "wager": "w-2", "sequence": 2},
            {**said, "round": "r-3", "wager": "w-3", "sequence": 3, "finding": False},
            {**said, "code": "DISPUTE-RANK", "sequence": 1},
        ]
        path = tmp_path / "truth.ndjson"
        path.write_text("".join(json.dumps(one) + "\n" for one in planted))
        return path

    def run(self, truth: Path, *arguments: str) -> tuple[str, bool]:
        out = io.StringIO()
        try:
            call_command("confusion", "--truth", str(truth), *arguments, stdout=out)
        except SystemExit:
            return out.getvalue(), False
        return out.getvalue(), True

    def test_it_counts_found_missed_and_false_and_fails_for_them(self, truth: Path) -> None:
        said, is_right = self.run(truth, "--json")
        rows = {row.get("code"): row for row in map(json.loads, said.splitlines())}
        assert not is_right
        assert rows["SETTLE-OVERPAID"] == {
            "code": "SETTLE-OVERPAID",
            "planted": 2,
            "found": 1,
            "missed": 1,
            "false": 2,
        }
        assert rows["DISPUTE-RANK"]["missed"] == 1

    @pytest.mark.parametrize(
        ("fault", "counts"),
        [
            # The clause that the finding cites; a named one that is not bound to the code does not count.
            ({"round": "r-1", "sequence": 1, "clauses": ["10.1"]}, (1, 1, 0, 1, 0)),
            ({"round": "r-9", "sequence": 9, "clauses": ["7.1"]}, (1, 1, 0, 0, 1)),
            ({"cites": "7.1", "clauses": ["7.1"]}, (1, 0, 1, 1, 0)),
            ({"cites": "3.1.1", "clauses": ["7.1"]}, (1, 0, 1, 0, 1)),
        ],
        ids=["found", "missed", "case found", "case cited otherwise"],
    )
    def test_it_counts_clauses(
        self, house: House, tmp_path: Path, fault: dict[str, Any], counts: tuple[int, ...]
    ) -> None:
        house.open_table()
        house.play((4, 2, 4), wager("small", 2_500, 5_100, id="w-1"))
        path = tmp_path / "truth.ndjson"
        path.write_text(
            json.dumps({"code": "SETTLE-OVERPAID", "casino": "harbour", "table": "sb-1", "rules": NSW} | fault)
        )
        said, is_right = self.run(path, "--json")
        rows = [row for row in map(json.loads, said.splitlines()) if row.get("planted") and "clause" in row]
        names = ("planted", "by_fault", "by_case", "found", "missed")
        assert rows == [{"rules": NSW, "clause": "7.1"} | dict(zip(names, counts, strict=True))]
        assert is_right == (not counts[-1])
        words, _ = self.run(path)
        assert f"{NSW}: never planted 1.1 casino promotional voucher, " in words
        assert (f"{NSW}: missed 7.1" in words) == bool(counts[-1])

    def test_it_says_which_in_plain_words(self, truth: Path) -> None:
        said, _ = self.run(truth, "--details")
        assert "    missed: harbour/sb-1 line 2: A dollar too much." in said
        assert said.count("    false:  harbour/sb-1 entry") == 2
        assert "Small for $25.00 (wager w-4) was handed back $51.00; $50.00 was due." in said
        assert said.splitlines()[-1].endswith("2 findings were in vain.")

    def test_a_truth_that_cannot_be_used(self, house: House, tmp_path: Path) -> None:
        (tmp_path / "empty").write_text("")
        for path, words in ((tmp_path / "empty", "The truth is empty"), (tmp_path / "none", "No such file")):
            with pytest.raises(CommandError, match=words):
                call_command("confusion", "--truth", str(path))
