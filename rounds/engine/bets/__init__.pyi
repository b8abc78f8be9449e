from .bet_codes import parse_bet as parse_bet
from .dice_outcomes import FACES as FACES
from .dice_outcomes import format_outcome as format_outcome
from .dice_outcomes import is_triple as is_triple
from .dice_outcomes import outcome_index as outcome_index
from .dice_outcomes import parse_outcome as parse_outcome
from .win_conditions import Predicate as Predicate
