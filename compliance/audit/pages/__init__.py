"""Web pages of findings, coverage and checks, their filter form and the help page of finding codes."""
