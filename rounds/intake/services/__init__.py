"""Services of intake.

batches.py               receive a signed batch: append entries, store the signature, update feeds in one transaction
line_projections.py      projections that are written together with the lines from which they are derived
feed_state.py            upsert of the current state of feeds
quarantine.py            store refused lines; mark one as dealt with
rejected_signatures.py   count rejected signatures and record them, at most one entry a minute
feed_silence.py          record that a feed fell silent, and that it came back
paper_rounds.py          rounds from paper: entered by one person, confirmed or refused by another
import_rounds.py         past rounds from NDJSON and CSV files
wake_consumers.py        wake the consumers of the log after new entries
"""
