"""One form for each entry kind that people record. Each converts its input to the body a controller would have sent.

base.py                RecordForm, which they all inherit from, and shared fields
custody.py             dice, shakers, shoes, card counts
faults_inspections.py  faults, their repair, inspections
chips.py               chips without value, issued and handed back
"""

from compliance.tables.equipment.forms.base import RecordForm
from compliance.tables.equipment.forms.chips import ChipsIssuedForm, ChipsRedeemedForm
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

FORMS: dict[str, type[RecordForm]] = {
    "fault": FaultForm,
    "fault-cleared": FaultClearedForm,
    "inspection": InspectionForm,
    "dice-placed": DicePlacedForm,
    "dice-removed": DiceRemovedForm,
    "shaker-placed": ShakerPlacedForm,
    "shaker-removed": ShakerRemovedForm,
    "shoe-changed": ShoeChangedForm,
    "deck-count": DeckCountForm,
    "foreign-card": ForeignCardForm,
    "chips-issued": ChipsIssuedForm,
    "chips-redeemed": ChipsRedeemedForm,
}
