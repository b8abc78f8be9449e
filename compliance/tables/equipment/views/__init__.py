"""Pages of equipment.

places.py     who may open them, where they lie
board.py      the day list of a casino: what is stopped, what must be tried, which dice must go
table.py      one table: what it needs now, and everything that can be recorded of it
registers.py  the registers: faults, dice, shakers, inspections, cards, chips
faults.py     one fault from its report to the return to play
voids.py      rounds that damaged dice affected
"""
