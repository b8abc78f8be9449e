"""Authentication.

credentials.py      checks passwords and codes; failures are counted by django-axes
lockout.py          response after too many failures
second_factor.py    TOTP and recovery codes
reauthenticate.py   base form of approvals: password and code in the same submission
middleware.py       session time-out; access rule of every view
"""
