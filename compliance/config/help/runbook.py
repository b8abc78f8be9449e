"""The runbook: what each alarm means and what to do. Printed by the help page; a test checks that it is complete.

Alarms are the components on the status page, the duties that alerts are raised for, and the errors in the log.
"""

from __future__ import annotations

from typing import NamedTuple


class Alarm(NamedTuple):
    name: str
    means: str
    to_do: str


CHECKS = (
    Alarm(
        "database",
        "PostgreSQL does not answer. Nothing can be recorded; table controllers keep their lines and send them later.",
        "See that PostgreSQL runs, that its disk has room and that the network leads there. Start it. If its disk"
        " is lost, restore: see Backup and restore.",
    ),
    Alarm(
        "redis",
        "The bell is silent. Everything is recorded, but background work waits for its next turn.",
        "Start Redis. Nothing in it is missed: it can be started empty.",
    ),
    Alarm(
        "worker",
        "No worker has given a sign of life for a minute: no audit, no e-mails, no checkpoints.",
        "Start a worker. If it runs, look in its log for the task it hangs on; end it and start it again. Work is"
        " taken up where it was left.",
    ),
    Alarm(
        "beat",
        "Nobody rings the bell: what is due is not begun.",
        "Start beat, exactly one of it. What was missed meanwhile is found by the next turn.",
    ),
    Alarm(
        "disk",
        "Less than 500 MiB are free on the disk of DATA_DIR.",
        "Make room: bundles below evidence may go at any time; never the cluster, uploads, reports or keys. "
        "Rotate logs. Then find out what grew.",
    ),
    Alarm(
        "ledger guards",
        "Something that keeps entries from being changed is missing or switched off. No process starts, and those"
        " that run are taken out of service.",
        "Treat it as an attack until you know better. Note who had access to the database and when. Run "
        "verify_ledger with a checkpoint kept outside. Then run migrate as the owner, which sets privileges anew;"
        " a trigger that is gone must be made again from its migration.",
    ),
    Alarm(
        "ledger checkpoints",
        "The key that signs the logs cannot be read, or entries wait for more than three minutes to be signed.",
        "Look for log_not_signed in the worker's log. Without the key: put it back from where you keep it. If the"
        " log shrank or forked: do not touch the kept checkpoint; see the entry log_not_signed below.",
    ),
    Alarm(
        "ledger recording",
        "A log is read-only: it was restored from a backup, or is not what was signed of it before. Everything can be "
        "read; table controllers keep their lines.",
        "If a newer backup or the write-ahead log is at hand, stop the service and recover to the last commit instead. "
        "Otherwise an inspector or an authority officer opens Restores and says what was lost: see After a restore. "
        "Never change the kept checkpoint, nor the tables ledger_halt and ledger_epoch.",
    ),
    Alarm(
        "ledger followers",
        "A part of the service that follows the log is more than five minutes behind; pages may be out of date.",
        "Usually a worker is busy or away: see worker. If one consumer alone is behind, its log line names the "
        "entry it cannot read; nothing is lost while it waits.",
    ),
    Alarm(
        "ledger verification",
        "The daily verification found something that does not fit, or did not run for 26 hours.",
        "Open the log's page: it names the first entry that does not fit. Run verify_ledger with the checkpoint "
        "that the inspectorate keeps. Change nothing in the database, make a backup of it as it is, and tell the "
        "inspectorate: this is evidence.",
    ),
    Alarm(
        "witnesses",
        "A witness outside disagrees with a log, or has not cosigned it for half an hour.",
        "Open the casino's page of witnesses. If it disagrees, change nothing, make a backup as it is and tell the"
        " inspectorate: see Watching a log from outside. If it is silent, ask those who run it.",
    ),
    Alarm(
        "audit",
        "Entries wait for more than five minutes to be audited.",
        "Start more workers. If one log is named and workers are idle, look for log_not_audited in their log.",
    ),
    Alarm(
        "report key",
        "The key that signs PDF files is missing, cannot be used, ends within 60 days, or is not in the ledger yet. "
        "Without it no PDF is handed out and reports wait.",
        "Missing: put the file that REPORT_KEY_FILE names back from where you keep it. Lost, or about to end: "
        "rotate_report_key makes a new one; see Changing secrets. Not in the ledger: a worker records it at its next "
        "turn. Reports that waited are then made by themselves.",
    ),
    Alarm(
        "e-mail",
        "E-mails are late, could not be delivered yet, or were given up after many attempts.",
        "Try the mail server that EMAIL_URL names. Meanwhile every alert stands in the product: telephone those "
        "who must be told at once, and have them acknowledge. An invitation that was given up can be sent again.",
    ),
    Alarm(
        "webhooks",
        "Messages to other systems are late, or a webhook was switched off because its receiver took nothing.",
        "Open its page: the newest message says what the receiver answered. Tell those who run the receiver; then "
        "switch it on again. If all are late, see worker.",
    ),
    Alarm(
        "personal data",
        "Personal details are kept past their time.",
        "Look for personal_data_not_destroyed in the worker's log. A hold that somebody set keeps its record on "
        "purpose and does not ring.",
    ),
)

