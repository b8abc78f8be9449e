"""Random samples of rounds. Reads only.

draw.py                the population, and the result of a draw
seeded_selection.py    which rounds a seed draws
weights.py             weight of each round by the chosen factors
sampled_columns.py     rounds as numpy columns, for the factors
reading_dependence.py  factor: settlement depends on a reading of the rules
estimates.py           estimates for the whole population
text.py                texts and tables about a weighted sample
"""
