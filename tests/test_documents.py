"""The documents agree with the program: made parts, links, pictures, commands, and the checker for outsiders."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner

from gateway import registry
from gateway.cli import main
from gateway.cli.group import commands
from gateway.config import DEFAULT_LISTENERS
from gateway.store.views import ndjson_lines
from protocols.core.commands import Resign
from protocols.core.events import SeatsTurned
from protocols.core.opcode_dialect import OpcodeDialect
from protocols.core.proposals import Draw, Rematch
from tests import peers
from tests.cli.playing import play_out, record, run
from tests.conformance.sessions import sessions
from tests.documents import DOCUMENTS, EXAMPLES, ROOT, renewed
from tests.game_pages import FOLDER, missing
from tests.store.games import TABLE, Played, forged, old_rows, rows, seq_of


def _called(document: Path) -> str:
    return str(document.relative_to(ROOT))


PICTURES = sorted((ROOT / "docs" / "pictures").glob("*.svg"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=_called)
def test_made_parts_are_what_the_program_would_make(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert text == renewed(text), "python -m tests.documents"


@pytest.mark.parametrize("document", DOCUMENTS, ids=_called)
def test_every_link_to_a_file_leads_to_one(document: Path) -> None:
    linked = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
    assert [link for link in linked if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=_called)
def test_every_link_to_a_heading_leads_to_one(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    linked = re.findall(r"\]\(([^)#:]*\.md)?#([^)]+)\)", text)
    lost = [(file, heading) for file, heading in linked if heading not in _headings(document, file)]
    assert lost == []


def _headings(document: Path, file: str) -> set[str]:
    text = (document.parent / file if file else document).read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


PROTOCOLS = ROOT / "docs" / "protocols"
PAGES = {"gtp-engine": "gtp", "gtp-gui": "gtp"}
"""The pages of dialects that share one."""


@pytest.mark.parametrize("name", registry.dialects())
def test_every_dialect_has_a_page_with_its_limits_its_states_and_sessions_that_a_server_plays(name: str) -> None:
    page = PROTOCOLS / f"{PAGES.get(name, name)}.md"
    assert {"states", "sessions", "limits", "coming-back"} <= _headings(page, ""), page
    assert any(re.match(rf"{name}\b", word) for played in sessions(page) for word in played.listeners)


DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
SHORT = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    *(ROOT / "docs" / f"{name}.md" for name in ("play", "chess", "go", "connect", "promises")),
    *DECISIONS,
]
"""The first documents of players and new contributors."""


@pytest.mark.parametrize("document", SHORT, ids=_called)
def test_sentences_of_short_documents_have_at_most_25_words(document: Path) -> None:
    text = re.sub(r"^```.*?^```$|<!-- made: .*?<!-- made: end -->", "", document.read_text("utf-8"), flags=re.M | re.S)
    paragraphs = re.split(r"\n\s*\n|^[|#>*].*?(?=\s)", text, flags=re.MULTILINE)
    ends = re.compile(r"(?<=[.?!:])(?:\*\*)?\s|\|")
    sentences = [" ".join(part.split()) for whole in paragraphs for part in ends.split(whole)]
    assert [sentence for sentence in sentences if len(re.findall(r"[^\W_]\S*", sentence)) > 25] == []


def test_the_architecture_is_read_in_ten_minutes() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split()) <= 1500


def test_decisions_have_one_file_a_package_and_the_index_names_each() -> None:
    packages = [path.stem for top in ("gateway", ".") for path in (ROOT / top).iterdir()]
    named = [path.stem for path in DECISIONS if path.stem != "README"]
    assert [name for name in named if name not in packages] == []
    index = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\]\((\w+)\.md\)", index)) == named


@pytest.mark.parametrize("document", DOCUMENTS, ids=_called)
def test_every_named_file_of_the_tree_exists(document: Path) -> None:
    named = re.findall(
        r"`((?:gateway|protocols|clients|bench|tests|docs|deploy|migrations)/[\w./]+)`", document.read_text("utf-8")
    )
    invented = re.compile("NAME|PACKAGE|DIALECT")
    assert [path for path in named if not invented.search(path) and not (ROOT / path).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=_called)
def test_every_command_and_option_that_is_shown_exists(document: Path) -> None:
    known = {name: set(_options(name)) for part in commands().values() for name in part}
    for line in re.findall(r"boardgate ([a-z]+ .*)", document.read_text(encoding="utf-8")):
        words = re.split(r"[\s`|>#]+", re.sub('"[^"]*"', "QUOTED", line))
        if words[0] not in known:
            continue
        own = words[: words.index("--")] if "--" in words else words  # what follows is another program's
        options = {word.partition("=")[0] for word in own if word.startswith("--")}
        assert options <= known[words[0]], line


def _options(command: str) -> list[str]:
    group = main.get_command(Context(main), command)
    asked = [[command], *([command, part] for part in getattr(group, "commands", {}))]
    helps = [CliRunner().invoke(main, [*words, "--help"]).output for words in asked]
    return re.findall(r"--[a-z-]+", "\n".join(helps))


def test_the_readme_has_every_default_listener() -> None:
    rows = re.findall(r"^\| (\d+) \| `([^`]+)`", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    shown = {int(port): listener for port, listener in rows}
    assert shown == {
        listen.port: ",".join([listen.dialect, *(f"{key}={text}" for key, text in listen.options.items())])
        for listen in DEFAULT_LISTENERS
    }


def test_every_game_has_its_page_and_every_page_its_game() -> None:
    assert missing() == [], "python -m tests.documents begins the page; write below what the rules were compared with"
    assert sorted(path.stem for path in FOLDER.glob("*.md")) == sorted(registry.games())


@pytest.mark.parametrize("name", registry.games())
def test_the_page_of_a_game_is_made_from_its_rules_and_says_what_they_were_compared_with(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert f"<!-- made: game_{name} -->" in text
    assert f"<!-- made: sample_{name} -->" in text
    assert "\n## What the rules are compared with\n\n" in text


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.name)
def test_a_picture_needs_nothing_from_elsewhere(picture: Path) -> None:
    text = picture.read_text(encoding="utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert text.startswith("<svg ")
    assert re.findall(r"https?:|@font-face|<image|<script|/home/|/root/|file:", text) == []


def test_the_checker_for_outsiders_proves_a_record_and_finds_a_changed_one(tmp_path: Path) -> None:
    play_out(record(tmp_path), "ludo", lambda state: state.game.legal_moves(state.position)[0])
    lines = run("export", 1, data=tmp_path).output.splitlines()
    assert not any('"notation"' in line for line in lines)
    check = runpy.run_path(str(ROOT / "docs" / "check_record.py"))["check"]
    rolls = sum('"kind":"DiceRolled"' in line for line in lines)
    assert check(lines).startswith(f"{len(lines)} events in one chain, {rolls} rolls honest, last digest ")
    with pytest.raises(ValueError, match="the chain breaks at event 2"):
        check([lines[0], lines[1].replace('"seat":0', '"seat":1'), *lines[2:]])
    table = Played("ludo")
    table.play_on(20)
    table.does(0, Resign())
    old = list(ndjson_lines(TABLE, old_rows(table.events)))
    assert any('"notation"' in line for line in old)
    assert check(old).startswith(f"{len(old)} events in one chain, ")
    four = Played("ludo", seats=4)
    for proposal in (Draw(), Rematch(), Draw()):
        four.agree(proposal)
    assert check(list(ndjson_lines(TABLE, rows(four.events)))).startswith(f"{len(four.events)} events in one chain, ")
    lie = list(ndjson_lines(TABLE, forged(four.events, seq_of(four.events, SeatsTurned), by=1)))
    with pytest.raises(ValueError, match="a draw of seats that is not the secret's: 1"):
        check(lie)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_message_of_an_opcode_protocol_is_in_the_document_with_the_bytes_that_we_send_and_read(name: str) -> None:
    """The document's hex is made by the rule it states; the codec makes and understands the same."""
    dialect = registry.dialects()[name]
    assert issubclass(dialect, OpcodeDialect)
    text = (PROTOCOLS / f"{name}.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^\| \d+ \|.*\| `([A-Z_]+[^`]*)` \| `([0-9a-f ]+)` \|$", text, re.MULTILINE))
    for shape in dialect.protocol.shapes:
        examples = [line for line in EXAMPLES[name] if line.split()[0] == shape.name]
        assert examples, f"no example of {shape.name}"
        for line in examples:
            data = bytes.fromhex(shown[line])
            for side in shape.senders:
                assert dialect.text_to_wire([line], sent=side == "server", options={}) == data
                assert dialect.wire_to_text(data, sent=side == "server", options={}) == [line]


def test_the_pages_of_the_manual_are_what_help_says() -> None:
    """In a process of its own: click keeps the help option of a command as whoever ran it first had it."""
    program = "from tests.manual import stale; print(*stale())"
    found = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.split() == [], "python -m tests.manual"


@peers.needed
@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "man").glob("*.1")), ids=lambda page: page.stem)
def test_a_page_of_the_manual_is_read_without_a_warning(page: Path) -> None:
    groff = peers.program("groff")
    said = subprocess.run(
        [groff, "-man", "-Tutf8", "-ww", page], capture_output=True, text=True, timeout=60, check=True
    )
    assert said.stderr == ""
    assert page.stem.upper() in said.stdout
