"""Words the messages that go by mail: the code for an address, the link for a new password, notices, reports.

What strangers have chosen, such as a name, stands in a header by the library's rules or not at all: a line of a header
has no end in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from typing import Final

from gateway.push.vapid import base64url
from gateway.push.words import Message as Told
from gateway.store.reports import Report

PLAIN: Final = SMTP.clone(cte_type="7bit")

AUTOMATIC: Final = "auto-generated"
"""No program answers a message of this kind (RFC 3834, 5)."""

ONE_CLICK: Final = "List-Unsubscribe=One-Click"
"""The body of a mail program's request that ends notices (RFC 8058, 3.2)."""


def off_path(off: bytes) -> str:
    """The page that ends the notices whose messages have this code."""
    return f"/mail/off?code={base64url(off)}"


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

    def notice(self, to: str, name: str, told: Told, off: bytes) -> EmailMessage:
        """Tells of a game, and how to hear no more: by a page, or by the mail program's own button (RFC 8058)."""
        end = f"{self._pages}{off_path(off)}"
        letter = self._letter(
            to,
            printable(told.title),
            f"{printable(told.body)}\n{self._pages}{told.url}",
            f"You are told because your account {printable(name)} at {self._site} wishes so.\n"
            f"To be told no more by mail: {end}",
        )
        letter["List-Unsubscribe"] = f"<{end}>"
        letter["List-Unsubscribe-Post"] = ONE_CLICK
        return letter

    def reports(self, to: str, reports: Sequence[Report]) -> EmailMessage:
        """Tells the host of these reports, each with its words."""
        many = "A report" if len(reports) == 1 else f"{len(reports)} reports"
        return self._letter(
            to,
            f"{many} at {self._site}",
            *(self._report(report) for report in reports),
            f"All that wait, and the buttons that close them: {self._pages}/host/reports",
        )

    def _report(self, report: Report) -> str:
        """The reporter, when, about whom, where, and the words, which no mail program takes for the server's own."""
        about = f", about {printable(report.player)}" if report.player else ""
        at = datetime.fromtimestamp(report.at, UTC).strftime("%Y-%m-%d %H:%M UTC")
        where = "" if report.table is None else f"\n{self._pages}/table/{report.table}"
        quoted = "\n".join(f"> {printable(line)}" for line in report.text.splitlines())
        return f"Report {report.id}, by {printable(report.by)}{about}, {at}{where}\n{quoted}"

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
