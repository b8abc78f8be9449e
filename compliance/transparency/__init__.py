"""How outsiders check the service.

ledger_pages/       pages of a log and its entries, evidence bundles, public checkpoints, keys and proofs
wager_proofs/       proof of a single wager for the patron who made it
witness_registry/   registered witnesses, their cosignatures and disagreements
recovery/           what was lost in a restore, and beginning a new epoch of a log
"""
