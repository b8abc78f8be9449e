"""Rule engine: settles wagers under rule packs. Pure functions: no Django, no clock, no I/O except reading pack files.

This is the public interface. Other packages import `rounds.engine` or one of its sub-packages, never a module inside
a sub-package (import-linter enforces it). The exported names are listed in each `__init__.pyi`; lazy_loader imports
their modules on first use, so that importing `rounds.engine` stays cheap.

bets/       base vocabulary: bet codes, the 216 outcomes, odds as fractions, win conditions
pack/       a rule pack: TOML schema, loading, validation, readings of ambiguous clauses, rules compiled per pay table
settle/     settlement of one wager: limits, rounding, Super Streak, posted odds, alternative readings, explanation
odds/       computed from compiled rules: house edges, payout matrix, truth table; odds wording and required equipment
errors.py   EngineError and its closed list of codes
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
