"""Rulebook: rule versions of each casino (proposed, approved, in force), and tools that show what a rule pack says.

versions/        life cycle of a rule version: drafts, propose, approve, withdraw, rulings; services
editor/          rule pack editor in the browser, with live analysis in a worker process
calculator/      "What would this pay?": settles one wager for a supervisor at a table
packs/           pure functions on packs: lookup by name, diff, clause coverage, plain-language text, house-edge rows
cli/             what the commands `settle` and `rulebook` run
pages/           web pages: home, proposal, version, approval, public rules, help
management/      the commands `settle` and `rulebook`
models.py        FrozenPack, SourceDocument, RuleVersion, Draft, PackEdit
states.py        states of a rule version and the allowed transitions
selectors.py     version_in_force, access_version, rules_of
permissions.py   roles that may propose, approve and use the calculator
labels.py        display names of bets, void reasons, verdicts and steps
errors.py        refusals;  size_limits.py  limits on uploads and on the editor
"""
