"""Acts of people: Hypothesis rules that choose what is possible in the present state, so that few acts are refused.

tables.py      closings, signs, changes of limits, limits of players
equipment.py   faults and their repair, custody, inspections, chips, vouchers
rounds.py      rounds of controllers and from paper, conduct, voided rounds and the stakes that are returned
disputes.py    disputes about rounds, matters and promotions, along the ladder
promotions.py  terms, amendments, draws, winners, claims, payments
records.py     facts, tables, rule versions, reviews, withdrawn records
"""

from tests.agreement.acts.disputes import ActsInDisputes
from tests.agreement.acts.equipment import ActsOnEquipment
from tests.agreement.acts.promotions import ActsInPromotions
from tests.agreement.acts.records import ActsOnRecords
from tests.agreement.acts.rounds import ActsOnRounds
from tests.agreement.acts.tables import ActsAtTables


class EveryAct(ActsAtTables, ActsOnEquipment, ActsOnRounds, ActsInDisputes, ActsInPromotions, ActsOnRecords):
    """All acts at one casino."""
