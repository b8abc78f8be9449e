"""Views.

ledger.py         a log: state, search, verification
entry.py          one entry and its verification
bundles.py        request, watch and download bundles
completeness.py   completeness statement
public.py         public: checkpoints, keys, the verifier program
common.py         shared permissions and links
"""
