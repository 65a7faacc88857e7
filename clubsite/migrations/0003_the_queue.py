import datetime

import django.utils.timezone
from django.db import migrations, models


def end_what_never_began(apps, schema_editor):
    """Each request used to start a process of its own. What still waits was lost then and must not begin weeks later."""
    now = django.utils.timezone.now()
    waiting = apps.get_model("clubsite", "Job").objects.filter(state="waiting")
    waiting.filter(last_sign__lt=now - datetime.timedelta(minutes=1)).update(state="failed", ended_at=now)


class Migration(migrations.Migration):

    dependencies = [("clubsite", "0001_squashed_0002")]

    operations = [
        migrations.CreateModel(
            name="Worker",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80, unique=True, verbose_name="name")),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="started")),
                ("last_sign", models.DateTimeField(default=django.utils.timezone.now, verbose_name="last sign of life")),
            ],
            options={"verbose_name": "worker", "verbose_name_plural": "workers", "ordering": ["pk"]},
        ),
        migrations.AddField(
            model_name="job",
            name="attempts",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="attempts"),
        ),
        migrations.AddField(
            model_name="job",
            name="due_at",
            field=models.DateTimeField(default=django.utils.timezone.now, verbose_name="not before"),
        ),
        migrations.AddField(
            model_name="job",
            name="worker",
            field=models.CharField(blank=True, max_length=80, verbose_name="worker"),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                condition=models.Q(("state", "waiting")), fields=["due_at"], name="waiting_jobs_by_due"
            ),
        ),
        migrations.RunPython(end_what_never_began, migrations.RunPython.noop),
    ]
