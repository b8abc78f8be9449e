"""Checks decided by one round alone.

settlement.py         the amount returned for every wager
settlement_errors.py  what was due for a wager, and the code of the difference
positions.py          wagers as they stood at the cut-off; a player's wagers on one box
wagers.py             approved and offered bets, tender, limits
voids.py              rounds that should have been void
procedure.py          order of events, tumbles, early exposure, button, void reasons
result_display.py     the result as called, entered, lit and displayed
sign_limits.py        limits on the sign that the round reports
streaks.py            Super Streak wagers: when, how much, what is due
"""
