"""One form for each entry kind that people record. Each converts its input to the body a controller would have sent.

base.py                RecordForm, which they all inherit from, and shared fields
custody.py             dice, shakers, shoes, card counts
faults_inspections.py  faults, their repair, inspections
chips.py               chips without value, issued and handed back; vouchers
plausibility.py        doubts about the time or round of a record
"""

from compliance.tables.equipment.forms.base import RecordForm
from compliance.tables.equipment.forms.chips import ChipsIssuedForm, ChipsRedeemedForm, VoucherForm
from compliance.tables.equipment.forms.custody import (
    DeckCountForm,
    DicePlacedForm,
    DiceRemovedForm,
    ForeignCardForm,
    ShakerPlacedForm,
    ShakerRemovedForm,
    ShoeChangedForm,
)
from compliance.tables.equipment.forms.faults_inspections import FaultClearedForm, FaultForm, InspectionForm
from rounds.intake import entry_kinds

FORMS: dict[str, type[RecordForm]] = {
    entry_kinds.FAULT: FaultForm,
    entry_kinds.FAULT_CLEARED: FaultClearedForm,
    entry_kinds.INSPECTION: InspectionForm,
    entry_kinds.DICE_PLACED: DicePlacedForm,
    entry_kinds.DICE_REMOVED: DiceRemovedForm,
    entry_kinds.SHAKER_PLACED: ShakerPlacedForm,
    entry_kinds.SHAKER_REMOVED: ShakerRemovedForm,
    entry_kinds.SHOE_CHANGED: ShoeChangedForm,
    entry_kinds.DECK_COUNT: DeckCountForm,
    entry_kinds.FOREIGN_CARD: ForeignCardForm,
    entry_kinds.CHIPS_ISSUED: ChipsIssuedForm,
    entry_kinds.CHIPS_REDEEMED: ChipsRedeemedForm,
    entry_kinds.VOUCHER_EXCHANGED: VoucherForm,
}
