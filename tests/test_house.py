"""Checks the rules of the code base that a program can check: names, sizes, docstrings, plug-ins, installed packages.

lint-imports checks which package may import which, ruff the style of single lines.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import pytest

from gateway import registry
from tests.structure import PRODUCT as INSTALLED
from tests.structure import structure

ROOT = Path(__file__).parent.parent
PRODUCT = sorted(path for top in INSTALLED for path in (ROOT / top).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

CORE = (
    *("protocols/core", "gateway/config", "gateway/table", "gateway/store", "gateway/lobby", "gateway/ops"),
    *("gateway/sessions", "gateway/admission", "gateway/seating", "gateway/tables", "gateway/commits", "gateway/web"),
)
CORE_FILES = (
    *("gateway/games/base.py", "gateway/games/look.py", "gateway/games/guide.py", "gateway/registry.py"),
    *(f"clients/{name}.py" for name in ("drawing", "panel", "player_app", "client_state", "shapes", "board_view")),
)
"""Files that must not name a game or dialect, so that a plug-in never edits them."""

SPEAKS = {
    "clients/client_state.py": {"bogaprot"},
    "gateway/web/lines.py": {"web"},
    "gateway/web/openapi.py": {"web"},
    "gateway/web/operations.py": {"web"},
    "gateway/web/message_schema.py": {"web"},
}
"""Files among these that are, or serve, a client of one dialect: they take its words from that dialect's package."""

COMMANDS = ("gateway/cli/serve.py", "clients/commands/play.py", "clients/commands/bot.py", "clients/registered.py")
"""Files that must not name a dialect; the examples of their help name games."""

SETTINGS_MAY_NAME = "DEFAULT_LISTENERS"
"""The constant of gateway/config with the default listeners: settings, not code."""

EVERYDAY = {"go", "open", "web", "http", "relay"}
"""Names of plug-ins that are words of their own: these are looked for in imports only."""

VAGUE = {"util", "utils", "helper", "helpers", "manager", "handler", "handlers", "common", "data", "action", "misc"}
PRONOUN = re.compile(
    r"(?:It|They|Them|He|She|We|There|Those|What|Whatever|Who|Whom|Whose|Whoever)\b"
    r"|(?:This|That|These) (?:is|are|ha[sd])\b"
)
"""Openings of a docstring that leave its reader to find out what it is about."""

LONGEST = 500
"""A file is one idea, as long as that idea is; longer ones are looked at for two."""

LONG: dict[str, str] = {
    "gateway/tables/runner.py": "the one loop of a table, with everything that it serves",
    "tests/games/test_arimaa.py": "a diagram for every special rule",
    "tests/games/test_ludo.py": "a diagram for every special rule of two rule sets",
    "tests/games/test_hnefatafl.py": "a diagram for every special rule of four rule sets",
}
"""Files of more than LONGEST lines, each with the reason why it is still one idea."""

BROAD: dict[str, str] = {
    "gateway/bots/worker.py": "the outermost line of a worker process: what failed goes back as the answer",
    "gateway/registry.py": "plug-ins of others are imported here: one that fails is left out, and named",
    "gateway/cli/group.py": "programs of others add commands here: those that fail are left out, and named",
    "gateway/background.py": "the outermost line of a task that was started for a caller that cannot wait",
    "gateway/tables/bots.py": "a house bot that fails: it is asked again, then a move is played for it",
    "gateway/cluster/calls.py": "the outermost line of another node's call: it is answered, and disturbs no other",
    "gateway/sessions/connection.py": "the outermost line of a connection: no defect of one disturbs another",
    "gateway/sessions/sending.py": "the same for the words of a table that is watched aside",
    "gateway/tables/recovery.py": "replaying tables: one whose record cannot be read must not keep the others away",
    "gateway/tables/runner.py": "the outermost line of a table: no defect of one disturbs another",
    "gateway/tables/fast_path.py": "the same where a table's task sleeps: the defect is raised in it",
    "gateway/sessions/peer.py": "one task reads for all connections: a defect is raised in the connection's own",
    "gateway/store/writer.py": "the outermost lines of the writer thread, which serves all tables",
    "gateway/relay/visitor.py": "one task reads for all relayed connections: a defect ends the one it happened to",
    "gateway/web/guard.py": "the outermost line of an HTTP connection, around a library that lets malformed input out",
}
"""Files that may catch any exception and go on, each with the reason: the outermost line of what serves many."""

THE_OTHERS = re.compile(r"(?:(?:self|server)\.(?:\w+\.)*)?_?(?:node|nodes|elsewhere|others)")
"""A server's word for the other nodes: where there are none, gateway.cluster.alone stands for them."""

