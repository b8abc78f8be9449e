"""A second, deliberately plain settlement, written from the five documents and used only to check the engine.

naive.py     `naive_settle(line)`: one line of the `settle` command in, its verdict and alternatives out
wording.py   the closed set of bet codes, how odds are read and written, the shapes of an answer
nsw.py rws.py mbs.py skycity.py licensee.py   one rule set each, clause by clause
streak.py    NSW rules 6, 7.2 and 8.7.1: Super Streak over many rounds
golden.py    reads the golden cases that lie beside the rule packs

It shares nothing with `rounds.engine` and must never import it.
"""
