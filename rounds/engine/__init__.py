"""What the rule documents say, as pure functions: no Django, no clock, no I/O beyond reading a pack it is given.

The words    errors, terms, bets, outcomes, odds, predicates
A pack       packs (the file), law (what pays), conduct (how a round runs), duties and promotion_duties,
             schema (reading TOML into these), validate and validate_law (why a pack is refused), shelf (packs at hand)
Readings     readings (the law under a choice), rules (law worked out for a pay table), alternatives
Settling     settlement (question and answer), settle, limits, streak, explain, lines (`manage.py settle`)
At a table   posted_odds (below a minimum), odds_wording (a forbidden word), offering (equipment a wager needs), lights
In the mass  matrix (numpy), truth (digest and differences), edges (exact house edge)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
