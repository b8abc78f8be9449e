"""Faults and stop-play, inspections, dice and shakers, cards, chips without value, and rounds voided for damaged dice.

What people record of a table here becomes an entry of the same kind, in the same words, as a controller's line, with
its origin: one kind of fact, one judgement. All state that the pages show follows the ledger, whoever recorded it.

models.py      PersonsLine, ReturnToPlay, VoidSet, StakesReturned: what people wrote
states.py      Fault, Custody, InspectionMade, CardsCounted, ChipsMoved: what the entries add up to
reading.py     an entry as the row that it makes
following.py   the rows moved by the log; alerts raised where the pack has somebody told
duties.py      what a table's rules ask of its equipment: pack data
services.py    record_line, return_to_play, void_rounds
returns.py     stakes owed for what became void later; return_stakes
selectors.py   stopped_tables, custody and inspections due;  needs.py  what a table needs, what its display says
forms/         one form for each kind that people record
views/         the day list, registers, records, faults, void sets
"""
