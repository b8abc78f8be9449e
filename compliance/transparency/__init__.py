"""How others check the service: ledger pages and bundles, wager proofs, witnesses, recovery after a restore."""
