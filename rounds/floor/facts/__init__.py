"""Derived from the dated facts.

fact_history.py   facts in force at tables over a period, by raw SQL, for the audit
gaming_days.py    gaming day, shift and holiday of an instant in the casino's time zone
rules_in_force.py the facts of a table as RulesInForce, which the settlement engine reads
rule_breaches.py  which rules a fact breaks, from pack data
text.py           a fact's value as lines of text
"""
