"""Comments of the operator on findings, append-only."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARDS = """
CREATE TRIGGER reviews_no_change BEFORE UPDATE OR DELETE ON reviews_comment
    FOR EACH ROW EXECUTE FUNCTION reviews_refuse();
CREATE TRIGGER reviews_no_truncate BEFORE TRUNCATE ON reviews_comment EXECUTE FUNCTION reviews_refuse();
ALTER TABLE reviews_comment ENABLE ALWAYS TRIGGER reviews_no_change, ENABLE ALWAYS TRIGGER reviews_no_truncate;
"""
UNDO = """
DROP TRIGGER reviews_no_change ON reviews_comment;
DROP TRIGGER reviews_no_truncate ON reviews_comment;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0016_findings_by_evidence"),
        ("reviews", "0005_model_names"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Comment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                ("by_name", models.CharField(max_length=120)),
                ("at", models.DateTimeField()),
                ("text", models.TextField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "finding",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="comments", to="audit.finding"
                    ),
                ),
            ],
            options={
                "ordering": ["finding", "entry_index"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("log", "entry_index"), name="reviews_comment_one_entry"),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="reviews_comment_says_something"
                    ),
                ],
            },
        ),
        migrations.RunSQL(GUARDS, UNDO),
    ]
