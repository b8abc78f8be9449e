"""Casinos, the people around them, and which roles they hold where.

roles.py          the product's roles: who is government, who needs a second factor
models.py         Casino, User, RoleHeld, Invitation, recovery codes, AccountEvent, AccountAct
services/         every act that changes an account
acts.py           PersonsAct, ReasonedAct: what the entries of other apps say of who did it, when and why
selectors.py      who works where; access_person
middleware.py     enforces the access rule of every view; idle time-out
unsent.py         what somebody sent when their session had ended
requests.py       what a view may rely on after that
single_sign_on/   an inspectorate's own provider says who somebody is;  identity_links.py  whom it lets in
identity.py       proving who somebody is, throttled;  lockout.py  the answer to too many guesses
second_factor.py  authenticator codes and recovery codes
sign_off.py       SignOffForm: proving it again in the submission that approves something
roles_kept.py, identities_kept.py  what verify_ledger compares with the entries
events.py         writing down what happened: regulated acts as entries of the ledger, the rest as rows
letters.py        telling people by e-mail;  tasks.py  letters that nobody waits for
demo.py           the demo's casinos and people
management/       reset_second_factor, check_providers, for those who run the service
views/            sign-in, own account, people (administrators)
"""
