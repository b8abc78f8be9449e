"""The machine notices a prediction that is wrong: one test for each way in which it could be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from compliance.audit.context.entries_in_memory import EntriesInMemory
from compliance.audit.context.entry_source import NoEntries
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.rules_in_force import approved_versions
from compliance.audit.prediction import predict
from compliance.audit.run.evaluate_in_memory import evaluate_in_memory
from compliance.tables.equipment.services.floor_records import record_manual_line
from rounds.floor.fact_values import LimitsValue
from rounds.floor.services import record_fact, retract_fact
from rounds.intake.protocol.chips import VoucherExchanged
from rounds.intake.protocol.fields import Staff
from tests.agreement.acts import EveryAct


def disagreements(machine: EveryAct) -> list[str]:
    """After acts whose findings rest on themselves, on stored facts, on re-opened rounds and on a withdrawal."""
    machine.play((1, 2, 4), stake=60_000)
    voucher = VoucherExchanged(voucher="V-1", value=5_000, tokens=4_999, seat=4, by=Staff(position="casino-supervisor"))
    said: dict[str, Any] = {"kind": "voucher-exchanged", "body": voucher, "at": machine.now}
    machine.act(record_manual_line, "sid", table=machine.table, **said)
    lower: dict[str, Any] = {"value": LimitsValue(min=500, max=900), "effective_at": machine.now - timedelta(hours=1)}
    fact = machine.act(record_fact, "sid", casino=machine.casino, table=machine.table, **lower)
    machine.act(retract_fact, "sid", fact=fact, reason="Never so.")
    return [each.partition("\n")[0] for each in machine.tally.disagreements]


def change_drafts(patch: pytest.MonkeyPatch, change: Callable[[FindingDraft], FindingDraft | None]) -> None:
    def evaluate(*sources: Any, **rest: Any) -> Sequence[FindingDraft]:
        return [each for draft in evaluate_in_memory(*sources, **rest) if (each := change(draft)) is not None]

    patch.setattr(predict, "evaluate_in_memory", evaluate)


def leave_out_a_check(patch: pytest.MonkeyPatch) -> None:
    change_drafts(patch, lambda draft: None if draft.code.startswith("VOUCHER") else draft)


def get_an_amount_wrong(patch: pytest.MonkeyPatch) -> None:
    change_drafts(patch, lambda draft: replace(draft, required_cents=(draft.required_cents or 0) + 1))


def reword_a_sentence(patch: pytest.MonkeyPatch) -> None:
    change_drafts(patch, lambda draft: replace(draft, sentence=f"{draft.sentence} Perhaps."))


def ignore_stored_entries(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(predict, "source_with_unread_entries", lambda casino: NoEntries(casino, approved_versions(casino)))


def ignore_reopened_rounds(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(predict, "affected_entries", lambda planned: set())


def count_withdrawn_records(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(EntriesInMemory, "taken_back", frozenset())


def test_a_right_prediction_agrees(machine: EveryAct) -> None:
    assert disagreements(machine) == []
    assert machine.tally.of("record_manual_line").warned == 1
    assert machine.tally.of("record_fact").findings
    assert machine.tally.of("retract_fact").findings


@pytest.mark.parametrize(
    ("break_prediction", "noticed"),
    [
        (leave_out_a_check, ["record_manual_line"]),
        (get_an_amount_wrong, ["record_manual_line", "record_fact", "retract_fact"]),
        (reword_a_sentence, ["record_manual_line", "record_fact", "retract_fact"]),
        (ignore_stored_entries, ["record_manual_line", "record_fact", "retract_fact"]),
        (ignore_reopened_rounds, ["record_fact", "retract_fact"]),
        (count_withdrawn_records, ["retract_fact"]),
    ],
)
def test_a_wrong_prediction_is_noticed(
    machine: EveryAct,
    monkeypatch: pytest.MonkeyPatch,
    break_prediction: Callable[[pytest.MonkeyPatch], None],
    noticed: list[str],
) -> None:
    break_prediction(monkeypatch)
    assert disagreements(machine) == noticed
