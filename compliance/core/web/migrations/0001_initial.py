from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Mail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("to", models.TextField()),
                ("subject", models.TextField()),
                ("body", models.TextField()),
                ("sent_at", models.DateTimeField()),
            ],
            options={"ordering": ["-sent_at", "-pk"]},
        ),
        migrations.CreateModel(
            name="Pulse",
            fields=[
                ("name", models.CharField(max_length=32, primary_key=True, serialize=False)),
                ("seen_at", models.DateTimeField()),
            ],
        ),
    ]