HANDED = {"gateway/bus/postgres_bus.py": "connection.notice_handler = self._take_notice"}
"""Attributes that a constructor sets on an object that it was given: the library has no other way."""

SANS_IO = ("protocols/", "gateway/games/", "gateway/table/", "gateway/store/", "gateway/lobby/")
NO_MIRROR = ("laws", "transcripts", "playthroughs", "conformance", "deploy", "faults", "browser", "matrix")
"""Folders of tests/ that try something in many modules at once and mirror none."""


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def core() -> list[Path]:
    return [path for path in PRODUCT if short(path).startswith(CORE) or short(path) in CORE_FILES]


def plug_in_names() -> set[str]:
    return {*registry.games(), *registry.dialects()}


def imported(module: ast.Module) -> Iterator[str]:
    """Every dotted word of every import; a package of the gateway is none of the plug-ins of its name."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
            names = [name.removeprefix("gateway.web") for name in names]
            yield from (word for name in names for word in name.split("."))


def said(module: ast.Module) -> Iterator[str]:
    """Every word in a name or a string of the code; docstrings, comments and the default listeners are not code."""
    quiet = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.Assign | ast.AnnAssign) and SETTINGS_MAY_NAME in ast.unparse(node).partition("=")[0]:
            quiet |= {id(inside) for inside in ast.walk(node)}
    for node in ast.walk(module):
        if id(node) not in quiet and isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"[a-z0-9]+(?:[_-][a-z0-9]+)*", node.value.lower())
        elif id(node) not in quiet and isinstance(node, ast.Name | ast.Attribute | ast.FunctionDef | ast.ClassDef):
            name = getattr(node, "id", "") or getattr(node, "attr", "") or getattr(node, "name", "")
            yield from (name.lower(), *name.lower().split("_"))


def test_no_core_file_names_a_game_or_a_dialect() -> None:
    for path in core():
        assert set(imported(tree(path))) & plug_in_names() == SPEAKS.get(short(path), set()), short(path)
        assert set(said(tree(path))) & (plug_in_names() - EVERYDAY) == set(), short(path)


def test_no_command_that_serves_or_plays_names_a_dialect() -> None:
    for name in COMMANDS:
        found = {*imported(tree(ROOT / name)), *said(tree(ROOT / name))}
        assert found & (set(registry.dialects()) - EVERYDAY) == set(), name


@pytest.mark.parametrize(
    ("group", "base", "folder"),
    [
        ("games", "Game", "gateway/games"),
        ("dialects", "Dialect", "protocols"),
        ("clients", "RegisteredClient", "clients"),
    ],
)
def test_a_plug_in_that_is_there_is_registered_and_the_other_way_round(group: str, base: str, folder: str) -> None:
    defined = {
        f"{short(path).removesuffix('.py').replace('/', '.')}:{node.name}"
        for path in PRODUCT
        if short(path).startswith(folder) and path not in core()
        for node in tree(path).body
        if isinstance(node, ast.ClassDef) and any(re.match(rf"\w*{base}\b", ast.unparse(name)) for name in node.bases)
    }
    assert {point.value for point in entry_points(group=f"boardgate.{group}")} == defined


def test_the_installed_entry_points_are_those_of_this_tree() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    for group, lines in declared.items():
        assert {point.name: point.value for point in entry_points(group=group)} == lines, "install again"


def test_a_file_says_what_it_is() -> None:
    silent = [path for path in PRODUCT + TESTS if not (ast.get_docstring(tree(path)) or "").strip()]
    marks_of_test_folders = [path for path in TESTS if path.name == "__init__.py" and not tree(path).body]
    assert {short(path) for path in silent} == {short(path) for path in marks_of_test_folders}


def test_what_a_docstring_is_about_is_named_at_its_beginning() -> None:
    """An attribute's docstring counts, too: any string that is a statement."""
    opened = [
        f"{short(path)}:{node.lineno}"
        for path in PRODUCT
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and PRONOUN.match(str(node.value.value))
    ]
    assert opened == []


def test_no_file_has_a_vague_name() -> None:
    assert [short(path) for path in PRODUCT + TESTS if VAGUE & set(path.stem.split("_"))] == []


def test_long_files_are_stated_and_no_others() -> None:
    long = {short(path) for path in PRODUCT + TESTS if len(path.read_text(encoding="utf-8").splitlines()) > LONGEST}
    assert long == set(LONG)


