"""Rounds as columns. Pure functions; the stored projection is in compliance/audit/projections.

round_encoding.py   encodes events and wagers into bytes, and decodes the bytes of many rounds into numpy arrays
packed_rows.py      encodes rounds as rows of a binary COPY, which intake writes and verify_ledger compares
"""
