import ratings.models.imports
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0005_formulas_and_competitions'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='importbatch',
            name='page',
        ),
        migrations.AlterField(
            model_name='importbatch',
            name='kind',
            field=models.CharField(choices=ratings.models.imports.kind_choices, default='games', max_length=8, verbose_name='holds'),
        ),
    ]
