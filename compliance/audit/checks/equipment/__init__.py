"""Checks of a table's equipment over time.

faults.py              equipment faults: notification, play during a fault
unreported_faults.py   lights that failed without a fault report
void_reports.py        rounds settled although a report about equipment or cards makes them void
equipment_custody.py   dice, shakers, inspections before opening
shift_inspections.py   inspections at the start of a shift
card_shoes.py          shoes of cards: how many they hold, and what was dealt from them
"""
