"""Approved rule versions and the commands that read rule packs."""
