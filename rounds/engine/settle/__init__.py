"""Settlement of one wager, and what each wager of a reported round is owed.

amount_owed.py            compute_amount_owed(): what a wager is owed and why; the only implementation
wager_position.py         RoundToSettle: which wagers count, with which bet, stake, holder and limits; void rounds
conducted_round.py        ConductedRound: when betting closed, whether the round is void by its events, failed lights
refused_wagers.py         what a document allows: refusals, tenders, voiding settled rounds (judge_later_void())
reported_round.py         protocols of a reported round; LaterDecisions
rules_in_force.py         RulesInForce: the rule version and the table's facts during a period
settlement.py             input and output types: WagerQuestion, Settlement, Verdict, Step
settle_wager.py           settle_wager(): the settlement itself
stake_limits.py           capping at the maximum, stakes under the minimum, rounding to payable amounts
super_streak.py           Super Streak: one wager over several rounds, and the running streak of a table
posted_odds.py            odds posted at a table below the document's minimum
layout_lights.py          layout areas that light up for a result
alternative_readings.py   what the wager would return under readings that were not adopted
explanation.py            the steps of a settlement as sentences
json_lines.py             settle_line(): one JSON object of `manage.py settle`
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
