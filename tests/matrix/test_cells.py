"""Every two dialects play every game that both can play, and docs/matrix.md says what each pair carries.

The cells of a game share a server, and a process where tests are spread over several.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gateway import registry
from tests.matrix import document
from tests.matrix.cell import Cell, Pair, pairs
from tests.matrix.servers import serving

CELLS = [pytest.param(game, pair, id=str(pair)) for game in registry.games() for pair in pairs(game)]


@pytest.fixture(scope="module")
def ports(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, int]]:
    with serving(request.param, tmp_path_factory.mktemp(request.param)) as found:
        yield found


@pytest.fixture(scope="module")
def written() -> document.Rows:
    return document.read(document.PATH.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("ports", "pair"), CELLS, indirect=["ports"], scope="module")
def test_cell(ports: dict[str, int], pair: Pair, written: document.Rows) -> None:
    try:
        row = Cell(pair, ports).play()
    except BaseException as failure:
        failure.add_note(f'again: .venv/bin/python -m pytest "tests/matrix/test_cells.py::test_cell[{pair}]"')
        raise
    assert row == written.get(pair), f"docs/matrix.md says otherwise: .venv/bin/python -m tests.matrix {pair.game}"


def test_the_document_has_a_row_for_every_cell_and_no_other(written: document.Rows) -> None:
    assert set(written) == {pair for game in registry.games() for pair in pairs(game)}
    assert document.write(written) == document.PATH.read_text(encoding="utf-8")
