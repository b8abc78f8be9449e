"""The pages of the ledger: one log, one entry, bundles; and what anybody may fetch.

places.py   who may open what, and where pages lie;  ledger.py  a log, its search and its verification
entry.py    one entry and its check;  bundles.py  evidence to take away;  public.py  checkpoints, keys, the verifier
"""
