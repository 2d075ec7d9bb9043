"""``make quick`` runs the tests nearest to a change first."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests import peers
from tests.changed import changed, concerned, distances


def test_a_test_file_is_nearest_to_its_own_change() -> None:
    assert concerned(["tests/games/test_ludo.py"]) == ["tests/games/test_ludo.py"]


def test_tests_of_a_module_come_before_tests_of_its_users() -> None:
    found = concerned(["gateway/games/ludo/rules.py"])
    assert found[0] == "tests/games/test_ludo.py"
    assert {"tests/playthroughs/test_files.py", "tests/laws/test_games.py"} <= set(found), "found by the registry"


def test_a_dialect_concerns_its_transcripts() -> None:
    assert "tests/transcripts/test_files.py" in concerned(["protocols/ggzboard.py"])


def test_a_file_that_is_no_module_concerns_the_tests_in_its_folder_or_those_at_the_top() -> None:
    assert concerned(["tests/transcripts/ggzboard/seat.txt"])[:1] == ["tests/transcripts/test_files.py"]
    assert "tests/test_documents.py" in concerned(["docs/play.md"])


def test_distance_is_the_shortest_chain_of_imports() -> None:
    importers = {"a": {"b", "c"}, "b": {"c", "d"}, "c": {"d"}, "e": {"a"}}
    assert distances(["a"], importers) == {"a": 0, "b": 1, "c": 1, "d": 2}


@peers.needed
def test_a_change_is_what_git_does_not_have_upstream_or_else_the_last_commit(tmp_path: Path) -> None:
    git = peers.program("git")

    def commit(*names: str) -> None:
        for name in names:
            (tmp_path / name).write_text("")
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        for words in (("add", "."), (*who, "commit", "--quiet", "--message", "x")):
            subprocess.run([git, *words], cwd=tmp_path, check=True)

    subprocess.run([git, "init", "--quiet", "--initial-branch", "main"], cwd=tmp_path, check=True)
    commit("a.py")
    commit("b.py", "c.md")
    assert changed(tmp_path) == ["b.py", "c.md"]
    (tmp_path / "new.py").write_text("")
    (tmp_path / "a.py").write_text("changed")
    assert changed(tmp_path) == ["a.py", "new.py"]
    for words in (("branch", "upstream"), ("branch", "--quiet", "--set-upstream-to", "upstream")):
        subprocess.run([git, *words], cwd=tmp_path, check=True)
    commit("new.py")
    assert changed(tmp_path) == ["a.py", "new.py"]