DUTIES = (
    Alarm(
        "equipment-fault",
        "Equipment failed in a way that somebody must be told of.",
        "Stop play at the table if the alert says so. Acknowledge. Record repair, test and witness before play "
        "goes on.",
    ),
    Alarm(
        "feed-not-trusted",
        "A controller sent other bytes under a used number, a signature that does not fit, or a key that no "
        "controller has.",
        "Compare with the controller itself. If its key may be known to others, revoke it and give it a new one: "
        "see Changing secrets. The lines are kept in quarantine.",
    ),
    Alarm(
        "play-at-closed-table",
        "A table was reported closed, and its controller goes on reporting rounds.",
        "Look at the table. If it is open, open it in the log as well; if it is closed, find out what the controller "
        "sends. Each of the rounds has a finding.",
    ),
    Alarm(
        "webhook-switched-off",
        "Another system took no message for three days, and is no longer told.",
        "Ask those who run it to mend it, then switch the webhook on again. What was recorded meanwhile they read by "
        "the API.",
    ),
    Alarm(
        "table-closing",
        "A table closes or closed, and an officer must be told.",
        "Acknowledge. Nothing else is needed if the sign was up in time.",
    ),
    Alarm(
        "promotion-stop",
        "A draw or a promotion is in doubt and was stopped or postponed.",
        "Acknowledge, read the record, and answer the casino by the way the rules name.",
    ),
    Alarm(
        "dispute-overdue",
        "A dispute has waited longer than the rules allow for its next step.",
        "Take the step, or record why it waits.",
    ),
    Alarm(
        "dispute-request-overdue",
        "Papers that an inspector asked the casino for are late.",
        "Hand them over in the dispute, or answer why they cannot be had.",
    ),
    Alarm(
        "question-unanswered",
        "The casino has not answered an inspector's question in the time given.",
        "Answer under Questions, or ask the inspector for more time. Both sides were told.",
    ),
    Alarm(
        "question-asked",
        "An inspector asked the casino about a finding.",
        "Answer under Questions. The time until the answer is shown.",
    ),
    Alarm(
        "witness-disagrees",
        "A witness outside refused a checkpoint: the log is no longer what it signed before, or cannot be recomputed.",
        "Treat it as an attack until you know better. Change nothing in the database, make a backup of it as it is,"
        " take the statement from the page of witnesses, and run verify_ledger --seen with the checkpoint that the"
        " witness kept.",
    ),
    Alarm(
        "witness-behind",
        "A witness has not cosigned what was signed more than half an hour ago.",
        "Ask those who run it to look at witness status. Nothing is lost; until it is back, nobody outside would see"
        " a change.",
    ),
)

