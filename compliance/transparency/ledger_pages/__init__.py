"""Pages of the ledger: search, entries and their verification, evidence bundles, public checkpoints and proofs.

models.py         Bundle: a requested evidence file
services.py       request, cancel or retry a bundle, request a verification
build_bundle.py   the worker that writes and zips bundles; restartable
tasks.py          Celery tasks
completeness.py   completeness statement for a table and a period
selectors.py      access_entry, access_bundle, people in a search
forms.py          search, completeness, bundle request
errors.py         refusals
proof_api.py      public JSON API for inclusion and consistency proofs
openapi.py        that API in the OpenAPI document
views/            the pages
"""
