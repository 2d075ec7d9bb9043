"""Every rule of the protocols' documents has a test that quotes it, or a reason why it is not served as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.coverage import DOCUMENTS, SPECS, rules, words


def _called(spec: Path) -> str:
    return spec.stem


@pytest.mark.parametrize("spec", SPECS, ids=_called)
def test_every_rule_is_quoted_by_a_test_or_is_a_deviation_with_its_reason(spec: Path) -> None:
    assert [rule.text for rule in rules(spec) if not rule.tests and not rule.deviation] == []


@pytest.mark.parametrize("spec", SPECS, ids=_called)
def test_the_rules_are_in_the_words_and_the_order_of_the_document(spec: Path) -> None:
    document = DOCUMENTS / spec.name
    if not document.exists():
        pytest.skip(f"{document.name} is not beside this tree")
    text, at = words(document.read_text(encoding="utf-8")), 0
    for rule in rules(spec):
        found = text.find(words(rule.text), at)
        assert found >= 0, f"not in {document.name} behind the rule before it: {rule.text}"
        at = found


def test_the_rules_of_the_five_documents_are_listed() -> None:
    """Each file begins with the name of its document."""
    assert {"bogaprot", "chess-p2p", "gamesman-p2p", "gtp-server-commands", "miniature-p2p"} <= {
        spec.stem for spec in SPECS
    }
    assert all(re.match(r"# The rules of ", spec.read_text(encoding="utf-8")) for spec in SPECS)
