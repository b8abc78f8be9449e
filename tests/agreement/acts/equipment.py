"""Equipment: faults from report to return to play, dice and shakers, cards, inspections, chips and vouchers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from compliance.core.accounts.roles import Role
from compliance.tables.equipment.projections import Custody, Fault, Piece
from compliance.tables.equipment.services.floor_records import MAY_RECORD, record_manual_line, return_to_play
from rounds.floor.fact_catalogue import uses_cards
from rounds.intake.protocol import chips, equipment
from rounds.intake.protocol.fields import Body, Staff, Told
from tests.agreement.machine import FEW_MINUTES, MOSTLY, Agreement

FAILING = st.sampled_from(["electrical-device", "tumbler", "automated-shaker", "display", "terminal", "shoe"])
POSITIONS = {
    "sid": Role.CASINO_SUPERVISOR,
    "sue": Role.CASINO_SUPERVISOR,
    "gina": Role.GAMES_SUPERVISOR,
    "sam": Role.SHIFT_MANAGER,
}


class ActsOnEquipment(Agreement):
    @rule(data=st.data())
    def fault(self, data: st.DataObject) -> None:
        """The next step of the open fault: repaired, tried, returned to play. Else a new one."""
        known = Fault.objects.filter(log=self.casino.slug, table=self.table.slug)
        open_fault = known.not_repaired().order_by("index").first()
        if open_fault is not None:
            self.line(data, "fault-cleared", lambda by: equipment.FaultCleared(fault=open_fault.name, by=by))
        elif known.stopping_play().exists():
            if data.draw(st.booleans()):
                self.inspect(data, "after-repair")
            self.act(return_to_play, self.one_of(data, MAY_RECORD), table=self.table, note="Three results entered.")
        else:
            self.report_fault(data)

    def report_fault(self, data: st.DataObject) -> None:
        told = Told(position=data.draw(st.sampled_from(["inspector", "casino-supervisor"])), at=self.now)
        failing: Any = data.draw(FAILING)
        is_told = data.draw(st.booleans())
        self.line(
            data,
            "fault",
            lambda by: equipment.Fault(
                fault=f"f-{self.now:%H%M%S}",
                equipment=failing,
                effect="failed",
                told=(told,) if is_told else (),
                play_ceased_at=self.now if is_told else None,
                by=by,
            ),
        )

    @rule(data=st.data(), occasion=st.sampled_from(["before-opening", "start-of-shift", "after-repair"]))
    def inspect(self, data: st.DataObject, occasion: Any) -> None:
        item: Any = data.draw(st.sampled_from(["electrical-device", "automated-shaker"]))
        trials, passed = data.draw(st.sampled_from([1, 3])), data.draw(MOSTLY)
        entered = data.draw(st.sampled_from([(), ((1, 2, 4), (2, 4, 4), (4, 5, 6))]))
        self.line(
            data,
            "inspection",
            lambda by: equipment.Inspection(
                item=item, occasion=occasion, trials=trials, passed=passed, entered=entered, by=by
            ),
        )

    @precondition(lambda self: not uses_cards(self.pack))
    @rule(data=st.data(), is_automated=st.booleans())
    def move_equipment(self, data: st.DataObject, is_automated: bool) -> None:
        """Dice and shakers: what is at the table is removed, else placed."""
        present = Custody.objects.filter(log=self.casino.slug, table=self.table.slug)
        dice = present.of_piece(Piece.DICE).at_table().first()
        shaker = present.of_piece(Piece.SHAKER).at_table().first()
        why: Any = data.draw(st.sampled_from(["time", "damaged", "closing"]))
        kind: Any = "automated" if is_automated else "manual"
        if data.draw(st.booleans()):
            if dice is None:
                sealed = data.draw(st.booleans())
                name = data.draw(st.sampled_from(["D-1", "D-2"]))
                self.line(data, "dice-placed", lambda by: equipment.DicePlaced(dice=name, sealed=sealed, by=by))
            else:
                self.line(data, "dice-removed", lambda by: equipment.DiceRemoved(dice=dice.name, reason=why, by=by))
        elif shaker is None:
            self.line(data, "shaker-placed", lambda by: equipment.ShakerPlaced(shaker=f"S-{kind}", type=kind, by=by))
        else:
            removed: Any = shaker.type
            self.line(
                data,
                "shaker-removed",
                lambda by: equipment.ShakerRemoved(shaker=shaker.name, type=removed, by=by),
            )

    @precondition(lambda self: uses_cards(self.pack))
    @rule(data=st.data(), kind=st.sampled_from(["shoe-changed", "deck-count", "foreign-card"]))
    def handle_cards(self, data: st.DataObject, kind: str) -> None:
        decks, cards = data.draw(st.sampled_from([(8, 416), (8, 415), (6, 312)]))
        bodies: dict[str, Callable[[Staff], Body]] = {
            "shoe-changed": lambda by: equipment.ShoeChanged(shoe="shoe-1", decks=decks, cards=cards, by=by),
            "deck-count": lambda by: equipment.DeckCount(shoe="shoe-1", decks=decks, cards=cards, by=by),
            "foreign-card": lambda by: equipment.ForeignCard(shoe="shoe-1", by=by),
        }
        self.line(data, kind, bodies[kind])

    @rule(data=st.data(), value=st.sampled_from([100, 500, 2_500]), is_issued=st.booleans())
    def chips(self, data: st.DataObject, value: int, is_issued: bool) -> None:
        holder: dict[str, Any] = {"set": "blue-1", "colour": "blue", "value": value, "player": "p-1"}
        if is_issued:
            body: Body = chips.ChipsIssued(chips=20, marker=data.draw(st.sampled_from([None, value])), **holder)
            self.line(data, "chips-issued", lambda by: body)
        else:
            paid = 20 * value - data.draw(st.sampled_from([0, 0, 100]))
            self.line(
                data,
                "chips-redeemed",
                lambda by: chips.ChipsRedeemed(chips=20, paid=paid, issued_at=self.table.slug, **holder),
            )

    @precondition(lambda self: self.pack.duties.voucher)
    @rule(data=st.data(), tokens=st.sampled_from([4_999, 5_000, 5_000]), is_met=MOSTLY)
    def exchange_voucher(self, data: st.DataObject, tokens: int, is_met: bool) -> None:
        said: dict[str, Any] = {"voucher": "V-1", "value": 5_000, "tokens": tokens, "seat": 4}
        self.line(data, "voucher-exchanged", lambda by: chips.VoucherExchanged(conditions_met=is_met, by=by, **said))

    def line(self, data: st.DataObject, kind: str, body: Callable[[Staff], Body]) -> None:
        who = self.one_of(data, MAY_RECORD)
        at = self.now - timedelta(minutes=data.draw(FEW_MINUTES))
        by = Staff(position=POSITIONS[who].value)  # type: ignore[arg-type]
        self.act(record_manual_line, who, table=self.table, kind=kind, body=body(by), at=at)
        self.consume()
