from django.db import migrations, models

# For questions already pending, the date is in the decision that asked.
DATES = """
UPDATE reviews_review SET answer_due_at = decision.due_at FROM reviews_decision decision
WHERE reviews_review.state = 'asked' AND decision.finding_id = reviews_review.finding_id
AND decision.number = reviews_review.decided_times
"""


class Migration(migrations.Migration):
    dependencies = [("reviews", "0003_dealers")]

    operations = [
        migrations.AddField("review", "answer_due_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("review", "reminded_at", models.DateTimeField(blank=True, null=True)),
        migrations.RunSQL([DATES, "SET CONSTRAINTS ALL IMMEDIATE"], migrations.RunSQL.noop),
        migrations.AddIndex(
            "review",
            models.Index(condition=models.Q(("state", "asked")), fields=["answer_due_at"], name="reviews_to_answer"),
        ),
        migrations.AddConstraint(
            "review",
            models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "asked"), _negated=True), ("answer_due_at__isnull", False), _connector="OR"
                ),
                name="reviews_asked_by_when",
            ),
        ),
    ]
