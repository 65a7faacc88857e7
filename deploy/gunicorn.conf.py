"""How gunicorn serves the site: `gunicorn --config deploy/gunicorn.conf.py clubsite.wsgi`.

Its own messages are JSON lines like the site's. There is no access log: it would hold everybody's address.
"""

import os

bind = os.environ.get("UMAOKA_BIND", "127.0.0.1:8000")
workers = int(os.environ.get("WEB_CONCURRENCY", "3"))
timeout = 60
accesslog = None
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "clubsite.logs.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {"gunicorn.error": {"level": "INFO", "handlers": ["stderr"], "propagate": False}},
    "root": {"level": "WARNING", "handlers": ["stderr"]},
}
