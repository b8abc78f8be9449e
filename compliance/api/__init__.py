"""Read-only JSON API for an inspectorate's own systems: findings, rounds with proofs, coverage, reports, the whole log.

models.py     ApiToken; TokenGrant and TokenEnd for each casino
endpoints/    the API under /api/v1/casinos/: authentication, views, log mirror, OpenAPI
tokens/       pages and services by which people make and revoke tokens
help_page.py  values for the help page;  entry_kinds.py, errors.py, urls.py, apps.py, demo.py

A token is made by a government user, after reauthentication, for some casinos and record types and a limited time. It
never grants more than its maker's current roles.
"""
