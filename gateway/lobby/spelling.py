"""Rules of spelling for names, and keys under which names that look alike are equal.

A name is normalised (NFKC: full-width and ornamental letters become plain ones). Of ASCII it may have anything that
prints; beyond ASCII letters and their marks, all of one script that people write today. So no name hides a letter of
one script among those of another. Names whole of one script that look like another's are not refused, but ``keys``
makes them one name. Source: UTS 39, its sections 3.1, 4 and 5.2, made smaller: the East Asian scripts are one, and
look-alikes are listed for alphabets that have many.
"""

from __future__ import annotations

import unicodedata
from typing import Final

EAST_ASIAN: Final = "EAST ASIAN"

SCRIPTS: Final = {
    **{word: word for word in ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "THAANA")},
    **{word: word for word in ("DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA")},
    **{word: word for word in ("MALAYALAM", "SINHALA", "THAI", "LAO", "TIBETAN", "MYANMAR", "KHMER", "ETHIOPIC")},
    **dict.fromkeys(("CJK", "IDEOGRAPHIC", "BOPOMOFO", "HANGUL"), EAST_ASIAN),
    **dict.fromkeys(("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"), EAST_ASIAN),
}
"""A letter's script by the first word of its name in Unicode: those that people write today. Those that are written
together in one language or another count as one."""

MARKS: Final = 3
"""Marks that one letter may bear: a vowel, a nasal, a tone. More of them climb over the lines above and below."""

ACCENTS_END: Final = 0x334
"""Accents that all scripts share end here; strokes through letters and letters above letters follow."""

LATIN_END: Final = 0x180
"""Latin letters from here on are phonetic signs and turned letters, most of them like others; but for these:"""

LATIN_MORE: Final = frozenset("ƏəƁɓƊɗƘƙƳƴƐɛƆɔƝɲƔɣƉɖƑƒƲʋ")
"""Letters of African languages and of Azerbaijani. A letter that is allowed without marks is allowed with them."""

ALSO: Final = frozenset("ー々")
"""Written among letters without being one: Japanese's long vowel and repetition."""

BLANK: Final = frozenset("\u115f\u1160\u17b4\u17b5")
"""Letters and marks of those scripts of which nothing is seen."""

LOOKS: Final = str.maketrans(
    {
        **dict.fromkeys("1I|ІӀӏΙ", "l"),
        **dict.fromkeys("0ОоΟοσՕօ", "o"),
        **dict(zip("аеорсухѕіјԛԝһԁьгкмтпвн", "aeopcyxsijqwhdbrkmtnbh", strict=True)),
        **dict(zip("АВЕКМНРСТУХЅЈԚԜЬ", "ABEKMHPCTYXSJQWb", strict=True)),
        **dict(zip("αβικνρτυχγ", "abikvptuxy", strict=True)),
        **dict(zip("ΑΒΕΖΗΚΜΝΡΤΥΧ", "ABEZHKMNPTYX", strict=True)),
        **dict(zip("եհյոսցıĸЗз", "thjnugik33", strict=True)),
        **dict(zip("口力工二八夕卜へー", "ロカエニハタトヘ一", strict=True)),
    }
)
"""A letter to the one it is taken for. Sources: UTS 39's confusables as far as they are in SCRIPTS, and by eye."""


def tidy(text: str) -> str:
    """The text normalised, without blanks around it and with single ones inside."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def fault(name: str) -> str:
    """A complaint about the letters of a tidy name, in words; "" for none."""
    scripts: set[str] = set()
    marks, letter = 0, False
    for char in name:
        mark = unicodedata.category(char) in ("Mn", "Mc")
        marks, letter = (marks + 1, letter) if mark else (0, char.isalpha())
        script = _script(char)
        if script is None or marks > MARKS or (mark and not letter):
            return f"U+{ord(char):04X} does not belong into a name here"
        scripts |= {script} - {""}
    if len(scripts) > 1:
        return f"letters of one script only, not {' and '.join(sorted(scripts))}"
    return ""


def keys(name: str) -> frozenset[str]:
    """Two names that have one of these in common are one to their readers: in any letter case, or by their looks."""
    if name.isascii():
        seen = name.translate(LOOKS)
    else:
        seen = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).translate(LOOKS))
    return frozenset((name.casefold(), seen.casefold().replace("rn", "m").replace("vv", "w")))


def _script(char: str) -> str | None:
    """A letter's script; "" for ASCII's digits and signs, and accents, which all scripts share. None: not for names."""
    if char.isascii():
        return ("LATIN" if char.isalpha() else "") if char.isprintable() else None
    category, word = unicodedata.category(char), unicodedata.name(char, "").partition(" ")[0]
    if char in BLANK or not (category in ("Lu", "Ll", "Lo", "Mn", "Mc") or char in ALSO):
        return None
    if word == "COMBINING":
        return "" if ord(char) < ACCENTS_END else None
    if word == "LATIN":
        base = unicodedata.normalize("NFD", char)[0]
        return word if ord(base) < LATIN_END or base in LATIN_MORE else None
    return SCRIPTS.get(word)
