"""The accounts pages. Views read the clock, call one service and say what was done.

sign_in.py        sign in, second-factor code, sign out
second_factor.py  setting up the second factor, recovery codes
password.py       forgotten and changed passwords
account.py        one's own account
people.py         administrators: the list of people, one person, the chart of sign-ins
acts.py           administrators: what can be done to a person
invitations.py    administrators: invite, send again, withdraw; everybody: accept
steps.py          what these share
"""
