"""checklists.py: lists, one checklist, its sign-off. clauses.py: one clause. samples.py: drawing, walking."""
