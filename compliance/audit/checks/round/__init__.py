"""Checks decided by one round alone.

settlement.py         the amount returned for every wager
settlement_errors.py  the code of the difference to what was owed (rounds.engine.settle, amount_owed.py)
excluded_players.py   wagers of people who were excluded from the game or the casino
wagers.py             approved and offered bets, tender, limits
procedure.py          order of events, tumbles, early exposure, button, void reasons, late voids
result_display.py     the result as called, entered, lit and displayed
sign_limits.py        limits on the sign that the round reports
streaks.py            Super Streak wagers: when, how much, what is due
"""
