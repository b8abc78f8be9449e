"""Casino floor simulator: plays rounds, honest or with planted faults, and sends them by the reference client.

Settles rounds by itself on purpose: an independent computation detects errors in the service's. It imports nothing of
the audit, and the honest dealer (play/dealer.py) builds each wager question from the simulator's own state instead of
asking amount_owed.py; the engine settles that single wager. Injectors ask neither engine nor audit: a planted amount is
known because the injector chose it. tests/rounds/simulator/test_import_limits.py enforces this.

play/               one table's honest play: pure, the same seed gives the same bytes
faults/             injectors for faults in what a table reports, one for each finding code
people_faults/      injectors for faults in what the casino's staff record, through the real services
fault_selection.py  parses `--faults`: `all` or a list of codes
violation_cases.py  plays the violation cases of rule packs at tables of their own
client/             the reference controller client: what a table controller must do
delivery/           sends gaming days to the service, over HTTP or in process
demo/               the demo's live floor and its past gaming days
management/         the simulate command
"""
