"""Figures that the rules leave open, and that the service chose. No law: the help page prints them as its own.

A rule document that names a figure has it in its pack; what is here only says from when on something is flagged.
"""

# “As soon as practicable” has no number: by the end of this many days, weekends and holidays rolled over (N43).
REASONS_WITHIN_DAYS = 2
