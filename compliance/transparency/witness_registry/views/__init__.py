"""Views.

witnesses.py   the witnesses of a casino's log: state, register, end, download a statement
"""
