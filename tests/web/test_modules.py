"""Scripts as they are served: one for each page, and refused where a module has an unknown form."""

from __future__ import annotations

import re

import pytest

from gateway.web.pages.assets import Assets
from gateway.web.pages.modules import bundled


def test_a_page_has_one_script_with_each_module_once_behind_those_that_it_needs() -> None:
    scripts = {
        "page": 'import {b} from "./b.js";\nimport {c as d} from "./c.js";\nb(d);\n',
        "b": 'import {c} from "./c.js";\nexport function b(x) { return c + x; }\n',
        "c": "export const c = 1;\nconst own = 2;\n",
    }
    assert bundled(scripts) == {
        "page": "const m_c=(()=>{\nconst c = 1;\nconst own = 2;\nreturn{c};\n})();\n"
        "const m_b=(()=>{\nconst{c}=m_c;\nfunction b(x) { return c + x; }\nreturn{b};\n})();\n"
        "const{b}=m_b;\nconst{c:d}=m_c;\nb(d);\n"
    }


def test_a_late_module_is_a_file_of_its_own_and_takes_from_its_page_what_that_has() -> None:
    scripts = {
        "page": 'import {b} from "./b.js";\nb(() => import("./late.js"));\n',
        "b": "export function b() {}\n",
        "c": "export const c = 1;\n",
        "late": 'import {b} from "./b.js";\nimport {c} from "./c.js";\nexport class Late extends b(c) {}\n',
    }
    found = bundled(scripts)
    assert found["page"].endswith('b(() => import("./late.js"));\nexport{m_b};\n')
    assert found["late"] == (
        'import{m_b}from"./page.js";\nconst m_c=(()=>{\nconst c = 1;\nreturn{c};\n})();\n'
        "const{b}=m_b;\nconst{c}=m_c;\nexport class Late extends b(c) {}\n"
    )


def test_a_late_module_of_two_pages_has_all_that_it_needs() -> None:
    scripts = {
        "page": 'import {b} from "./b.js";\nb(import("./late.js"));\n',
        "other": 'import {b} from "./b.js";\nb(import("./late.js"));\n',
        "b": "export function b() {}\n",
        "late": 'import {b} from "./b.js";\nexport const late = b;\n',
    }
    found = bundled(scripts)
    assert "export" not in found["page"] + found["other"]
    assert found["late"].startswith("const m_b=(()=>{")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("export default 1;\n", "export default"),
        ("export let a = 1;\n", "export let"),
        ('import * as b from "./b.js";\n', "import"),
        ('import {b} from "./missing.js";\n', "page.js imports missing.js"),
    ],
)
def test_other_forms_of_modules_are_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        bundled({"page": text})


def test_modules_in_a_circle_are_refused() -> None:
    scripts = {
        "page": 'import {a} from "./a.js";\n',
        "a": 'import {b} from "./b.js";\nexport const a = 1;\n',
        "b": 'import {a} from "./a.js";\nexport const b = 1;\n',
    }
    with pytest.raises(ValueError, match=r"b\.js imports a\.js"):
        bundled(scripts)


def test_a_style_sheet_has_those_in_it_that_it_imports() -> None:
    files = Assets().files
    whole, board = (files[f"css/{name}.css"].content.decode() for name in ("table", "board"))
    assert whole.startswith(board)
    assert "@import" not in whole


def test_the_script_of_the_table_page_imports_nothing_more() -> None:
    script = Assets().files["js/table.js"].content.decode()
    assert not re.search(r"^import\b|^export(?!{)", script, re.MULTILINE)
    assert len(re.findall(r"\bconst m_fold=", script)) == 1
