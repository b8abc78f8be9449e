"""What the database promises by itself: nothing on the floor is deleted, and a row is completed once, never rewritten."""

from django.db import migrations

FUNCTIONS = """
CREATE FUNCTION floor_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: the floor keeps what was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

-- The columns named may go from nothing to something, once; no other may change.
CREATE FUNCTION floor_completes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before jsonb := to_jsonb(OLD);
    after jsonb := to_jsonb(NEW);
    completing text[] := TG_ARGV;
BEGIN
    IF before - completing <> after - completing OR EXISTS (
        SELECT FROM unnest(completing) AS name WHERE before ->> name IS NOT NULL AND before -> name <> after -> name
    ) THEN
        RAISE EXCEPTION 'UPDATE of % is refused: a row is completed once, never rewritten', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE PROCEDURE floor_guard(guarded text, VARIADIC completing text[]) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER floor_no_delete BEFORE DELETE ON %I FOR EACH ROW EXECUTE FUNCTION floor_refuse()',
                   guarded);
    EXECUTE format('CREATE TRIGGER floor_no_truncate BEFORE TRUNCATE ON %I EXECUTE FUNCTION floor_refuse()', guarded);
    IF completing = ARRAY[''] THEN
        EXECUTE format('CREATE TRIGGER floor_no_change BEFORE UPDATE ON %I FOR EACH ROW '
                       'EXECUTE FUNCTION floor_refuse()', guarded);
    ELSE
        EXECUTE format('CREATE TRIGGER floor_no_change BEFORE UPDATE ON %I FOR EACH ROW '
                       'EXECUTE FUNCTION floor_completes(%s)', guarded,
                       (SELECT string_agg(quote_literal(name), ', ') FROM unnest(completing) AS name));
    END IF;
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER floor_no_delete, ENABLE ALWAYS TRIGGER floor_no_truncate, '
                   'ENABLE ALWAYS TRIGGER floor_no_change', guarded);
END $$;
REVOKE ALL ON PROCEDURE floor_guard(text, text[]) FROM PUBLIC;
"""

GUARDS = """
CALL floor_guard('floor_table', 'retired_by_id', 'retired_at');
CALL floor_guard('floor_terminal', 'retired_by_id', 'retired_at');
CALL floor_guard('floor_controller', '');
CALL floor_guard('floor_controllertable', 'ended_by_id', 'until_at');
CALL floor_guard('floor_controllerkey', 'approved_by_id', 'approved_at', 'valid_from', 'revoked_by_id', 'revoked_at');
ALTER TABLE floor_controllerkey ADD CONSTRAINT floor_key_32_bytes CHECK (octet_length(public_key) = 32);
"""

REMOVE = """
DROP PROCEDURE floor_guard(text, text[]);
DROP FUNCTION floor_refuse() CASCADE;
DROP FUNCTION floor_completes() CASCADE;
ALTER TABLE floor_controllerkey DROP CONSTRAINT floor_key_32_bytes;
"""


class Migration(migrations.Migration):
    dependencies = [("floor", "0001_floor")]
    operations = [migrations.RunSQL(FUNCTIONS + GUARDS, REMOVE)]
