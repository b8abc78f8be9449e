"""Table equipment: faults and stopped play, inspections, custody of dice, shakers, cards and chips, voided rounds.

models.py        ManualLine, ReturnToPlay, VoidSet, StakesReturned: what people recorded, one entry each
projections.py   Fault, Custody, InspectionMade, CardsCounted, ChipsMoved …: rows derived from the log
row_mapping.py   converts an entry to the row it creates
consumer.py      consumer that maintains these rows and raises alerts;  tasks.py  runs it
duties.py        what the table's rule pack requires of its equipment
services/        floor_records.py manual lines, return to play, void rounds; stake_returns.py stakes paid back
selectors.py     status of a casino's equipment;  todo_items.py  to-do items and display facts of a table
forms/           one form for each kind that people record
views/           board, table page, registers, faults, voided rounds, stake returns
verify.py        compares rows with their entries;  entry_kinds.py, errors.py, urls.py, apps.py, demo.py

A person's record becomes an entry of the same kind and format as a controller's line, with its origin. So the audit has
one check for both, and the pages show both.
"""
