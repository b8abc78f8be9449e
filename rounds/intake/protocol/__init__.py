"""The protocol of table controllers: signed batches of JSON lines, with strict msgspec schemas.

signed_batch.py  parses an HTTP request into a batch: headers, size limits, gzip (the only module that needs Django)
signature.py     the text that a controller signs, over an RFC 6962 root of the lines
parse.py         parses the lines of a batch into entries, or rejects them
envelope.py      the envelope of a line; LINE_KINDS, parse_line, encode_line, JSON Schemas
round.py         body of a round with its wagers
table.py         bodies about a table: opened, closed, signs, limits, odds, streaks, terminals, corrections
equipment.py     bodies about faults, dice, shakers, inspections, shoes of cards
chips.py         bodies about chips without denomination and vouchers
fields.py        field types that the bodies share: times, amounts, faces, names, staff
timestamps.py    refuses times more than a day ahead, in any field
errors.py        why a line is malformed
manual_lines.py  lines that people recorded or imported instead of a controller
examples.py      one documented example of each kind

The body of a ledger entry is the whole line, byte for byte; the kind's own fields are under its `body`.
Docstrings of the bodies and shared fields are published: they become descriptions in the OpenAPI document.
"""
