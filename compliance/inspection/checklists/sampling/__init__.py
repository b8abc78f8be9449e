"""Random samples of rounds: population, weights by factors, tickets drawn by the seed, estimates for all rounds.
Reads only.
"""
