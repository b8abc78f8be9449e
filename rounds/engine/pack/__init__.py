"""Rule packs: schema, loading, validation, readings of ambiguous clauses, compilation into rules.

vocabulary.py        closed lists of words in packs (events, void reasons, tenders, roles) and checked string types
pack_file.py         Pack, and load_pack() from bytes
payout_law.py        `[law]`: what a result pays; the only part that a reading may change
round_conduct.py     `[conduct]`: how a round is run
table_duties.py      `[duties]`: duties around a table
promotion_duties.py  `[duties.promotions]`: duties about promotional prizes
toml_schema.py       reads TOML into these dataclasses, or refuses it with every problem
validate_pack.py     consistency checks on a whole pack;  validate_law.py  those on `[law]`
clause_readings.py   the law with the adopted readings applied
compiled_rules.py    Rules: the law of one pay table, worked out for every bet and outcome
pack_collection.py   packs by slug and version
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
