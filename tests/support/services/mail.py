"""A small SMTP server on this machine that keeps the mail it is given."""

from __future__ import annotations

import base64
import email
import email.policy
import queue
import socket
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage

from tests.support.polling import SECONDS

REFUSED = "nobody@"
"""Mail to such an address is refused."""


@dataclass
class MailServer:
    """What it was told. With a `context` it offers STARTTLS, or speaks TLS from the start if `wrapped`."""

    context: ssl.SSLContext | None = None
    wrapped: bool = False
    port: int = 0
    letters: queue.Queue[EmailMessage] = field(default_factory=queue.Queue)
    logins: list[str] = field(default_factory=list)
    """Decoded, as the client sent them over an encrypted line."""
    in_the_open: list[str] = field(default_factory=list)
    """Every command that came over a line that was not encrypted."""

    def next_letter(self) -> EmailMessage:
        return self.letters.get(timeout=SECONDS)


def text_of(letter: EmailMessage) -> str:
    return str(letter.get_content())


@contextmanager
def running_mail_server(
    context: ssl.SSLContext | None = None, *, wrapped: bool = False
) -> Iterator[MailServer]:
    mail = MailServer(context, wrapped)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            _Conversation(mail, self.request).run()

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        mail.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield mail
        server.shutdown()
        thread.join(SECONDS)


class _Conversation:
    def __init__(self, mail: MailServer, connection: socket.socket) -> None:
        self._mail = mail
        self._connection = connection
        self._encrypted = False

    def run(self) -> None:
        try:
            if self._mail.wrapped:
                self._encrypt()
            self._open()
            self._say("220 ready")
            while self._answer(self._read()):
                pass
        except (ssl.SSLError, ConnectionError):
            pass
        finally:
            self._connection.close()

    def _answer(self, command: str) -> bool:
        verb = command.split(" ")[0].upper()
        if verb == "EHLO":
            offers = ["AUTH PLAIN"] if self._encrypted else ["STARTTLS"] if self._mail.context else []
            for line in ("docagent.test", *offers, "SMTPUTF8", "8BITMIME"):
                self._say(f"250-{line}")
            self._say("250 OK")
        elif verb == "STARTTLS":
            self._say("220 go ahead")
            self._encrypt()
            self._open()
        elif verb == "AUTH":
            self._mail.logins.append(base64.b64decode(command.split(" ")[2]).decode())
            self._say("235 welcome")
        elif verb == "RCPT" and REFUSED in command:
            self._say("550 no such person")
        elif verb == "DATA":
            self._say("354 go on")
            lines = [line.removeprefix(".") for line in iter(self._read, ".")]
            content = "".join(f"{line}\r\n" for line in lines).encode()
            self._mail.letters.put(email.message_from_bytes(content, policy=email.policy.default))
            self._say("250 kept")
        else:
            self._say("221 bye" if verb == "QUIT" else "250 OK")
        return verb != "QUIT"

    def _encrypt(self) -> None:
        assert self._mail.context is not None
        self._connection = self._mail.context.wrap_socket(self._connection, server_side=True)
        self._encrypted = True

    def _open(self) -> None:
        self._lines = self._connection.makefile("rb")

    def _read(self) -> str:
        raw = self._lines.readline()
        if not raw:
            raise ConnectionError("the client is gone")
        line = raw.decode().rstrip("\r\n")
        if not self._encrypted:
            self._mail.in_the_open.append(line)
        return line

    def _say(self, line: str) -> None:
        self._connection.sendall(f"{line}\r\n".encode())
