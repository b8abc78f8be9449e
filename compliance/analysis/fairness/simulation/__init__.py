"""Simulated dice sets and tables, fair and unfair, run through the real tests to measure after how many rounds
they are signalled.
"""
