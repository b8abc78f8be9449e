"""A rule pack: its TOML schema (law, conduct, duties), loading and validation, readings of ambiguous clauses, and
compilation into rules per pay table.
"""
