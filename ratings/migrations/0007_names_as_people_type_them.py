import ratings.models.clubs
from django.db import migrations, models

from ratings.mahjong.sound_keys import indexed_words

ROWS_AT_ONCE = 500


def write_search_words(apps, schema_editor):
    """`manage.py rebuild` writes the same; until then nobody would be found by the sound of a name."""
    players = apps.get_model("ratings", "Player").objects.using(schema_editor.connection.alias)
    aliases = apps.get_model("ratings", "Alias").objects.using(schema_editor.connection.alias)
    last = 0
    while rows := list(players.filter(pk__gt=last).order_by("pk")[:ROWS_AT_ONCE]):
        last = rows[-1].pk
        others = {}
        for player_id, name in aliases.filter(player__in=rows).values_list("player_id", "name"):
            others.setdefault(player_id, []).append(name)
        for row in rows:
            latin = f"{row.latin_first} {row.latin_last}".strip()
            names = [row.native_name, latin, row.nickname, *others.get(row.pk, [])]
            row.search_words = f"{indexed_words([row.nickname])}\n{indexed_words(names)}"
        players.bulk_update(rows, ["search_words"], batch_size=100)


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0001_squashed_0006'),
    ]

    operations = [
        migrations.AddField(
            model_name='historicalplayer',
            name='remark',
            field=models.CharField(blank=True, default='', help_text='Tells two people of one name apart, such as “from Gdynia”. Only staff of the club see it.', max_length=60, validators=[ratings.models.clubs.valid_name], verbose_name='remark'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='player',
            name='remark',
            field=models.CharField(blank=True, default='', help_text='Tells two people of one name apart, such as “from Gdynia”. Only staff of the club see it.', max_length=60, validators=[ratings.models.clubs.valid_name], verbose_name='remark'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='player',
            name='search_words',
            field=models.TextField(blank=True, default='', editable=False),
        ),
        migrations.RunPython(write_search_words, migrations.RunPython.noop),
    ]
