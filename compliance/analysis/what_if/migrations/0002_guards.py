"""Triggers: a request never changes, states follow `states.py`, and results are only added while a trial runs; those of a
done trial can be neither changed nor deleted."""

from django.db import migrations

FUNCTIONS = """
CREATE FUNCTION trials_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION trials_may_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked text[] := ARRAY['id', 'casino_id', 'asked_by_id', 'asked_by_name', 'asked_at', 'source', 'version_id', 'rules',
        'title', 'pack_id', 'readings', 'read_otherwise', 'tables', 'first_on', 'last_on'];
    before jsonb := to_jsonb(OLD);
    after jsonb := to_jsonb(NEW);
BEGIN
    IF OLD.ended_at IS NOT NULL OR EXISTS (SELECT FROM unnest(asked) AS name WHERE before -> name <> after -> name) THEN
        RAISE EXCEPTION 'UPDATE of % is refused: what was asked and what came of it stay as they are', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (
        ('waiting', 'trying'), ('waiting', 'stopped'), ('trying', 'done'), ('trying', 'stopped'), ('trying', 'failed')
    ) THEN
        RAISE EXCEPTION 'a trial does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION trials_only_while_trying() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM trials_trial WHERE state <> 'trying' AND id IN (SELECT trial_id FROM written)) THEN
        RAISE EXCEPTION 'INSERT into % is refused: the trial is not going on', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION trials_not_of_one_done() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM trials_trial WHERE state = 'done' AND id IN (SELECT trial_id FROM taken)) THEN
        RAISE EXCEPTION 'DELETE from % is refused: the trial is done', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER trials_may_follow BEFORE UPDATE ON trials_trial FOR EACH ROW EXECUTE FUNCTION trials_may_follow();
CREATE TRIGGER trials_no_delete BEFORE DELETE ON trials_trial FOR EACH ROW EXECUTE FUNCTION trials_refuse();
ALTER TABLE trials_trial ENABLE ALWAYS TRIGGER trials_may_follow, ENABLE ALWAYS TRIGGER trials_no_delete;
"""
ON_TABLES = "".join(
    f"""
CREATE TRIGGER {table}_stays BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION trials_refuse();
CREATE TRIGGER {table}_while_trying AFTER INSERT ON {table} REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION trials_only_while_trying();
CREATE TRIGGER {table}_not_when_done AFTER DELETE ON {table} REFERENCING OLD TABLE AS taken
    FOR EACH STATEMENT EXECUTE FUNCTION trials_not_of_one_done();
ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_stays, ENABLE ALWAYS TRIGGER {table}_while_trying,
    ENABLE ALWAYS TRIGGER {table}_not_when_done;
"""
    for table in ("trials_difference", "trials_sum")
)
GUARDS = FUNCTIONS + ON_TABLES
REMOVE = """
DROP FUNCTION trials_refuse() CASCADE;
DROP FUNCTION trials_may_follow() CASCADE;
DROP FUNCTION trials_only_while_trying() CASCADE;
DROP FUNCTION trials_not_of_one_done() CASCADE;
"""


class Migration(migrations.Migration):
    dependencies = [("trials", "0001_trials")]
    operations = [migrations.RunSQL(GUARDS, REMOVE)]
