"""Checks that look back over earlier events of a table or casino: signs, limits, closings, faults, equipment,
shifts, cards, chips, disputes, promotions.
"""
