"""Entry kinds that only tests record."""

from rounds.ledger import EntryKind

NOTE = EntryKind("test-note", "Note", "{number}")
ROUND = EntryKind("test-round", "Round", "{dice}", meaning="A round that the tests record.")
SIGN = EntryKind("test-sign", "Sign", "{words}")
FAULT = EntryKind("test-fault", "Fault", "{by}")
FILLER = EntryKind("test-filler", "Filler", "{number}")
MATTER = EntryKind("test-matter", "Matter", "{patron}")
