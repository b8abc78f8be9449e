from .append import PreparedEntry as PreparedEntry
from .append import Receipt as Receipt
from .append import SequenceTaken as SequenceTaken
from .append import collect_receipts as collect_receipts
from .append import lock_log as lock_log
from .append import prepare_entry as prepare_entry
from .batch_append import SideWrite as SideWrite
from .batch_append import append_batched as append_batched
