"""Checks that look back over earlier events of a table or casino.

signs.py               which signs were displayed, since when, with which content (no check; used by others)
limit_notices.py       minimums raised without enough notice
player_limit_signs.py  a player's own limits without a sign
posted_odds.py         odds as posted and worded
closings.py            tables closed without a sign or notification
streak_sessions.py     Super Streak over a session: screen, final call, closing
followed_streaks.py    Super Streak wagers in the rounds after their own: settled when their streak ends, placed in time
faults.py              equipment faults: notification, play during a fault
equipment_custody.py   dice, shakers, inspections before opening
shift_inspections.py   inspections at the start of a shift
card_shoes.py          shoes of cards, foreign cards
chips.py               chips without a denomination, vouchers
disputes.py            steps of a dispute: decider, order, deadlines, payment
promotions.py          terms, draws, claims, payments and denials of promotions
"""
