"""Checks for verify_ledger: dispute states, inspectors' notes and attached files against their entries."""
