"""Triggers and functions for personal details: every read is recorded, no edits, no unrecorded destruction."""

from django.db import migrations

TABLES = ("personalrecord", "personallook", "hold", "retentionrule", "destruction")

REFUSE = """
CREATE FUNCTION patrons_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
"""

ONLY_GROWS = """
CREATE TRIGGER patrons_only_grows BEFORE UPDATE OR DELETE ON patrons_{table}
    FOR EACH ROW EXECUTE FUNCTION patrons_refuse_change();
CREATE TRIGGER patrons_is_not_emptied BEFORE TRUNCATE ON patrons_{table}
    FOR EACH STATEMENT EXECUTE FUNCTION patrons_refuse_change();
ALTER TABLE patrons_{table} ENABLE ALWAYS TRIGGER patrons_only_grows;
ALTER TABLE patrons_{table} ENABLE ALWAYS TRIGGER patrons_is_not_emptied;
"""

# Details must match the digest of their record, never change, and are deleted only by a Destruction row.
DETAILS = """
CREATE FUNCTION patrons_details_fit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM patrons_destruction WHERE record_id = NEW.record_id) THEN
        RAISE EXCEPTION 'the details of record % were destroyed', NEW.record_id USING ERRCODE = 'restrict_violation';
    END IF;
    IF octet_length(NEW.salt) <> 32 OR NOT EXISTS (
        SELECT 1 FROM patrons_personalrecord WHERE id = NEW.record_id
            AND digest_sha256 = encode(sha256(NEW.salt || convert_to(NEW.fields, 'UTF8')), 'hex')
    ) THEN
        RAISE EXCEPTION 'these are not the details of record %', NEW.record_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION patrons_details_leave() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM patrons_destruction WHERE record_id = OLD.record_id) THEN
        RAISE EXCEPTION 'details are deleted by recording their destruction' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END $$;

CREATE TRIGGER patrons_details_fit BEFORE INSERT ON patrons_personalfields
    FOR EACH ROW EXECUTE FUNCTION patrons_details_fit();
CREATE TRIGGER patrons_details_stay BEFORE UPDATE ON patrons_personalfields
    FOR EACH ROW EXECUTE FUNCTION patrons_refuse_change();
CREATE TRIGGER patrons_details_leave BEFORE DELETE ON patrons_personalfields
    FOR EACH ROW EXECUTE FUNCTION patrons_details_leave();
CREATE TRIGGER patrons_is_not_emptied BEFORE TRUNCATE ON patrons_personalfields
    FOR EACH STATEMENT EXECUTE FUNCTION patrons_refuse_change();
ALTER TABLE patrons_personalfields ENABLE ALWAYS TRIGGER patrons_details_fit;
ALTER TABLE patrons_personalfields ENABLE ALWAYS TRIGGER patrons_details_stay;
ALTER TABLE patrons_personalfields ENABLE ALWAYS TRIGGER patrons_details_leave;
ALTER TABLE patrons_personalfields ENABLE ALWAYS TRIGGER patrons_is_not_emptied;
"""

# Refused while held, and before retention ends unless a person is named. Inserting the row deletes the details.
DESTRUCTION = """
CREATE FUNCTION patrons_may_destroy() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    today date;
    last date;
BEGIN
    SELECT (NEW.at AT TIME ZONE casino.time_zone)::date, record.keep_until_on INTO today, last
        FROM patrons_personalrecord record JOIN accounts_casino casino ON casino.id = record.casino_id
        WHERE record.id = NEW.record_id;
    IF EXISTS (SELECT 1 FROM patrons_hold WHERE record_id = NEW.record_id AND until_on >= today) THEN
        RAISE EXCEPTION 'record % is held', NEW.record_id USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.by_id IS NULL AND last >= today THEN
        RAISE EXCEPTION 'the time of record % is not over', NEW.record_id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION patrons_destroy() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM patrons_personalfields WHERE record_id = NEW.record_id;
    RETURN NULL;
END $$;

CREATE FUNCTION patrons_may_hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM patrons_destruction WHERE record_id = NEW.record_id) THEN
        RAISE EXCEPTION 'the details of record % were destroyed', NEW.record_id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER patrons_may_destroy BEFORE INSERT ON patrons_destruction
    FOR EACH ROW EXECUTE FUNCTION patrons_may_destroy();
CREATE TRIGGER patrons_destroy AFTER INSERT ON patrons_destruction FOR EACH ROW EXECUTE FUNCTION patrons_destroy();
CREATE TRIGGER patrons_may_hold BEFORE INSERT ON patrons_hold FOR EACH ROW EXECUTE FUNCTION patrons_may_hold();
ALTER TABLE patrons_destruction ENABLE ALWAYS TRIGGER patrons_may_destroy;
ALTER TABLE patrons_destruction ENABLE ALWAYS TRIGGER patrons_destroy;
ALTER TABLE patrons_hold ENABLE ALWAYS TRIGGER patrons_may_hold;
"""

# The service has no privilege to read the details: this function records the access first, then returns them.
SHOW = """
CREATE FUNCTION patrons_show(
    looked_at bigint, who bigint, who_name text, moment timestamptz, why text, remark text, in_log text, entry bigint
) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO patrons_personallook (record_id, by_id, by_name, at, purpose, note, log, entry_index)
        VALUES (looked_at, who, who_name, moment, why, remark, in_log, entry);
    RETURN (SELECT fields FROM patrons_personalfields WHERE record_id = looked_at);
END $$;

CREATE FUNCTION patrons_compare(wanted bigint[]) RETURNS TABLE (
    record_id bigint, log text, digest_sha256 text, found_sha256 text, is_destroyed boolean
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT record.id, casino.slug, record.digest_sha256,
           encode(sha256(details.salt || convert_to(details.fields, 'UTF8')), 'hex'), destruction.id IS NOT NULL
    FROM patrons_personalrecord record JOIN accounts_casino casino ON casino.id = record.casino_id
    LEFT JOIN patrons_personalfields details ON details.record_id = record.id
    LEFT JOIN patrons_destruction destruction ON destruction.record_id = record.id
    WHERE record.id = ANY (wanted)
$$;
"""

REMOVE = """
DROP FUNCTION patrons_show, patrons_compare;
DROP FUNCTION patrons_refuse_change, patrons_details_fit, patrons_details_leave,
    patrons_may_destroy, patrons_destroy, patrons_may_hold CASCADE;
"""


class Migration(migrations.Migration):
    dependencies = [("patrons", "0001_initial")]
    operations = [
        migrations.RunSQL(REFUSE, REMOVE),
        migrations.RunSQL("".join(ONLY_GROWS.format(table=table) for table in TABLES), migrations.RunSQL.noop),
        migrations.RunSQL(DETAILS, migrations.RunSQL.noop),
        migrations.RunSQL(DESTRUCTION, migrations.RunSQL.noop),
        migrations.RunSQL(SHOW, migrations.RunSQL.noop),
    ]
