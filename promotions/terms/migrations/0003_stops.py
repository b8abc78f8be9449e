"""Steps of a postponed promotion, with triggers for their order and against changes."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from promotions.shared.append_only_triggers import make_append_only

# The same transitions as models.INTEGRITY_TRANSITIONS; a test compares them.
IN_ORDER = """
CREATE FUNCTION terms_stops_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last record;
BEGIN
    SELECT step, after INTO last FROM terms_promotionstep WHERE promotion_id = NEW.promotion_id
        ORDER BY step DESC LIMIT 1;
    IF NEW.step <> coalesce(last.step, 0) + 1 OR NEW.before <> coalesce(last.after, 'sound')
       OR (NEW.before, NEW.act, NEW.after) NOT IN (
        ('sound', 'postponed', 'postponed'), ('postponed', 'validated', 'sound')
    ) THEN
        RAISE EXCEPTION 'a promotion that is % cannot be %', coalesce(last.after, 'sound'), NEW.act
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER terms_stops_in_order BEFORE INSERT ON terms_promotionstep
    FOR EACH ROW EXECUTE FUNCTION terms_stops_in_order();
ALTER TABLE terms_promotionstep ENABLE ALWAYS TRIGGER terms_stops_in_order;
"""
UNDO = """
DROP TRIGGER terms_stops_in_order ON terms_promotionstep;
DROP FUNCTION terms_stops_in_order();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("terms", "0002_guards"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PromotionStep",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                ("step", models.PositiveSmallIntegerField()),
                (
                    "act",
                    models.CharField(choices=[("postponed", "Postponed"), ("validated", "Validated")], max_length=16),
                ),
                ("before", models.CharField(choices=[("sound", "Sound"), ("postponed", "Postponed")], max_length=16)),
                ("after", models.CharField(choices=[("sound", "Sound"), ("postponed", "Postponed")], max_length=16)),
                ("happened_at", models.DateTimeField()),
                ("statement", models.TextField()),
                ("recorded_at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "promotion",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="stops", to="terms.promotion"
                    ),
                ),
            ],
            options={
                "ordering": ["promotion", "step"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("log", "entry_index"), name="terms_promotionstep_one_entry"),
                    models.UniqueConstraint(fields=("promotion", "step"), name="terms_stop_once"),
                    models.CheckConstraint(
                        condition=models.Q(("statement", ""), _negated=True), name="terms_stop_says_why"
                    ),
                ],
            },
        ),
        make_append_only(["terms_promotionstep"]),
        migrations.RunSQL(IN_ORDER, UNDO),
    ]
