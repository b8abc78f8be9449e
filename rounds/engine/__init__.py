"""Rule engine: settles wagers under rule packs. Pure functions: no Django, no clock, no I/O except reading pack files.

Other packages import the names in `__init__.pyi`; those that pyproject.toml names also import a sub-package, never a
module inside it (import-linter enforces both). lazy_loader imports the modules on first use, so that importing
`rounds.engine` stays cheap.

bets/       base vocabulary: bet codes, the 216 outcomes, odds as fractions, win conditions
pack/       a rule pack: TOML schema, loading, validation, readings of ambiguous clauses, rules compiled per pay table
settle/     settlement of one wager with its limits, rounding and readings; what each wager of a round is owed
odds/       computed from compiled rules: house edges, payout matrix, truth table; odds wording and required equipment
money.py    amounts of money as text
utc_clock.py  times of day as text
errors.py   EngineError and its closed list of codes
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
