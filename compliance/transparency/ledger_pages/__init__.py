"""The ledger for those who rely on it: pages, proofs, and evidence to take away.

models.py     Bundle: evidence that somebody asked for, prepared in the background, kept for seven days
states.py     what becomes of a bundle, and which state may follow which
services.py   asking for a bundle, asking for a verification
preparing.py  writing and packing bundles, so that a lost worker loses nothing;  tasks.py  the bells for it
selectors.py  access_entry, access_bundle, whom a search means, what a log's page shows
forms.py      the search, and what to take away
views/        ledger (log and search), entry (with its check), bundles, public (checkpoints, keys, the verifier)
api.py        proofs as JSON, for anybody
"""
