"""Mutation test of the rule packs: every value is changed, and a case, a house edge or validation must notice.

mutations.py          every single change of a pack, derived from the types of the schema
mutated_pack.py       the pack with one change, parsed and validated in memory
killers.py            the checks that can notice a change; a new kind of case is one line there
case_reads.py         which violation cases read which values, so that only those are evaluated
score.py              runs the mutants of a pack; survivors and the justifications beside the packs that excuse them
full_run.py           every mutant of every pack, in two processes
__main__.py           `make mutants`: sets up Django and starts the full run
test_mutants.py       a seeded sample of them, in `make test`
"""
