"""JSON endpoints under /api/v1/casinos/.

views.py             findings, rounds, coverage, reports
log_mirror.py        the whole log and its rule packs
authentication.py    token, scope, rate limit, record of access
query_parameters.py  cursors, limits and filters
responses.py         types of the response bodies
openapi.py           the API in the OpenAPI document
"""
