"""Lets an answer rest on the audit."""

from django.db import migrations, models

BASES = {
    "representation": "Representation",
    "observation": "Observation",
    "examination": "Examination",
    "re-performance": "Re-performance",
    "audit": "The audit",
}
KNOWN = models.CheckConstraint(condition=models.Q(basis__in=list(BASES)), name="checklists_answer_basis_known")


class Migration(migrations.Migration):
    dependencies = [("checklists", "0006_jobs")]

    operations = [
        migrations.RemoveConstraint("clauseanswer", "checklists_answer_basis_known"),
        *(
            migrations.AlterField(name, "basis", models.CharField(max_length=14, choices=list(BASES.items())))
            for name in ("clauseanswer", "draftanswer")
        ),
        migrations.AddConstraint("clauseanswer", KNOWN),
    ]
