"""Counts the structure of the code from its imports: files, lines, arrows that run up, circles.

    python -m tests.structure

An arrow is an import of one file by another, those for type checking included. It runs up when it leads to a package
that stands higher in the layers of pyproject.toml. A circle is a set of files of which each reaches each other.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
PROGRAMS: Final = ("clients", "bench")
"""Packages beside the server, above all of it."""
PRODUCT: Final = ("gateway", "protocols", *PROGRAMS, "migrations")
"""Every package that is installed."""
SHORT: Final = 60
"""Lines below which a file is counted as short."""


@dataclass(frozen=True, slots=True)
class Structure:
    """``arrows`` by module: what it imports; ``up`` and ``circle`` are empty where all is well."""

    lines: Mapping[str, int]
    arrows: Mapping[str, frozenset[str]]
    up: tuple[tuple[str, str], ...]
    circle: tuple[str, ...]


def structure() -> Structure:
    """Of the server, the dialects and the programs."""
    tops = [top for top in PRODUCT if top != "migrations"]
    files = {_name(path): path for top in tops for path in sorted((ROOT / top).rglob("*.py"))}
    arrows = {name: frozenset(_imports(name, path, files)) for name, path in files.items()}
    height = _heights()
    up = tuple(
        (name, other)
        for name in sorted(arrows)
        for other in sorted(arrows[name])
        if height.get(_package(other), -1) > height.get(_package(name), -1)
    )
    lines = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in files.items()}
    return Structure(lines, arrows, up, _circle(arrows))


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imports(name: str, path: Path, files: Mapping[str, Path]) -> Iterator[str]:
    """The files of ours that one imports; of a package it imports from, the file that is meant."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files and alias.name != name)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found = inner if inner in files else node.module
                if found in files and found != name:
                    yield found


def _heights() -> dict[str, int]:
    """The height of each package, by the layers of pyproject.toml; protocols lie below all, programs above."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (layers,) = [found["layers"] for found in contracts["contracts"] if found.get("containers") == ["gateway"]]
    heights = {"protocols": 0}
    for height, layer in enumerate(reversed(layers), 1):
        heights |= {f"gateway.{package.strip()}": height for package in layer.split("|")}
    return heights | dict.fromkeys(PROGRAMS, len(layers) + 1)


def _package(name: str) -> str:
    return ".".join(name.split(".")[: 2 if name.startswith("gateway.") else 1])


def _circle(arrows: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """One circle; () where there is none."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return tuple(error.args[1])
    return ()


def main() -> None:
    """Print the figures."""
    found = structure()
    print(f"files {len(found.lines)}, of fewer than {SHORT} lines {sum(n < SHORT for n in found.lines.values())}")
    print(f"lines {sum(found.lines.values())}, arrows {sum(map(len, found.arrows.values()))}")
    print(f"arrows that run up {len(found.up)}, a circle: {' > '.join(found.circle) or 'none'}")


if __name__ == "__main__":
    main()
