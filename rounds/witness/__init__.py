"""The witness: a program that an inspectorate runs on its own machine to detect a rewritten log.

It follows a log from outside, checks that each checkpoint extends the one before, and cosigns it with its own key. It
needs neither PostgreSQL nor any secret of the service. Run `python -m rounds.witness` or `manage.py witness`.

The witness is an independent implementation on purpose. Positions, limits, streaks and decisions are computed again in
`recompute`, although the service has the same logic (amount_owed.py and wager_position.py of `rounds.engine.settle`):
shared code would make the same mistake twice and the check would confirm it. Do not merge the two. Of the engine it
uses packs and the settlement of a single wager; it also shares the log's byte formats and tree
(`rounds.transparency_log`) and the schemas of the intake protocol; import-linter keeps Django and the ledger's database
out.

cosigner.py      the check before every cosignature
follow_logs.py   fetches, checks and cosigns the newest checkpoint of each log
audit_log.py     recomputes every settlement, then cosigns with the second, audited key
keys.py          the key file, and the file with the heads it has cosigned
state.py         SQLite file: followed logs, last checkpoints, refusals, mirrored entries
errors.py        why the witness does not start or sign
command.py       command line: init, trust, key, once, run, audit, status
entries/         sources of entries and rule packs (bundle, API) and the local mirror
recompute/       recomputes settlements from the log alone
http/            HTTP client, add-checkpoint server
"""
