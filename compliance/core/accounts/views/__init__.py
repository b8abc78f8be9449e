"""The accounts pages. Views read the clock, call one service and show the result.

sign_in.py          sign in, second-factor code, sign out
single_sign_on.py   sign in by a provider
second_factor.py    setting up the second factor, recovery codes
password.py         forgotten and changed passwords
account.py          the own account
identities.py       linking, offering and removing single sign-on
identity_rows.py    rows on single sign-on for the pages of an account
people.py           administrators: the list of people, one person, the chart of sign-ins
person_actions.py   administrators: actions on a person
invitations.py      administrators: invite, send again, withdraw; everybody: accept
login_session.py    starting a session and where to go next
confirm.py          the confirmation page of acts on accounts
casino_picker.py    choice of a casino for pages that each casino has
"""
