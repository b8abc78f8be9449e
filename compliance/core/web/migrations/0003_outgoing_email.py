"""The e-mail outbox, and the trigger that keeps its states and contents."""

from django.db import migrations, models

GUARDS = """
CREATE FUNCTION web_email_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moving constant text[] := ARRAY['state', 'attempts', 'next_try_at', 'sent_at', 'last_error', 'secret'];
BEGIN
    IF to_jsonb(OLD) - moving <> to_jsonb(NEW) - moving OR NEW.attempts < OLD.attempts
        OR NEW.secret NOT IN (OLD.secret, '') THEN
        RAISE EXCEPTION 'An e-mail stays as it was written.' USING ERRCODE = 'restrict_violation';
    END IF;
    IF (OLD.state, NEW.state) NOT IN (
        ('waiting', 'waiting'), ('waiting', 'sent'), ('waiting', 'given-up'), ('waiting', 'withheld')
    ) THEN
        RAISE EXCEPTION 'An e-mail that is % does not become %.', OLD.state, NEW.state
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER web_email_moves BEFORE UPDATE ON web_outgoingemail
    FOR EACH ROW EXECUTE FUNCTION web_email_moves();
ALTER TABLE web_outgoingemail ENABLE ALWAYS TRIGGER web_email_moves;
"""


class Migration(migrations.Migration):
    dependencies = [("web", "0002_model_names")]

    operations = [
        migrations.CreateModel(
            name="OutgoingEmail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("purpose", models.CharField(max_length=32)),
                ("to", models.EmailField(max_length=254)),
                ("reference", models.JSONField()),
                ("secret", models.TextField(blank=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "To be sent"),
                            ("sent", "Sent"),
                            ("given-up", "Given up"),
                            ("withheld", "Not sent"),
                        ],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("created_at", models.DateTimeField()),
                ("next_try_at", models.DateTimeField()),
                ("sent_at", models.DateTimeField(null=True)),
                ("last_error", models.CharField(blank=True, max_length=300)),
            ],
            options={
                "ordering": ["next_try_at", "pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "waiting")), fields=["next_try_at"], name="web_email_due"
                    ),
                    models.Index(fields=["created_at"], name="web_email_created"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("purpose", "reference"), name="web_email_once"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "sent", "given-up", "withheld"])),
                        name="web_email_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state", "sent"), ("sent_at", None), _connector="XOR"),
                        name="web_email_sent_when",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state", "waiting"), ("secret", ""), _connector="OR"),
                        name="web_email_secret_deleted",
                    ),
                ],
            },
        ),
        migrations.RunSQL(GUARDS, "DROP FUNCTION web_email_moves() CASCADE;"),
    ]
