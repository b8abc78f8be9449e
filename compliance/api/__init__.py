"""What an inspectorate's own systems read: findings, rounds with proofs, coverage, reports, the whole log. Read only.

A system speaks with a token that somebody of the government made for it, signed off, for some casinos and some kinds
of records and for a limited time. The token opens no more than its maker's own roles do at that moment.

models.py      ApiToken, and for each casino its grant and the end of it
services.py    make_token, revoke_token
reading.py     who speaks: the token of a request, its scope, its limit; what it read is recorded
answers.py     the records as they are sent;  cursors.py  pages that go on where the last one ended
api.py         the addresses under /api/v1/casinos/;  mirroring.py  those of the whole log
openapi.py     the same in the API's document;  guide.py  and on the help page
views/         tokens of a casino: the list, a new one, revoking one
"""
