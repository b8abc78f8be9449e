"""What intake does, one act a function.

batches.py      receive a signed batch: entries, the batch's signature and the state of its feeds, in one transaction
quarantine.py   keep what was refused; mark it dealt with
signatures.py   record signatures that were refused, one entry a minute at most
paper.py        rounds from paper: entered by one person, confirmed or refused by another
silence.py      record that a feed fell silent, and that it came back
"""
