"""The decision ladder of a dispute.

rungs.py    who decides, in which order, from the rule pack
states.py   states and transitions
"""
