"""Recomputes every settlement from the log alone. Independent of the service's audit on purpose: see rounds/witness.

recompute_log.py    recomputes all settlements and compares them with payments and findings
rules_in_force.py   reads rule versions, dated facts, findings and corrections from the log
rules_lookup.py     finds the rules, limits and decisions for one round
round_context.py    a round with its rules, limits and decisions
decisions.py        decisions of people that change amounts: voids, forfeits, refunds, payments
positions.py        wagers at the cut-off, and totals of a player on a bet
amount_due.py       the amount due on one wager
streaks.py          Super Streaks, which span several rounds
entry_schemas.py    schemas of the entries that are read
"""
