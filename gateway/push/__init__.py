"""Sends what waits in the database: notices to players who are away, by Web Push and webhook, and messages by mail.

    sender.py     the loop: messages are sent by one node, each way by itself, again where that failed
    by_push.py    Web Push: a browser shows a notice while no page is open
    by_webhook.py webhooks: an account's program is told by a request of its own server
    by_mail.py    mail: codes for addresses, links for new passwords, notices
    to_host.py    reports for the host, by mail and by a signed request to an address of the settings
    words.py      a notice in the words of a person, for the service worker (static/js/worker.js) and for mail
    encrypted.py  seals a message for one browser, so that its push service cannot read it (RFC 8291)
    vapid.py      signs each request with the server's key, so that the service knows who sends (RFC 8292)
    posting.py    one HTTPS request to an address that a stranger gave us
    letters.py    the messages that go by mail
    smtp.py       the host's mail server

What is told, and when, is rows of the record (gateway/tables/noticing.py, gateway/store/notices.py, mail.py).

Arrow: imports the store and the registry; the web and the command line import this package.
"""
