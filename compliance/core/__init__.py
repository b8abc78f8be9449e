"""The base layer: the only part of compliance that rounds may import.

web/        pages and services that every app shares: access rules, errors, forms, tables, PDF, e-mail, jobs, health
accounts/   people, their roles at casinos, sign-in, and the ledger entries for changes to both
"""
