"""The reference controller client: Python's standard library and `cryptography`, nothing of this project.

Read it in this order.

spool.py     lines are numbered and on disk before anything else happens to them; what was sent is never forgotten
signing.py   a batch is signed: four lines of text with the root over its lines
proofs.py    a receipt is believed only after the leaf, its place in the log and the log's signature were worked out
sending.py   batches go out, are tried again with patience, and a refused line is set aside so that it stops nobody
"""
