from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("audit", "0002_guards")]

    operations = [
        migrations.CreateModel(
            name="Happening",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                ("kind", models.TextField()),
                ("table", models.TextField(blank=True)),
                ("at", models.DateTimeField()),
                ("taken_back_index", models.BigIntegerField(blank=True, null=True)),
            ],
            options={
                "ordering": ["log", "entry_index"],
                "indexes": [
                    models.Index(fields=["log", "table", "kind", "at"], name="audit_happening_of_table"),
                    models.Index(fields=["log", "kind", "at"], name="audit_happening_of_kind"),
                    models.Index(fields=["log", "table", "at"], name="audit_happening_by_time"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("log", "entry_index"), name="audit_happening_once"),
                ],
            },
        ),
    ]
