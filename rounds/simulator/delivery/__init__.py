"""Gaming days sent to the service: controller feeds with delivery faults, keys, connection, one simulation a
table, tally and truth file.
"""
