"""Witnesses of a casino's log: who watches it from outside, what they cosigned, and what they disagree with.

A witness is a program of the inspectorate's (`rounds.witness`). The government registers its key here; it posts its
cosignatures, and its signed word when the log broke a promise. Cosignatures are no entries: each would make the log
longer, and need another. Registrations and disagreements are.

models.py     Witness, WitnessEnd, Cosignature, Dissent
services.py   register_witness, end_witness, take_cosignatures, take_dissent, tell_of_the_silent
standing.py   how a witness stands: agrees, behind, disagrees
selectors.py  who may see what; the lines that a checkpoint is served with
api.py        where witnesses post;  views/  the pages;  health.py  the line on the status page
"""