LOG_EVENTS = (
    Alarm(
        "wagers_not_committed",
        "No entry could be recorded that commits to the wagers of the last rounds. They are safe; proofs of single "
        "wagers wait.",
        "See ledger above, by the log and the code in the line. The next ring goes on from where it stood.",
    ),
    Alarm(
        "pack_not_examined",
        "The process that checks the text of a rule pack while somebody edits it failed. What was typed is kept.",
        "Send the log line to whoever maintains the service. The next check begins a new process.",
    ),
    Alarm(
        "transaction_undone",
        "Two things that were being saved waited for each other, and PostgreSQL undid one of them. Whoever sent it "
        "was told to try again; a table controller does so by itself.",
        "Nothing, if it is rare. If it comes again and again, send the log lines around it to whoever maintains the "
        "service: two of its acts lock the same rows in different orders.",
    ),
    Alarm(
        "database_unreachable",
        "A request met no database; the visitor was told to come back.",
        "See database above.",
    ),
    Alarm(
        "log_not_signed",
        "A log could not be signed. no-key: the key file is missing. no-epoch: the file beside the kept checkpoint "
        "that names the log's epoch cannot be read. checkpoint-not-ours: the last checkpoint was signed by another "
        "key. hashes-missing, tile-missing: the stored tree has gaps. Controllers that ask for proofs are told "
        "no-checkpoint.",
        "Put the key, or the folder checkpoints beside it, back from where you keep them; never from a backup of the "
        "database. With gaps in the tree: change nothing, and see ledger verification above.",
    ),
    Alarm(
        "log_read_only",
        "A process started and found a log that is read-only.",
        "See ledger recording above.",
    ),
    Alarm(
        "log_not_compared",
        "A process started and could not compare a log with what is known of it outside: its key or the kept "
        "checkpoint cannot be read.",
        "See log_not_signed above: it is not signed either until that is mended.",
    ),
    Alarm(
        "log_does_not_fit",
        "The verification found an entry that is not what was recorded.",
        "See ledger verification above.",
    ),
    Alarm(
        "log_not_verified",
        "A verification could not be finished: no database, no key, or a damaged log.",
        "Run verify_ledger by hand: it says why.",
    ),
    Alarm(
        "log_not_followed",
        "What entries name could not be noted for the search.",
        "Search may miss the newest. rebuild_search makes it anew; nothing is lost.",
    ),
    Alarm(
        "log_not_audited",
        "The audit of one log failed and is tried again at the next turn.",
        "If it goes on for more than some minutes, keep the error's text and tell those who maintain the program."
        " Records go on being taken.",
    ),
    Alarm(
        "day_not_examined",
        "The fairness of one casino's gaming day could not be examined and is tried again at the next turn.",
        "If it goes on for more than some minutes, keep the error's text and tell those who maintain the program."
        " The audit does not wait for it.",
    ),
    Alarm(
        "job_failed",
        "Work in the background failed, such as a trial of rules or the draw of a sample. Its page says why.",
        "Look for the error before it, and tell those who maintain the program. Nothing was recorded by it, and it can"
        " be tried again on its page.",
    ),
    Alarm(
        "round_not_readable",
        "An entry of a round cannot be read by this release.",
        "It is flagged, not dropped. After an upgrade or a way back: run the release that recorded it.",
    ),
    Alarm(
        "report_not_readable",
        "A report of a controller cannot be read by this release.",
        "As for a round.",
    ),
    Alarm(
        "sign_not_readable",
        "A report of a sign cannot be read by this release.",
        "As for a round.",
    ),
    Alarm(
        "closing_not_readable",
        "A report of a closing cannot be read by this release.",
        "As for a round.",
    ),
    Alarm(
        "email_failed",
        "An e-mail could not be prepared or recorded; it is tried again.",
        "Keep the error's text for those who maintain the service. Other e-mails are sent all the same.",
    ),
    Alarm(
        "report_not_made",
        "A PDF report could not be made; its page says so to whoever asked.",
        "Ask for it again. If it fails again, keep the error's text.",
    ),
    Alarm(
        "projection_not_written",
        "The columns of a batch of rounds could not be written together with its entries.",
        "Nothing is lost: the audit derives them from the entries. If it goes on, keep the error's text.",
    ),
    Alarm(
        "bundle_not_written",
        "A bundle of evidence could not be written.",
        "See disk above; then ask for it again.",
    ),
    Alarm(
        "api_cannot_prove",
        "An inspectorate's system asked for a round that no proof could be made for.",
        "See ledger checkpoints and ledger verification above.",
    ),
    Alarm(
        "webhook_not_signed",
        "There is no key to sign messages with; they wait.",
        "Put the key back where WEBHOOK_KEY_FILE names it. With another key every receiver needs the new public key.",
    ),
    Alarm(
        "webhook_not_sent",
        "A message could not be sent for a reason that is ours; it is tried again.",
        "If it goes on, keep the error's text and tell those who maintain the program.",
    ),
    Alarm(
        "personal_data_not_destroyed",
        "Details whose time is over could not be destroyed; it is tried again every hour.",
        "Keep the error's text and mend its cause: keeping them longer is itself a breach.",
    ),
)
