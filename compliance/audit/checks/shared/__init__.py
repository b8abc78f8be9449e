"""Shared by all checks: contracts (the dataclasses that declare a check) and roles (positions behind a document's
word for a role).
"""
