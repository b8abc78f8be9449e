"""Figures that the rules leave open, and that the service chose. No law: the help page prints them as its own.

A rule document that names a figure has it in its pack; what is here only says from when on something is flagged.
"""

from datetime import timedelta

# “Immediately” has no number (N29 says so of faults, and means 10.12 as well): later than this is flagged.
AT_ONCE = timedelta(minutes=15)
# “As soon as practicable” has none either: by the end of this many days, weekends and holidays rolled over (N43).
REASONS_WITHIN_DAYS = 2
