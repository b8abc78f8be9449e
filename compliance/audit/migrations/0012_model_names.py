"""Models take the names that the code uses. Their tables keep theirs: state only, no SQL."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("audit", "0011_findings_by_table")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("ReadingWeight", "ReadingImpact"),
                migrations.RenameModel("Happening", "TimelineEvent"),
                migrations.RenameModel("PlayedDay", "DailyTotals"),
                migrations.RenameModel("PlayedBet", "DailyBetTotals"),
                migrations.AlterModelTable("readingimpact", "audit_readingweight"),
                migrations.AlterModelTable("timelineevent", "audit_happening"),
                migrations.AlterModelTable("dailytotals", "audit_playedday"),
                migrations.AlterModelTable("dailybettotals", "audit_playedbet"),
            ]
        )
    ]
