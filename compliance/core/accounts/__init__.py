"""Casinos, the people who work there or supervise them, and their roles.

models.py         Casino, User, RoleAssignment, Invitation, recovery codes, AccountEvent, AccountAct
roles.py          the roles: which are government, who administers which
separation.py     separation of duties: whether a person had an earlier part in something
selectors.py      reads: people of a casino, sign-ins by day, access_person and the like
services/         every use case that changes an account
auth/             passwords, second factor, lockout, reauthentication, session time-out and access middleware
sso/              single sign-on by OpenID Connect, and IdentityLink
ledger/           account events and their ledger entries, base models of acts by a person, verifiers
views/            sign-in, own account, people (administrators)
forms.py          forms of these pages
request_types.py  request types that views can rely on after the middleware
list_registry.py  filtered lists by URL name, for their views and for saved views
errors.py         refusals
emails.py         e-mails about accounts
tasks.py          Celery tasks that send them
demo.py           the demo's casinos and people
management/       commands reset_second_factor, check_providers and mixed_roles
"""
