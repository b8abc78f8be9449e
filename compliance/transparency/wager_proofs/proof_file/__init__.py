"""One wager's proof: the Merkle tree over a round's wagers, what each leaf states, the JSON file, its text and its
PDF.
"""
