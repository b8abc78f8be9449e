"""Accounts in the ledger.

account_events.py      records account events; regulated ones also as ledger entries
person_act.py          abstract models for entries of other apps: who, when, why
verify_roles.py        compares RoleAssignment rows with their entries
verify_identities.py   compares IdentityLink rows with their entries
"""
