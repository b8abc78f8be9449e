"""What the models of the floor share."""

UPDATABLE = ("SELECT", "INSERT", "UPDATE")
APPEND_ONLY = ("SELECT", "INSERT")
SLUG_PATTERN = r"^[a-z0-9][a-z0-9-]{0,39}$"
