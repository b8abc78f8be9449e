"""Accounts in the ledger: account events and their entries, the base models of acts by a person, and the verifiers
of roles and identities.
"""
