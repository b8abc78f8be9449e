"""Web pages of findings, coverage and checks (clause_page.py  one clause under a rule version, with the violation cases that prove its check
views.py), their filter form (forms.py), the help page of codes
(help_page.py)."""
