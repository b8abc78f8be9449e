"""Rare operations on a log: rotate the key, halt a log that lost entries, begin a new epoch."""
