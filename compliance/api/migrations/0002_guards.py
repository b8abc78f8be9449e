"""Database triggers: only `last_used_at` of a token can change; grants and ends are append-only."""

from django.db import migrations

GUARDS = """
CREATE FUNCTION inspectorate_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION inspectorate_token_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF to_jsonb(NEW) - 'last_used_at' <> to_jsonb(OLD) - 'last_used_at' OR NEW.last_used_at < OLD.last_used_at THEN
        RAISE EXCEPTION 'a token stays as it was made; only its last use moves on' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER inspectorate_token_stays BEFORE UPDATE ON inspectorate_apitoken
    FOR EACH ROW EXECUTE FUNCTION inspectorate_token_stays();
CREATE TRIGGER inspectorate_token_kept BEFORE DELETE ON inspectorate_apitoken
    FOR EACH ROW EXECUTE FUNCTION inspectorate_refuse();
CREATE TRIGGER inspectorate_grant_only_grows BEFORE UPDATE OR DELETE ON inspectorate_tokengrant
    FOR EACH ROW EXECUTE FUNCTION inspectorate_refuse();
CREATE TRIGGER inspectorate_end_only_grows BEFORE UPDATE OR DELETE ON inspectorate_tokenend
    FOR EACH ROW EXECUTE FUNCTION inspectorate_refuse();
ALTER TABLE inspectorate_apitoken ENABLE ALWAYS TRIGGER inspectorate_token_stays;
ALTER TABLE inspectorate_apitoken ENABLE ALWAYS TRIGGER inspectorate_token_kept;
ALTER TABLE inspectorate_tokengrant ENABLE ALWAYS TRIGGER inspectorate_grant_only_grows;
ALTER TABLE inspectorate_tokenend ENABLE ALWAYS TRIGGER inspectorate_end_only_grows;
"""

REMOVE = "DROP FUNCTION inspectorate_refuse, inspectorate_token_stays CASCADE;"


class Migration(migrations.Migration):
    dependencies = [("inspectorate", "0001_tokens")]
    operations = [migrations.RunSQL(GUARDS, REMOVE)]
