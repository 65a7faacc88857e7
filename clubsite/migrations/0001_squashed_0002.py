import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('clubsite', '0001_initial'),
        ('clubsite', '0002_limits_and_recovery_codes'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('key', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('count', models.PositiveIntegerField()),
                ('until', models.BigIntegerField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40, verbose_name='kind')),
                ('title', models.CharField(max_length=200, verbose_name='title')),
                ('params', models.JSONField(default=dict, verbose_name='parameters')),
                ('scope', models.CharField(blank=True, max_length=80, verbose_name='whom it concerns')),
                ('subject', models.CharField(blank=True, max_length=80, verbose_name='what it works on')),
                ('back_url', models.CharField(blank=True, max_length=300, verbose_name='where it was started')),
                ('language', models.CharField(blank=True, max_length=10, verbose_name='language')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('running', 'running'), ('done', 'done'), ('refused', 'refused'), ('stopped', 'stopped'), ('failed', 'failed')], default='waiting', max_length=8, verbose_name='state')),
                ('phrase', models.CharField(blank=True, max_length=200, verbose_name='what it is doing')),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('result', models.TextField(blank=True, verbose_name='result')),
                ('stop_requested', models.BooleanField(default=False)),
                ('process', models.PositiveIntegerField(null=True, verbose_name='process')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='started')),
                ('last_sign', models.DateTimeField(default=django.utils.timezone.now, verbose_name='last sign of life')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='ended')),
                ('started_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='started by')),
            ],
            options={
                'verbose_name': 'long work',
                'verbose_name_plural': 'long work',
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['waiting', 'running']), models.Q(('subject', ''), _negated=True)), fields=('kind', 'subject'), name='one_job_at_a_time')],
            },
        ),
    ]
