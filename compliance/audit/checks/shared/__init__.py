"""Shared by all checks.

check_types.py  the dataclasses that declare a check and what a range check is given
roles.py        the product's positions behind a document's word for a role
"""
