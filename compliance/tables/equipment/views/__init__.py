"""Pages of equipment.

common.py         permissions and links shared by the pages
board.py          to-do items of the casino: stopped tables, inspections due, dice to remove
table.py          one table: its to-do items and everything that can be recorded
registers.py      registers of faults, dice, shakers, inspections, cards, chips
faults.py         one fault from its report to the return to play
void_rounds.py    rounds affected by damaged dice
stake_returns.py  stakes owed for what became void later
"""
