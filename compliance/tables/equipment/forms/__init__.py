"""One form for each kind of line that people record: what is typed, as the body that a controller would have sent.

fields.py  names, faces and who holds chips; the form they all inherit from
pieces.py  dice, shakers, shoes, counts
trials.py  faults, their repair, inspections
chips.py   chips without value, issued and handed back
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
