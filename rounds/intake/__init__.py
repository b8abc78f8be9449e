"""Intake: receives signed batches of lines from table controllers and appends them to the ledger, each exactly once.

api/             HTTP API of the controllers: POST /api/v1/entries, middleware, rate limit, OpenAPI, help page
protocol/        what controllers send: batch format and signature, schemas of every kind of line, parsing
services/        receive batches, quarantine, rejected signatures, feed state and silence, paper rounds, file import
pages/           web pages: feeds, quarantine, rounds from paper
columns/         encoding of rounds into fixed-width columns, for the audit
models/          Batch, Quarantined, QuarantineResolution, Feed, PaperRound, counters of rejected signatures
management/      the command `import_rounds`
entry_kinds.py   the entry kinds of what tables report and of their feeds;  summaries.py  lines in words
consumer.py      ledger consumer that projects controllers' reports into the floor's Fact rows
round_records.py records of people about a round that change what its wagers are owed; read_round_to_settle
round_view.py    RoundView: a reported round with the rules in force, for pages; access_round
selectors.py     queries: access_quarantined, feed_health and others
permissions.py   roles and thresholds;  errors.py  refusals
verify.py        verifies for `verify_ledger` that every controller entry is in a signed batch
tasks.py         periodic task record_silent_feeds
"""
