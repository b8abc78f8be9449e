"""Mutation test of the rule packs: every value is changed, and a case, a house edge or validation must notice.

mutations.py          every single change of a pack, derived from the types of the schema
mutated_pack.py       the pack with one change, parsed and validated in memory
killers.py            the checks that can notice a change; a new kind of case is one line there
score.py              runs the mutants of a pack; survivors and the justifications that excuse them
justifications.toml   values that no case can notice, each with the reason
__main__.py           `make mutants`: every mutant of every pack, in two processes
test_mutants.py       a seeded sample of them, in `make test`
"""
