"""Help pages for operators.

help_page.py  production, backup, runbook, threat model, drills
capacity.py   how much one machine holds
runbook.py    what each alarm means and what to do
"""
