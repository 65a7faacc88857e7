"""All addresses of the site."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import include, path


def favicon(request: HttpRequest) -> HttpResponseRedirect:
    """Browsers ask here on pages that name no icon, such as the admin's."""
    return HttpResponseRedirect(static("umaoka/logo.svg"))


urlpatterns = [
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("favicon.ico", favicon),
    path("tournaments/", include("tournaments.urls")),
    path("", include("ratings.urls")),
]
