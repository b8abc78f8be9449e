"""What people do with terms. Each act but drafting is an entry of the casino's log."""

from promotions.terms.services.amending import ask_amendment, decide_amendment
from promotions.terms.services.drafting import begin_draft, discard_draft, keep_answer, keep_prizes
from promotions.terms.services.filing import file_terms
from promotions.terms.services.listing import list_prescribed, record_material, unlist_prescribed
from promotions.terms.services.stopping import postpone_promotion, validate_promotion

__all__ = [
    "ask_amendment",
    "begin_draft",
    "decide_amendment",
    "discard_draft",
    "file_terms",
    "keep_answer",
    "keep_prizes",
    "list_prescribed",
    "postpone_promotion",
    "record_material",
    "unlist_prescribed",
    "validate_promotion",
]
