"""Hypothesis state machines: services called in any order by anybody, with the invariants that must hold.

state_machine.py  base class: a call succeeds or is refused, and a refusal changes nothing
ledger.py         append, roll back, correct, sign, consume
disputes.py       the dispute ladder
notices.py        limit notices, their signs and the clock
promotions.py     terms, amendments, draws, winners, claims
"""
