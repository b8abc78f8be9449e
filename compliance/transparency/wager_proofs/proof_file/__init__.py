"""The proof of one wager.

wager_tree.py          Merkle tree over the wagers of a round, with salts
wager_statements.py    what a leaf states about a wager
build.py               the proof as a JSON file
service_statement.py   settlement and findings, stated by the service next to the proof
text.py                the proof in words, for page and paper
pdf.py                 the patron's sheet
"""
