"""Joins the modules of each page's script into one file when the server starts.

A script that no other one imports is a page's. It is served with all that it imports in it, each module as a function
of its own, so that their names do not meet: one request instead of twenty, and a fifth less to load. The scripts keep
to two forms: ``import {a, b as c} from "./name.js";`` and ``export`` before a function, class or const.

What few readers need is a late module: ``await import("./name.js")``. It is a file of its own. Where one page has it,
it takes the modules that the page has loaded from there, so that none is loaded, or has its state, twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_IMPORT: Final = re.compile(r'^import (?:\{([^}]*)\} from )?"\./([\w-]+)\.js";\n', re.MULTILINE)
_RENAMED: Final = re.compile(r"(\w+) as (\w+)")
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
_LATE: Final = re.compile(r'\bimport\("\./([\w-]+)\.js"\)')
_OTHER: Final = re.compile(r"^(?:import\b|export\b).*", re.MULTILINE)


def bundled(scripts: Mapping[str, str]) -> dict[str, str]:
    """The whole script of each page, and each late module, by its name without ".js", as ``scripts`` are.

    ValueError: a module is not there, or is imported in a circle, or in a form that is not known here.
    """
    imported = {name for text in scripts.values() for _, name in _IMPORT.findall(text)}
    late = {name for text in scripts.values() for name in _LATE.findall(text)}
    pages = {name: _in_order(name, scripts, ()) for name in scripts if name not in imported | late}
    needed = {name: _in_order(name, scripts, ()) for name in sorted(late)}
    lent: dict[str, set[str]] = {page: set() for page in pages}
    found = {}
    for name, modules in needed.items():
        users = [page for page, own in pages.items() if any(name in _LATE.findall(scripts[one]) for one in own)]
        shared = [one for one in modules if len(users) == 1 and one in pages[users[0]]]
        taken = f'import{{{",".join(map(_called, shared))}}}from"./{users[0]}.js";\n' if shared else ""
        if shared:
            lent[users[0]].update(shared)
        own = "".join(_scoped(one, scripts[one]) for one in modules[:-1] if one not in shared)
        found[name] = taken + own + _linked(name, scripts[name], exports=True)
    return found | {page: _page(page, modules, scripts, sorted(lent[page])) for page, modules in pages.items()}


def _page(name: str, modules: list[str], scripts: Mapping[str, str], lent: list[str]) -> str:
    """``lent`` are the modules that late ones take from here."""
    parts = [_scoped(one, scripts[one]) for one in modules[:-1]]
    given = f"export{{{','.join(map(_called, lent))}}};\n" if lent else ""
    return "".join(parts) + _linked(name, scripts[name]) + given


def _in_order(name: str, scripts: Mapping[str, str], above: tuple[str, ...]) -> list[str]:
    """The modules that ``name`` needs, each after those that it needs itself; ``name`` is the last."""
    if name not in scripts or name in above:
        raise ValueError(f"{above[-1] if above else 'a page'}.js imports {name}.js, which is missing or imports it")
    found: list[str] = []
    for _, needed in _IMPORT.findall(scripts[name]):
        found += [one for one in _in_order(needed, scripts, (*above, name)) if one not in found]
    return [*found, name]


def _scoped(name: str, text: str) -> str:
    """A module as a function that is called once and returns what it exports."""
    exports = ",".join(_EXPORT.findall(text))
    return f"const {_called(name)}=(()=>{{\n{_linked(name, text)}return{{{exports}}};\n}})();\n"


def _linked(name: str, text: str, *, exports: bool = False) -> str:
    """The text of a module whose imports are taken from those before it; ``exports``: it still exports what it did."""
    imported = _IMPORT.sub(_taken, text)
    linked = _EXPORT.sub("", imported)
    if other := _OTHER.search(linked):
        raise ValueError(f"{name}.js: {other.group()!r} is no form of import or export that is known here")
    return imported if exports else linked


def _taken(found: re.Match[str]) -> str:
    names, module = found.groups()
    if names is None:
        return ""
    wanted = _RENAMED.sub(r"\1:\2", " ".join(names.split()))
    return f"const{{{wanted}}}={_called(module)};\n"


def _called(module: str) -> str:
    return "m_" + module.replace("-", "_")
