"""Words the messages that go by mail: the code for an address, and the link for a new password.

What strangers have chosen, such as a name, stands in a header by the library's rules or not at all: a line of a header
has no end in it.
"""

from __future__ import annotations

from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from typing import Final

PLAIN: Final = SMTP.clone(cte_type="7bit")

AUTOMATIC: Final = "auto-generated"
"""No program answers a message of this kind (RFC 3834, 5)."""


class Writing:
    """``site`` is the server's name, ``sender`` where messages come from, ``pages`` where links lead."""

    def __init__(self, site: str, sender: str, pages: str) -> None:
        self._site = printable(site)
        self._sender = sender
        self._pages = pages

    def confirm(self, to: str, name: str, code: str) -> EmailMessage:
        """Asks whether this address is the account's."""
        return self._letter(
            to,
            f"Your address at {self._site}",
            f"{printable(name)}, this address was given for your account at {self._site}.\n"
            "Open this page within a day to confirm it:",
            f"{self._pages}/mail#{code}",
            "If that was not you, do nothing: no more is sent here.",
        )

    def password(self, to: str, name: str, code: str) -> EmailMessage:
        """Has the link for a new password."""
        return self._letter(
            to,
            f"A new password at {self._site}",
            f"Somebody has asked for a new password of the account {printable(name)} at {self._site}.\n"
            "Choose one on this page within an hour:",
            f"{self._pages}/password#{code}",
            "If that was not you, do nothing: the password stays as it is.",
        )

    def _letter(self, to: str, subject: str, *paragraphs: str) -> EmailMessage:
        letter = EmailMessage(policy=PLAIN)
        letter["From"] = Address(self._site, addr_spec=self._sender)
        letter["To"] = Address(addr_spec=to)
        letter["Subject"] = subject
        letter["Date"] = formatdate(localtime=False)
        letter["Message-ID"] = make_msgid(domain=self._sender.rpartition("@")[2])
        letter["Auto-Submitted"] = AUTOMATIC
        letter.set_content("\n\n".join(paragraphs) + "\n")
        return letter


def printable(text: str) -> str:
    """The text with a blank for whatever does not print, such as the end of a line."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
