"""Evidence export: a range or a selection of entries as a folder (bundle) that can be verified offline.

export_entries.py      reads entries, checkpoints and proofs from the database for a bundle
bundle_writer.py       writes the folder; bundle_readme.txt, which goes into it, describes the format
completeness.py        which sequence numbers of each controller a range has, and when a feed was silent
rule_pack_sources.py   registry of functions that return the rule packs to include
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
