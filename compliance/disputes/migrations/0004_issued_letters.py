"""Letters as issued. They only grow, like the other facts of disputes."""

from django.db import migrations, models

GUARD = """
CREATE TRIGGER disputes_no_change BEFORE UPDATE OR DELETE ON disputes_issuedletter
    FOR EACH ROW EXECUTE FUNCTION disputes_refuse();
CREATE TRIGGER disputes_no_truncate BEFORE TRUNCATE ON disputes_issuedletter EXECUTE FUNCTION disputes_refuse();
ALTER TABLE disputes_issuedletter ENABLE ALWAYS TRIGGER disputes_no_change, ENABLE ALWAYS TRIGGER disputes_no_truncate;
"""


class Migration(migrations.Migration):
    dependencies = [("disputes", "0003_model_names")]

    operations = [
        migrations.CreateModel(
            name="IssuedLetter",
            fields=[
                (
                    "step",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="letter",
                        serialize=False,
                        to="disputes.step",
                    ),
                ),
                ("content", models.BinaryField()),
            ],
        ),
        migrations.RunSQL(GUARD, migrations.RunSQL.noop),
    ]
