"""What table controllers say, kind by kind: strict schemas of msgspec, without Django.

words.py      instants, amounts, faces, names, people of the house
round.py      a round with its wagers
table.py      open and closed, signs, limits, odds, streaks, terminals, a controller's own corrections
equipment.py  faults, dice, shakers, inspections, shoes of cards
chips.py      chips without a denomination, vouchers
lines.py      the envelope; `KINDS`, `read_line`, `write_line`, the JSON Schemas
instants.py   every time in a line by its schema: none lies more than a day ahead
problems.py   why a line is refused
examples.py   one documented example a kind

An entry's body in the ledger is the whole line, byte for byte: what a kind says of the table is under its `body`.
"""
