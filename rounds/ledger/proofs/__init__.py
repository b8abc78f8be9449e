"""Proofs of single entries from what is stored: step by step for a page, as a file, and with the receipts of a
batch.
"""
