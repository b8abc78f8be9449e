"""What the models of the floor share."""

KEPT = ("SELECT", "INSERT", "UPDATE")
GROWS_ONLY = ("SELECT", "INSERT")
SLUG = r"^[a-z0-9][a-z0-9-]{0,39}$"
