"""Access log: exported lists, downloaded files, reads by other systems, and reads of patrons' details. Views
answer with list_response, which calls list_export; the middleware records every other file that a casino's page sends.

models.py        Disclosure (an export, file or API read); AccessLogEntry (these and the reads of details as one list)
services.py      record_disclosure
selectors.py     access_log_of: what the page and the report show
list_export.py   a list as a file, recorded and streamed
middleware.py    records file downloads
entry_kinds.py   the ledger entry kind
views.py         the page
forms.py         its filter
"""
