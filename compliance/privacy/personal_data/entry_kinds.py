"""Entry kinds of personal data: who read it, how long it is kept, when it was destroyed."""

from rounds.ledger import EntryKind

DETAILS_READ = EntryKind(
    "personal-looked",
    "Patron's details read",
    "Record {record}: {purpose:words}",
    "patrons.DetailsAccess",
    meaning="Somebody saw a patron's details: who, when, why.",
)
HELD = EntryKind(
    "personal-held",
    "Patron's details kept longer",
    "Record {record}, until {until}: {reason}",
    "patrons.RetentionHold",
    meaning="A patron's details are kept longer, with reason and person.",
)
DESTROYED = EntryKind(
    "personal-destroyed",
    "Patron's details destroyed",
    "Record {personal_record}: {reason}",
    "patrons.Destruction",
    meaning="A patron's details were destroyed; their digest stays.",
)
RETENTION = EntryKind(
    "retention-set",
    "Retention of personal data set",
    "{subject:Words}: {years:number year years}",
    "patrons.RetentionRule",
    meaning="How long a casino keeps personal details on a subject.",
)
