"""Figures that the rules leave open and this service chose. They only decide when something is flagged.

The help page prints them as the service's own. Figures that a rule document states are in its pack.
"""

# “As soon as practicable” has no number: the end of this many days, rolled over weekends and holidays (N43).
REASONS_WITHIN_DAYS = 2
