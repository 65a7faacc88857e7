"""The shipped nginx configuration: nginx accepts it, and its wide limits stop a flood but no other visitor."""

from __future__ import annotations

import http.client
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.with_postgres import free_port

FILE = Path(__file__).resolve().parents[2] / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/sbin:/bin")
pytestmark = pytest.mark.faults  # run with the other suites that need an installed program


class _Site(BaseHTTPRequestHandler):
    """Answers every request; one address gets a refusal by the site itself."""

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        own_refusal = self.path.startswith("/password/")
        self.send_response(429 if own_refusal else 200)
        if own_refusal:
            self.send_header("Retry-After", "1234")
        self.send_header("Content-Length", "4")
        self.end_headers()
        self.wfile.write(b"site")

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_words: object) -> None:
        """Log nothing in tests."""


class Proxy:
    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, path: str, address: str, method: str = "POST") -> tuple[int, str | None, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, headers={"X-From": address, "Content-Length": "0"})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.getheader("Retry-After"), body

    def statuses(self, path: str, *addresses: str) -> list[int]:
        return [self.ask(path, address)[0] for address in addresses]


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """nginx as shipped, with other ports and limits that do not depend on speed: three requests, then one a minute."""
    place = tmp_path_factory.mktemp("nginx")
    site = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    port = free_port()
    shipped = FILE.read_text().replace("127.0.0.1:8000", f"127.0.0.1:{site.server_port}")
    shipped = shipped.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("    listen [::]:80;\n", "")
    for shown, here in (("2r/s", "1r/m"), ("5r/s", "1r/m"), ("burst=100", "burst=2"), ("burst=400", "burst=2")):
        assert shown in shipped
        shipped = shipped.replace(shown, here)
    folders = "".join(
        f"{kind}_temp_path {place}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (place / "nginx.conf").write_text(
        f"daemon off;\npid {place}/pid;\nerror_log {place}/errors;\nevents {{}}\n"
        f"http {{\n{folders}set_real_ip_from 127.0.0.1;\nreal_ip_header X-From;\n{shipped}\n}}\n"
    )
    assert NGINX is not None, "nginx is not installed (Debian: nginx-light)"
    run = [NGINX, "-p", str(place), "-c", str(place / "nginx.conf"), "-e", str(place / "errors")]
    tried = subprocess.run([*run, "-t"], capture_output=True, text=True)
    assert tried.returncode == 0, tried.stderr
    server = subprocess.Popen(run)
    found = Proxy(port)
    try:
        _wait_for(found, server)
        yield found
    finally:
        server.terminate()
        server.wait(60)
        site.shutdown()
        site.server_close()


def _wait_for(proxy: Proxy, server: subprocess.Popen[bytes]) -> None:
    for _attempt in range(600):
        try:
            proxy.ask("/", "192.0.2.1", "GET")
            return
        except OSError:
            assert server.poll() is None
            time.sleep(0.1)
    pytest.fail("nginx did not answer")


def test_one_sender_is_refused_in_words_with_a_time(proxy: Proxy) -> None:
    assert proxy.statuses("/admin/login/", *["192.0.2.7"] * 3) == [200] * 3
    status, again, words = proxy.ask("/admin/login/", "192.0.2.7")
    assert (status, again) == (429, "60")
    assert b"wait a minute" in words


def test_others_and_readers_are_not(proxy: Proxy) -> None:
    proxy.statuses("/tournaments/open/register/", *["192.0.2.8"] * 4)
    assert proxy.ask("/tournaments/open/register/", "192.0.2.8")[0] == 429
    assert proxy.ask("/tournaments/open/register/", "192.0.2.8", "GET")[0] == 200
    assert proxy.ask("/tournaments/open/me/", "192.0.2.8")[0] == 200
    assert proxy.ask("/tournaments/open/register/", "192.0.2.9")[0] == 200


def test_an_ipv6_network_is_one_sender(proxy: Proxy) -> None:
    """This includes addresses that have zeros and line feeds among their bytes."""
    for network in ("2001:db8::", "2001:db8:a0a:a0a:", "2001:db8:0:1:"):
        hosts = [f"{network}a0a:{n:x}:1:1" if network.count(":") == 4 else f"{network}{n:x}:2" for n in range(1, 6)]
        assert proxy.statuses("/admin/login/", *hosts) == [200, 200, 200, 429, 429], network


def test_what_the_site_itself_says_passes_through(proxy: Proxy) -> None:
    assert proxy.ask("/password/forgotten/", "192.0.2.10") == (429, "1234", b"site")
