"""HTTP concerns that no app owns.

api_view.py         base class of the JSON endpoints under /api/
cache_headers.py    forbids browsers and proxies to store responses
load_shedding.py    refuses requests at once when too many are running
rate_limit.py       requests in a window of time, counted in Redis
session.py          endpoint that extends the session
unsent_forms.py     keeps a form that was submitted after the session had ended
client_address.py   the client's address behind trusted proxies
"""
