"""The government's administrators. Nobody holds a government role and a casino role at the same time, and nobody accepts
their own invitation. A casino keeps an administrator of each side that it has; a person with roles of both sides is the
exception, because their account must be suspended in any case."""

from django.db import migrations, models
from django.db.models import F, Q

import compliance.core.accounts.roles

ROLES = [
    "inspector", "authority-officer", "casino-supervisor", "games-supervisor", "shift-manager", "marketing",
    "compliance-officer", "administrator", "government-administrator",
]  # fmt: skip

# Locks the person's row: of two roles given at the same time, one of each side, the second is refused.
ONE_SIDE = """
CREATE FUNCTION accounts_is_government(role text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT role IN ('inspector', 'authority-officer', 'government-administrator')
$$;
CREATE FUNCTION accounts_refuse_both_sides() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM accounts_user WHERE id = NEW.user_id FOR NO KEY UPDATE;
    IF EXISTS (
        SELECT 1 FROM accounts_roleheld held
        WHERE held.user_id = NEW.user_id AND held.ended_at IS NULL
            AND accounts_is_government(held.role) <> accounts_is_government(NEW.role)
    ) THEN
        RAISE EXCEPTION 'nobody holds a government role and a casino role at the same time'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER role_held_is_of_one_side BEFORE INSERT ON accounts_roleheld
    FOR EACH ROW WHEN (NEW.ended_at IS NULL) EXECUTE FUNCTION accounts_refuse_both_sides();
ALTER TABLE accounts_roleheld ENABLE ALWAYS TRIGGER role_held_is_of_one_side;
"""

KEEP_ADMINISTRATOR = """
CREATE OR REPLACE FUNCTION accounts_keep_administrator() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost bigint[];
BEGIN
    IF TG_TABLE_NAME = 'accounts_roleheld' THEN
        lost := ARRAY[OLD.id];
    ELSE
        IF (SELECT count(DISTINCT accounts_is_government(role)) > 1 FROM accounts_roleheld
            WHERE user_id = OLD.id AND ended_at IS NULL) THEN
            RETURN NULL;
        END IF;
        lost := ARRAY(SELECT id FROM accounts_roleheld
                      WHERE user_id = OLD.id AND ended_at IS NULL
                          AND role IN ('administrator', 'government-administrator'));
    END IF;
    PERFORM 1 FROM accounts_casino
        WHERE id IN (SELECT casino_id FROM accounts_roleheld WHERE id = ANY (lost)) ORDER BY id FOR NO KEY UPDATE;
    IF EXISTS (
        SELECT 1 FROM accounts_roleheld former
        WHERE former.id = ANY (lost) AND NOT EXISTS (
            SELECT 1 FROM accounts_roleheld held JOIN accounts_user holder ON holder.id = held.user_id
            WHERE held.casino_id = former.casino_id AND held.role = former.role
                AND held.ended_at IS NULL AND holder.is_active
        )
    ) THEN
        RAISE EXCEPTION 'a casino keeps at least one administrator' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;

DROP TRIGGER casino_keeps_administrator_in_role ON accounts_roleheld;
CREATE TRIGGER casino_keeps_administrator_in_role AFTER UPDATE OF ended_at ON accounts_roleheld
    FOR EACH ROW WHEN (OLD.role IN ('administrator', 'government-administrator') AND NEW.ended_at IS NOT NULL)
    EXECUTE FUNCTION accounts_keep_administrator();
"""


def known_role(model: str, name: str) -> list[migrations.operations.base.Operation]:
    constraint = models.CheckConstraint(condition=Q(role__in=ROLES), name=name)
    return [
        migrations.RemoveConstraint(model, name),
        migrations.AddConstraint(model, constraint),
    ]


def role_choices(model: str, **options: bool) -> migrations.AlterField:
    choices = compliance.core.accounts.roles.Role.choices
    return migrations.AlterField(model, "role", models.CharField(choices=choices, max_length=32, **options))


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_model_names")]
    operations = [
        role_choices("roleassignment"),
        role_choices("invitation"),
        role_choices("accountact", blank=True),
        *known_role("roleassignment", "role_is_known"),
        *known_role("invitation", "invitation_role_is_known"),
        migrations.AddConstraint(
            "invitation",
            models.CheckConstraint(
                condition=Q(accepted_by=None) | ~Q(accepted_by=F("invited_by")), name="invitation_needs_two_people"
            ),
        ),
        migrations.RunSQL(
            ONE_SIDE,
            "DROP TRIGGER role_held_is_of_one_side ON accounts_roleheld;"
            "DROP FUNCTION accounts_refuse_both_sides(); DROP FUNCTION accounts_is_government(text);",
        ),
        migrations.RunSQL(KEEP_ADMINISTRATOR, migrations.RunSQL.noop),
    ]
