"""The inspector's work: reviews of findings (reviews), samples of rounds and rule documents signed off clause by
clause (checklists).
"""
