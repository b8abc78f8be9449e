"""Checks that look back over earlier events of a table or casino.

signs.py               which signs were displayed, since when, with which content (no check; used by others)
limit_notices.py       limits changed by whom; minimums raised without enough notice
limits_shown.py        tables without a sign that shows their limits
player_limit_signs.py  a player's own limits without a sign
posted_odds.py         odds as posted and worded
closings.py            tables closed without a sign or notification; play after a closing
streak_sessions.py     Super Streak over a session: screen, final call, closing
followed_streaks.py    Super Streak wagers in the rounds after their own: settled when their streak ends, placed in time
void_decisions.py      rounds invalidated and wagers voided by people: rank and grounds
chips.py               chips without a denomination, vouchers
disputes.py            steps of a dispute: decider, order, deadlines, payment
promotions.py          terms, marketing material, integrity stops, denials and deadlines of promotions
promotion_awards.py    draws, winners and payments of promotions, compared with the terms as filed
promotion_context.py   what both are given (no check)
"""
