"""Other systems are told: signed messages by HTTPS when a finding, an alert or a promotion's terms are recorded.

What is to be told is found by following the log; each message waits in PostgreSQL until its receiver took it. The
address is what a person typed, so it is checked when it is registered and again, resolved, at every sending.

models.py      Endpoint, its steps (entries of the ledger), Delivery, Attempt
states.py      events, standings, acts: what may follow what
services.py    register, change, switch off and on, remove; a test, and sending again
addresses.py   which addresses may be called at all; pure
sending.py     one request over HTTP, to the address that was checked; no database
signing.py     the key, and the headers of Standard Webhooks
messages.py    an entry as the body of a message
following.py   entries of the log become deliveries
delivering.py  what the workers do: claim, send, note, try again, give up
standing.py    for verify_ledger: an endpoint is what its last entry says
views/         endpoints of a casino, one of them with its log, one delivery with its attempts
"""
