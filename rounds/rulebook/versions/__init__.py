"""Life cycle of a rule version.

drafts.py          saves the steps of a proposal that is not sent yet
propose.py         services: propose a version, rule on a reading
approval_gate.py   house edges that an approver must confirm
approve.py         services: approve, withdraw
verify.py          compares stored packs and documents with their digests, for `verify_ledger`
demo.py            demo data

Keep this __init__ free of imports: the editor's worker process loads approval_gate without Django.
"""
