"""Pages of draws.

draws.py     draws of a promotion, one draw, and the actions on it
winners.py   winners, attempts to reach them, those not notified yet
holidays.py  the holiday calendar that deadlines use
"""
