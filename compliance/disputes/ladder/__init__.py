"""The decision ladder of a dispute: who decides on which rung (from the rule pack), and the states and
transitions.
"""
