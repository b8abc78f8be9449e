from .completeness import feeds_between as feeds_between
from .export_entries import export_range as export_range
from .export_entries import export_selection as export_selection
from .rule_pack_sources import register_rule_pack_source as register_rule_pack_source
from .rule_pack_sources import rule_packs_up_to as rule_packs_up_to
