"""Intake: table controllers feed the ledger.

kinds/  what they say, kind by kind, with schemas and examples
"""
