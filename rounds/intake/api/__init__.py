"""HTTP API of the table controllers.

views.py           POST /api/v1/entries
middleware.py      routes controller requests past the middlewares for browsers
openapi.py         the OpenAPI description;  openapi_views.py  its document and Swagger UI
help_page.py       content of the help page for integrators
rule_sets.py       content of the help page on what each rule set expects
rule_set_expectations.py  members and lines that rule sets need, by clause
"""
