"""The certificate of a proxy before this server: its end is known without its key, and read anew."""

from __future__ import annotations

from pathlib import Path

from structlog.testing import capture_logs

from gateway.net.tls import PROXY, of_proxy, reload_all
from tests.certificates import Authority


def test_its_end_is_that_of_the_file_which_is_read_anew(tmp_path: Path) -> None:
    club = Authority(tmp_path)
    club.issues("localhost", days=90)
    (found,) = of_proxy(str(club.cert))
    assert found.listener == PROXY
    before = found.ends
    club.issues("localhost", days=30)
    assert reload_all([found]) == 0
    assert before - found.ends == 60 * 86_400
    club.cert.unlink()
    with capture_logs() as log:
        assert reload_all([found]) == 1
    assert [line["event"] for line in log] == ["the old certificate is kept"]
    assert of_proxy("") == []
