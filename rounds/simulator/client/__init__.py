"""The reference controller client. Uses the standard library and `cryptography`, nothing else of this project.

Read it in this order:

spool.py            numbers each line and writes it to disk before it is sent; remembers what was receipted
batch_signature.py  signs a batch: Ed25519 over four lines of text that end with the Merkle root of its lines
receipt_proofs.py   verifies a receipt: the leaf, its inclusion in the log, and the log's signature
sender.py           sends batches, retries with back-off, and quarantines a refused line so that the rest can go on
"""
