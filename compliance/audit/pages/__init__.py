"""Web pages of findings, coverage and checks (views.py), their filter form (forms.py), the help page of codes
(help_page.py)."""
