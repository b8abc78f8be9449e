from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("audit", "0010_bets_in_lists")]

    operations = [
        migrations.AddIndex("finding", models.Index(fields=["casino", "table"], name="audit_finding_by_table")),
    ]
