"""Privileges of the application's database role, and the form of a slug, for all models of the floor."""

UPDATABLE = ("SELECT", "INSERT", "UPDATE")
APPEND_ONLY = ("SELECT", "INSERT")
SLUG_PATTERN = r"^[a-z0-9][a-z0-9-]{0,39}$"
