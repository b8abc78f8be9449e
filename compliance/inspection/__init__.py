"""The inspector's work.

reviews/     findings reviewed and decided by people
checklists/  random samples of rounds, and rule documents signed off clause by clause
"""
