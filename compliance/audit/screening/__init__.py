"""Fast path: selects over numpy columns the rounds that need an exact check. False positives are allowed, false
negatives never.
"""