def test_no_import_runs_up_though_it_be_for_type_checking_only() -> None:
    assert structure().up == ()


def test_no_files_import_each_other_in_a_circle_though_it_be_for_type_checking_only() -> None:
    assert structure().circle == ()


def test_any_exception_is_caught_in_stated_places_only() -> None:
    broad = {
        short(path)
        for path in PRODUCT
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or set(re.findall(r"\w+", ast.unparse(node.type))) & {"Exception", "BaseException"})
        and not isinstance(node.body[-1], ast.Raise)
    }
    assert broad == set(BROAD)


def test_whether_there_are_other_nodes_is_no_question_outside_cluster() -> None:
    """Rows of the database have numbers of nodes, and NULL where nobody owns a table."""
    asked = [
        f"{short(path)}:{node.lineno} {ast.unparse(node)}"
        for path in PRODUCT
        if not short(path).startswith(("gateway/cluster/", "gateway/store/"))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Compare) and ast.unparse(node.comparators[0]) == "None"
        if THE_OTHERS.fullmatch(ast.unparse(node.left))
    ]
    assert asked == []


def test_parts_get_their_collaborators_when_they_are_built() -> None:
    """A constructor sets attributes of its own object alone, and nobody puts a method of its own into another's. Where
    two need each other, one of them gets a function."""
    handed = {
        short(path): ast.unparse(node)
        for path in PRODUCT
        if short(path).startswith(("gateway/", "protocols/"))
        for made in ast.walk(tree(path))
        if isinstance(made, ast.ClassDef)
        for function in made.body
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and _others_attributes(node)
        and (function.name in ("__init__", "__post_init__") or _methods_of(made) & set(_values(node)))
    }
    assert handed == HANDED


def _others_attributes(node: ast.Assign | ast.AnnAssign) -> bool:
    """True if an attribute of an object other than ``self``, or a part of that attribute, is assigned to."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    parts = [part for to in targets for part in (to.elts if isinstance(to, ast.Tuple) else [to])]
    attributes = [part.value if isinstance(part, ast.Subscript) else part for part in parts]
    return any(isinstance(each, ast.Attribute) and ast.unparse(each.value) != "self" for each in attributes)


def _values(node: ast.Assign | ast.AnnAssign) -> list[str]:
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    return [ast.unparse(value) for value in values if value is not None]


def _methods_of(made: ast.ClassDef) -> set[str]:
    functions = [part for part in made.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {f"self.{function.name}" for function in functions if not function.decorator_list}


def test_no_error_is_made_once_for_all() -> None:
    """An error that is raised keeps its frames, and with them their local variables, as long as it lives."""
    for path in PRODUCT:
        if path.name != "__main__.py" and not short(path).startswith("migrations/"):
            name = short(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            made = [key for key, value in vars(import_module(name)).items() if isinstance(value, BaseException)]
            assert made == [], name


def test_rules_wire_and_record_never_wait() -> None:
    waiting = (ast.AsyncFunctionDef, ast.Await, ast.AsyncWith, ast.AsyncFor)
    for path in PRODUCT:
        if short(path).startswith(SANS_IO):
            assert not any(isinstance(node, waiting) for node in ast.walk(tree(path))), short(path)


def test_a_block_that_runs_a_program_kills_it_however_the_block_ends() -> None:
    """A Popen of its own as a block waits for its program when an assertion fails: for ever, where that goes on."""
    waits = [path for path in TESTS if "with subprocess.Popen(" in path.read_text()]
    assert waits == [ROOT / "tests/processes.py", Path(__file__)]


def test_a_test_stands_where_what_it_tests_stands() -> None:
    packages = {short(source.parent) for source in PRODUCT}
    for path in TESTS:
        folder = path.parent.relative_to(ROOT / "tests").as_posix()
        mirrors = folder.split("/")[0] in (".", *NO_MIRROR) or {folder, f"gateway/{folder}"} & packages
        assert mirrors or not path.name.startswith("test_"), short(path)


def test_nothing_is_left_for_later_and_no_file_has_sections() -> None:
    unwanted = re.compile(r"#.*\b(?:TODO|FIXME|XXX)\b|#\s*[-=*]{4,}")
    for path in PRODUCT + TESTS:
        if path != Path(__file__):
            assert unwanted.findall(path.read_text(encoding="utf-8")) == [], short(path)


def test_constraints_are_versions_from_any_index() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line)] == []


def test_trio_typing_is_not_installed() -> None:
    assert find_spec("trio_typing") is None
    assert "trio-typing" not in (ROOT / "constraints.txt").read_text(encoding="utf-8").lower()
