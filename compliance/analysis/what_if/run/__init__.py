"""Running a trial: plan (entry ranges of the log), worker (evaluates one range after the other under both rule
versions), totals.
"""
