"""Encoding of reported rounds into columns (round_encoding.py). Pure functions; the stored projection is in
compliance/audit/projections.
"""
