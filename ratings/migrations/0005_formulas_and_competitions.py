from django.db import migrations, models

import ratings.models.seasons


def read_key_from_address(apps, schema_editor):
    """Until now the whole address was stored: `/tournaments/open/` is the page of the event with the key `open`."""
    for name in ("Season", "HistoricalSeason"):
        seasons = apps.get_model("ratings", name).objects.using(schema_editor.connection.alias)
        rows = list(seasons.exclude(event_url="").only("pk", "event_url"))
        for row in rows:
            row.competition = row.event_url.rstrip("/").rpartition("/")[2]
        seasons.bulk_update(rows, ["competition"], batch_size=500)


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0004_names_invitations_hidden_seasons'),
    ]

    operations = [
        migrations.AlterField(
            model_name='historicalseason',
            name='formula',
            field=models.CharField(choices=ratings.models.seasons.formula_choices, default='sum', max_length=8, verbose_name='rating'),
        ),
        migrations.AlterField(
            model_name='season',
            name='formula',
            field=models.CharField(choices=ratings.models.seasons.formula_choices, default='sum', max_length=8, verbose_name='rating'),
        ),
        migrations.AddField(
            model_name='historicalseason',
            name='competition',
            field=models.SlugField(blank=True, db_index=False, default='', editable=False),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='season',
            name='competition',
            field=models.SlugField(blank=True, db_index=False, default='', editable=False),
            preserve_default=False,
        ),
        migrations.RunPython(read_key_from_address),
        migrations.RemoveField(
            model_name='historicalseason',
            name='event_url',
        ),
        migrations.RemoveField(
            model_name='season',
            name='event_url',
        ),
    ]
