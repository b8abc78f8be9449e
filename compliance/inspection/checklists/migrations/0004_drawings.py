"""Draw jobs, run by workers: their progress and range."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q

GUARD = """
CREATE FUNCTION checklists_drawing_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.drawn_at IS NOT NULL OR (OLD.sample_id, OLD.is_again) <> (NEW.sample_id, NEW.is_again)
        OR (NEW.reached < OLD.reached AND OLD.failed_at IS NULL) THEN
        RAISE EXCEPTION 'a draw goes on, and once it is drawn nothing of it changes'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER checklists_drawing_goes_on BEFORE UPDATE ON checklists_drawing
    FOR EACH ROW EXECUTE FUNCTION checklists_drawing_goes_on();
CREATE TRIGGER checklists_no_delete BEFORE DELETE ON checklists_drawing
    FOR EACH ROW EXECUTE FUNCTION checklists_refuse();
ALTER TABLE checklists_drawing ENABLE ALWAYS TRIGGER checklists_drawing_goes_on,
    ENABLE ALWAYS TRIGGER checklists_no_delete;
"""
REMOVE = "DROP FUNCTION checklists_drawing_goes_on() CASCADE;"


class Migration(migrations.Migration):
    dependencies = [("checklists", "0003_weights")]
    operations = [
        migrations.CreateModel(
            name="Drawing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("is_again", models.BooleanField(default=False)),
                ("rounds", models.PositiveBigIntegerField()),
                ("first", models.BigIntegerField()),
                ("last", models.BigIntegerField()),
                ("reached", models.BigIntegerField()),
                ("weighed", models.PositiveBigIntegerField(default=0)),
                ("so_far", models.JSONField(default=dict)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("failure", models.TextField(blank=True)),
                ("failed_at", models.DateTimeField(null=True)),
                ("drawn_at", models.DateTimeField(null=True)),
                ("was_same", models.BooleanField(null=True)),
                (
                    "sample",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="drawings", to="checklists.sample"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(
                        condition=Q(drawn_at=None, failed_at=None), fields=["id"], name="checklists_drawing_unfinished"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=Q(is_again=False), fields=("sample",), name="checklists_drawing_once"
                    ),
                    models.UniqueConstraint(
                        condition=Q(is_again=True, drawn_at=None, failed_at=None),
                        fields=("sample",),
                        name="checklists_drawing_one_again",
                    ),
                    models.CheckConstraint(
                        condition=Q(reached__gte=F("first"), reached__lte=F("last")), name="checklists_drawing_within"
                    ),
                    models.CheckConstraint(
                        condition=Q(failed_at=None, failure="")
                        | Q(failed_at__isnull=False, drawn_at=None) & ~Q(failure=""),
                        name="checklists_drawing_failed_whole",
                    ),
                    models.CheckConstraint(
                        condition=Q(is_again=True, drawn_at__isnull=False, was_same__isnull=False)
                        | Q(is_again=True, drawn_at=None, was_same=None)
                        | Q(is_again=False, was_same=None),
                        name="checklists_drawing_compared",
                    ),
                ],
            },
        ),
        migrations.RunSQL(GUARD, REMOVE),
    ]
