"""The ledger's tables in SQL: partitions by log, unique keys, and triggers (ENABLE ALWAYS) that forbid changes."""

from django.db import migrations, models

TABLES = """
CREATE TABLE ledger_log (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,49}$'),
    opened_at timestamptz NOT NULL
);

CREATE TABLE ledger_head (
    log_id integer PRIMARY KEY REFERENCES ledger_log,
    size bigint NOT NULL CHECK (size >= 0),
    frontier bytea NOT NULL
);

CREATE TABLE ledger_entry (
    log_id integer NOT NULL,
    index bigint NOT NULL CHECK (index >= 0),
    kind text NOT NULL,
    "table" text,
    controller text,
    sequence bigint,
    recorded_at timestamptz NOT NULL,
    body bytea NOT NULL,
    leaf_sha256 bytea NOT NULL CHECK (octet_length(leaf_sha256) = 32),
    PRIMARY KEY (log_id, index),
    CONSTRAINT ledger_entry_sequence_once UNIQUE (log_id, "table", controller, sequence)
) PARTITION BY LIST (log_id);
CREATE INDEX ledger_entry_by_table ON ledger_entry (log_id, "table", index);
CREATE INDEX ledger_entry_by_kind ON ledger_entry (log_id, kind, index);
CREATE INDEX ledger_entry_by_time ON ledger_entry (log_id, recorded_at);

CREATE TABLE ledger_tile (
    log_id integer NOT NULL REFERENCES ledger_log,
    level smallint NOT NULL CHECK (level >= 0),
    index bigint NOT NULL CHECK (index >= 0),
    hashes bytea NOT NULL CHECK (octet_length(hashes) = 8192),
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    PRIMARY KEY (log_id, level, index)
);
ALTER TABLE ledger_tile ALTER COLUMN hashes SET STORAGE EXTERNAL;

CREATE TABLE ledger_checkpoint (
    log_id integer NOT NULL REFERENCES ledger_log,
    size bigint NOT NULL CHECK (size >= 0),
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    note bytea NOT NULL,
    signed_at timestamptz NOT NULL,
    PRIMARY KEY (log_id, size)
);

CREATE TABLE ledger_reversal (
    log_id integer NOT NULL REFERENCES ledger_log,
    corrected_index bigint NOT NULL,
    correction_index bigint NOT NULL CHECK (correction_index > corrected_index),
    PRIMARY KEY (log_id, corrected_index)
);
"""

# Logs, entries, tiles, checkpoints and reversals are append-only. A head never changes its log and never shrinks.
GUARDS = """
CREATE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The ledger only grows: % on % is refused.', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', HINT = 'Record a correction as a new entry.';
END $$;

CREATE FUNCTION ledger_head_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.log_id <> OLD.log_id OR NEW.size <= OLD.size THEN
        RAISE EXCEPTION 'The head of a log only moves forward.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE PROCEDURE ledger_guard(guarded regclass) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON %s EXECUTE FUNCTION ledger_refuse()', guarded);
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER ledger_no_truncate', guarded);
    IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = guarded AND tgname = 'ledger_no_change') THEN
        EXECUTE format('CREATE TRIGGER ledger_no_change BEFORE UPDATE OR DELETE ON %s '
                       'FOR EACH ROW EXECUTE FUNCTION ledger_refuse()', guarded);
    END IF;
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER ledger_no_change', guarded);
END $$;

CALL ledger_guard('ledger_log');
CALL ledger_guard('ledger_entry');
CALL ledger_guard('ledger_tile');
CALL ledger_guard('ledger_checkpoint');
CALL ledger_guard('ledger_reversal');

CREATE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON ledger_head EXECUTE FUNCTION ledger_refuse();
ALTER TABLE ledger_head ENABLE ALWAYS TRIGGER ledger_no_truncate;
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger_head FOR EACH ROW EXECUTE FUNCTION ledger_refuse();
ALTER TABLE ledger_head ENABLE ALWAYS TRIGGER ledger_no_delete;
CREATE TRIGGER ledger_only_forward BEFORE UPDATE ON ledger_head FOR EACH ROW EXECUTE FUNCTION ledger_head_grows();
ALTER TABLE ledger_head ENABLE ALWAYS TRIGGER ledger_only_forward;
"""

# The app role may not create tables, so a function of the owner creates a log's partition. Attaching it, rather than
# creating it in place, does not wait for open appends to other logs.
OPEN_LOG = """
CREATE FUNCTION ledger_open_log(wanted text, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    log integer;
    part text;
BEGIN
    INSERT INTO ledger_log (slug, opened_at) VALUES (wanted, at)
        ON CONFLICT (slug) DO NOTHING RETURNING id INTO log;
    IF log IS NULL THEN
        RETURN (SELECT id FROM ledger_log WHERE slug = wanted);
    END IF;
    part := 'ledger_entry_' || log;
    EXECUTE format('CREATE TABLE %I (LIKE ledger_entry INCLUDING ALL, CHECK (log_id = %s))', part, log);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN body SET COMPRESSION pglz', part);
    EXECUTE format('ALTER TABLE ledger_entry ATTACH PARTITION %I FOR VALUES IN (%s)', part, log);
    CALL ledger_guard(part::regclass);
    INSERT INTO ledger_head (log_id, size, frontier) VALUES (log, 0, '\\x0000000000000000');
    RETURN log;
END $$;
REVOKE ALL ON PROCEDURE ledger_guard(regclass) FROM PUBLIC;
"""

REMOVE = """
DROP FUNCTION ledger_open_log(text, timestamptz);
DROP TABLE ledger_reversal, ledger_checkpoint, ledger_tile, ledger_entry, ledger_head, ledger_log;
DROP PROCEDURE ledger_guard(regclass);
DROP FUNCTION ledger_refuse();
DROP FUNCTION ledger_head_grows();
"""


# State only: Django knows that these models exist; their columns are in the SQL above.
UNMANAGED = {
    "Log": "ledger_log",
    "Head": "ledger_head",
    "Entry": "ledger_entry",
    "Tile": "ledger_tile",
    "SignedCheckpoint": "ledger_checkpoint",
    "Reversal": "ledger_reversal",
}


class Migration(migrations.Migration):
    initial = True
    dependencies: list = []

    operations = [
        migrations.RunSQL(TABLES, migrations.RunSQL.noop),
        migrations.RunSQL(GUARDS, migrations.RunSQL.noop),
        migrations.RunSQL(OPEN_LOG, REMOVE),
        *(
            migrations.CreateModel(
                name=name,
                fields=[("id", models.BigAutoField(primary_key=True))],
                options={"db_table": table, "managed": False},
            )
            for name, table in UNMANAGED.items()
        ),
        migrations.CreateModel(
            name="Cursor",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("consumer", models.TextField()),
                ("next_index", models.BigIntegerField(default=0)),
                ("log", models.ForeignKey("ledger.log", models.DO_NOTHING, related_name="+")),
            ],
            options={
                "db_table": "ledger_cursor",
                "constraints": [
                    models.UniqueConstraint(fields=("consumer", "log"), name="ledger_cursor_once"),
                    models.CheckConstraint(
                        condition=models.Q(("next_index__gte", 0)), name="ledger_cursor_not_negative"
                    ),
                ],
            },
        ),
    ]
