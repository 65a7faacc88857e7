"""All addresses of the site."""

from django.contrib import admin
from django.contrib.auth.views import PasswordResetCompleteView, PasswordResetDoneView
from django.contrib.sitemaps import views as sitemaps
from django.http import HttpRequest, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import include, path

import ratings.sitemaps
import tournaments.sitemaps
from clubsite.staff import staff_page
from clubsite.views import health, jobs
from clubsite.views.passwords import ForgottenPassword, NewPassword
from clubsite.views.robots import robots

SITEMAPS = {**ratings.sitemaps.SITEMAPS, **tournaments.sitemaps.SITEMAPS}


def favicon(request: HttpRequest) -> HttpResponseRedirect:
    """Browsers request this on pages without an icon, such as those of the admin."""
    return HttpResponseRedirect(static("umaoka/logo.svg"))


handler500 = "clubsite.failures.broken"

password_urls = [
    path("forgotten/", ForgottenPassword.as_view(), name="admin_password_reset"),
    path("forgotten/sent/", PasswordResetDoneView.as_view(), name="password_reset_done"),
    path("new/<uidb64>/<token>/", NewPassword.as_view(), name="password_reset_confirm"),
    path("new/done/", PasswordResetCompleteView.as_view(), name="password_reset_complete"),
]

urlpatterns = [
    path("", include("ratings.urls")),  # first, because every pattern tried takes time and these are requested most
    path("admin/jobs/", staff_page(jobs.work), name="work"),
    path("admin/jobs/<int:pk>/", staff_page(jobs.job), name="job"),
    path("admin/jobs/<int:pk>/stop/", staff_page(jobs.stop_job), name="stop_job"),
    path("admin/data/", admin.site.urls),
    path("admin/", include("ratings.desk_urls")),
    path("robots.txt", robots),
    path("sitemap.xml", sitemaps.index, {"sitemaps": SITEMAPS, "sitemap_url_name": "sitemap_part"}, name="sitemap"),
    path("sitemap-<section>.xml", sitemaps.sitemap, {"sitemaps": SITEMAPS}, name="sitemap_part"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("favicon.ico", favicon),
    path("tournaments/", include("tournaments.urls")),
    path("healthz", health.site),
    path("healthz/worker", health.worker),
    path("password/", include(password_urls)),
]
