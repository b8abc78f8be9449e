"""HTTP concerns that no app owns.

load_shedding.py    refuses requests at once when too many are running
rate_limit.py       requests a minute, counted in Redis
session.py          endpoint that extends the session
unsent_forms.py     keeps a form that was submitted after the session had ended
client_address.py   the client's address behind trusted proxies
"""
