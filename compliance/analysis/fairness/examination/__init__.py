"""The daily examination of a casino: tests and signals of the subjects that are due, returns by day, rebuild of
derived rows.
"""
