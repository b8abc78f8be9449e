"""Triggers and constraints: history is append-only, and a casino keeps an administrator."""

from django.db import migrations

REFUSE_CHANGE = """
CREATE FUNCTION accounts_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER account_event_only_grows BEFORE UPDATE OR DELETE ON accounts_accountevent
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change();
CREATE TRIGGER account_event_is_not_emptied BEFORE TRUNCATE ON accounts_accountevent
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_refuse_change();
CREATE TRIGGER role_held_is_not_deleted BEFORE DELETE ON accounts_roleheld
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change();
CREATE TRIGGER role_held_is_not_rewritten BEFORE UPDATE ON accounts_roleheld
    FOR EACH ROW WHEN (
        OLD.ended_at IS NOT NULL
        OR ROW(OLD.id, OLD.user_id, OLD.casino_id, OLD.role, OLD.given_by_id, OLD.given_at)
            IS DISTINCT FROM ROW(NEW.id, NEW.user_id, NEW.casino_id, NEW.role, NEW.given_by_id, NEW.given_at)
    ) EXECUTE FUNCTION accounts_refuse_change();
"""

# Locks the casino's row before counting: of two administrators who leave at the same time, one is refused.
KEEP_ADMINISTRATOR = """
CREATE FUNCTION accounts_keep_administrator() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    person bigint;
    casinos bigint[];
BEGIN
    IF TG_TABLE_NAME = 'accounts_roleheld' THEN
        casinos := ARRAY[OLD.casino_id];
    ELSE
        person := OLD.id;
        casinos := ARRAY(SELECT casino_id FROM accounts_roleheld
                         WHERE user_id = person AND role = 'administrator' AND ended_at IS NULL);
    END IF;
    PERFORM 1 FROM accounts_casino WHERE id = ANY (casinos) ORDER BY id FOR NO KEY UPDATE;
    IF EXISTS (
        SELECT 1 FROM unnest(casinos) AS casino
        WHERE NOT EXISTS (
            SELECT 1 FROM accounts_roleheld held JOIN accounts_user holder ON holder.id = held.user_id
            WHERE held.casino_id = casino AND held.role = 'administrator'
                AND held.ended_at IS NULL AND holder.is_active
        )
    ) THEN
        RAISE EXCEPTION 'a casino keeps at least one administrator' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER casino_keeps_administrator_in_role AFTER UPDATE OF ended_at ON accounts_roleheld
    FOR EACH ROW WHEN (OLD.role = 'administrator' AND NEW.ended_at IS NOT NULL)
    EXECUTE FUNCTION accounts_keep_administrator();
CREATE TRIGGER casino_keeps_administrator_enabled AFTER UPDATE OF is_active ON accounts_user
    FOR EACH ROW WHEN (OLD.is_active AND NOT NEW.is_active)
    EXECUTE FUNCTION accounts_keep_administrator();
"""

# Two concurrent enrolments must not leave two devices.
ONE_TOTP = "CREATE UNIQUE INDEX accounts_one_totp ON otp_totp_totpdevice (user_id);"


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_people"), ("otp_totp", "0003_add_timestamps")]
    operations = [
        migrations.RunSQL(
            REFUSE_CHANGE,
            "DROP TRIGGER account_event_only_grows ON accounts_accountevent;"
            "DROP TRIGGER account_event_is_not_emptied ON accounts_accountevent;"
            "DROP TRIGGER role_held_is_not_deleted ON accounts_roleheld;"
            "DROP TRIGGER role_held_is_not_rewritten ON accounts_roleheld;"
            "DROP FUNCTION accounts_refuse_change();",
        ),
        migrations.RunSQL(
            KEEP_ADMINISTRATOR,
            "DROP TRIGGER casino_keeps_administrator_in_role ON accounts_roleheld;"
            "DROP TRIGGER casino_keeps_administrator_enabled ON accounts_user;"
            "DROP FUNCTION accounts_keep_administrator();",
        ),
        migrations.RunSQL(ONE_TOTP, "DROP INDEX accounts_one_totp;"),
    ]
