"""Facts: what machines reported and what the rule documents say about it."""
