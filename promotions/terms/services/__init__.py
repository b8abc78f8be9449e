"""Services for terms. Each appends an entry to the casino's log, except those on drafts.

drafts.py         drafts, which have no entries
filing.py         filing with the Authority
amendments.py     requests and decisions
postponements.py  postponing and validating a promotion
registers.py      prescribed prizes, marketing material, attachments
"""

from promotions.terms.services.amendments import decide_amendment, request_amendment
from promotions.terms.services.drafts import begin_draft, discard_draft, save_answer, save_prizes
from promotions.terms.services.filing import file_terms
from promotions.terms.services.postponements import postpone_promotion, validate_promotion
from promotions.terms.services.registers import add_prescribed_item, record_material, remove_prescribed_item

__all__ = [
    "add_prescribed_item",
    "begin_draft",
    "decide_amendment",
    "discard_draft",
    "file_terms",
    "postpone_promotion",
    "record_material",
    "remove_prescribed_item",
    "request_amendment",
    "save_answer",
    "save_prizes",
    "validate_promotion",
]
