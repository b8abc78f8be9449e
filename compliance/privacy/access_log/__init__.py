"""Who looked at what: lists and files taken away, reads by other systems, looks at patrons' details.

Nothing here has to be called by a page. A list that the address asks for as a file is answered by the middleware, and
so is recorded; a file that a casino's page sends is recorded on its way out.

models.py      Disclosure, one a list, file or read; Seen, these and the looks at patrons' details as one list
services.py    record_disclosure
selectors.py   seen_at: what the page and the report show
middleware.py  answers ListWanted, and notices files
kinds.py       the ledger's word for it
views.py       the page;  forms.py  its filter
"""
