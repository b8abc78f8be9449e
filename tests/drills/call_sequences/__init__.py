"""Services called in any order by anybody, with what must hold whatever was called.

anything.py    the base: a call succeeds or is refused in words, and a refusal leaves nothing behind
ledger.py      appending, rolling back, correcting, signing, following
disputes.py    the dispute ladder
notices.py     limit notices, their signs and the clock
promotions.py  terms, amendments, draws, winners, claims
"""
