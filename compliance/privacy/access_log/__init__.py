"""Access log: exported lists, downloaded files, reads by other systems, and reads of patrons' details. Pages need no
calls: the middleware answers requests for a list as a file and records them, and records every file that a casino's
page sends.

models.py        Disclosure (an export, file or API read); AccessLogEntry (these and the reads of details as one list)
services.py      record_disclosure
selectors.py     access_log_of: what the page and the report show
middleware.py    answers ExportRequested, and records file downloads
entry_kinds.py   the ledger entry kind
views.py         the page
forms.py         its filter
"""
