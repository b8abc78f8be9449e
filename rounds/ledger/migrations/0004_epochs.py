"""Halts and epochs: a trigger refuses entries to a log that lost some, until a person begins a new epoch."""

from django.db import migrations, models

TABLES = """
CREATE TABLE ledger_halt (
    log_id integer NOT NULL REFERENCES ledger_log,
    epoch integer NOT NULL CHECK (epoch > 1),
    size bigint NOT NULL CHECK (size >= 0),
    reason text NOT NULL CHECK (reason IN ('restored', 'shrank', 'forked')),
    note bytea,
    halted_at timestamptz NOT NULL,
    PRIMARY KEY (log_id, epoch)
);
CREATE TABLE ledger_epoch (
    log_id integer NOT NULL REFERENCES ledger_log,
    number integer NOT NULL,
    entry_index bigint NOT NULL,
    PRIMARY KEY (log_id, number),
    FOREIGN KEY (log_id, number) REFERENCES ledger_halt (log_id, epoch)
);
CALL ledger_guard('ledger_halt');
CALL ledger_guard('ledger_epoch');
"""

# FT001 is our own SQLSTATE; PostgreSQL has no class FT. SECURITY DEFINER, because a release that runs during this
# migration appends before the app role has privileges on the new tables. Names are qualified, because a temporary table
# of the same name would otherwise be read instead.
GUARDS = """
CREATE OR REPLACE FUNCTION ledger_head_grows() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.log_id <> OLD.log_id OR NEW.size <= OLD.size THEN
        RAISE EXCEPTION 'The head of a log only moves forward.' USING ERRCODE = 'restrict_violation';
    END IF;
    IF EXISTS (
        SELECT FROM public.ledger_halt halt WHERE halt.log_id = NEW.log_id AND NOT EXISTS (
            SELECT FROM public.ledger_epoch epoch WHERE epoch.log_id = halt.log_id AND epoch.number = halt.epoch
        )
    ) THEN
        RAISE EXCEPTION 'The log is read-only until a new epoch of it is begun.' USING ERRCODE = 'FT001';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION ledger_halts_once() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM public.ledger_halt halt WHERE halt.log_id = NEW.log_id AND (halt.epoch >= NEW.epoch OR NOT EXISTS (
            SELECT FROM public.ledger_epoch epoch WHERE epoch.log_id = halt.log_id AND epoch.number = halt.epoch
        ))
    ) OR NEW.size IS DISTINCT FROM (SELECT size FROM public.ledger_head head WHERE head.log_id = NEW.log_id) THEN
        RAISE EXCEPTION 'A log is halted once, where it stands.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER ledger_halts_once BEFORE INSERT ON ledger_halt FOR EACH ROW EXECUTE FUNCTION ledger_halts_once();
ALTER TABLE ledger_halt ENABLE ALWAYS TRIGGER ledger_halts_once;

CREATE FUNCTION ledger_epoch_is_told() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM public.ledger_halt halt JOIN public.ledger_entry entry
            ON entry.log_id = halt.log_id AND entry.index = halt.size AND entry.kind = 'ledger-epoch'
        WHERE halt.log_id = NEW.log_id AND halt.epoch = NEW.number AND halt.size = NEW.entry_index
    ) THEN
        RAISE EXCEPTION 'An epoch begins with the entry that tells of it.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_epoch_is_told AFTER INSERT ON ledger_epoch DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION ledger_epoch_is_told();
ALTER TABLE ledger_epoch ENABLE ALWAYS TRIGGER ledger_epoch_is_told;
"""

REMOVE = """
CREATE OR REPLACE FUNCTION ledger_head_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.log_id <> OLD.log_id OR NEW.size <= OLD.size THEN
        RAISE EXCEPTION 'The head of a log only moves forward.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
DROP TABLE ledger_epoch, ledger_halt;
DROP FUNCTION ledger_epoch_is_told();
DROP FUNCTION ledger_halts_once();
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0003_signed_times")]

    operations = [
        migrations.RunSQL(TABLES, migrations.RunSQL.noop),
        migrations.RunSQL(GUARDS, REMOVE),
        *(
            migrations.CreateModel(
                name=name,
                fields=[("id", models.BigAutoField(primary_key=True))],
                options={"db_table": table, "managed": False},
            )
            for name, table in {"Halt": "ledger_halt", "Epoch": "ledger_epoch"}.items()
        ),
    ]
