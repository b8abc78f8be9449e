"""Forms of the terms.

wizard_steps.py  one form for each wizard page
prizes.py        the two pages of a prize
actions.py       begin, file, amend, decide, postpone, registers
"""
