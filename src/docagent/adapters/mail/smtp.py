"""Hands mail to an SMTP server, in a thread: the standard library's client blocks."""

from __future__ import annotations

import asyncio
import logging
import smtplib
import ssl
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from typing import Literal

from docagent.domain.errors import InvalidInput, Unavailable
from docagent.domain.ports import Mail

logger = logging.getLogger(__name__)

Security = Literal["starttls", "tls", "none"]


@dataclass(frozen=True, slots=True)
class SmtpServer:
    host: str
    port: int
    security: Security
    sender: str
    seconds: float
    username: str | None = None
    password: str | None = field(default=None, repr=False)


class SmtpMailer:
    """`context` says whose certificates are believed; none believes what this machine does."""

    def __init__(self, server: SmtpServer, context: ssl.SSLContext | None = None) -> None:
        self._server = server
        self._context = context

    async def send(self, mail: Mail) -> None:
        try:
            await asyncio.to_thread(self._send, self._message(mail), mail.to)
        except smtplib.SMTPRecipientsRefused as error:
            raise InvalidInput(f"The mail server does not take mail for {mail.to}.") from error
        except (smtplib.SMTPException, OSError) as error:
            logger.warning("mail was not sent", extra={"server": self._server.host, "error": str(error)})
            raise Unavailable(
                "The mail server did not take the mail. Try again later; the server's log has the reason."
            ) from error

    def _message(self, mail: Mail) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self._server.sender
        message["To"] = mail.to
        message["Subject"] = mail.subject
        message["Date"] = formatdate(localtime=False)
        message["Message-ID"] = make_msgid(domain=self._domain)
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(mail.text)
        return message

    def _send(self, message: EmailMessage, to: str) -> None:
        server = self._server
        with self._connected() as smtp:
            if server.username is not None and server.password is not None:
                smtp.login(server.username, server.password)
            smtp.send_message(message, to_addrs=[to])

    def _connected(self) -> smtplib.SMTP:
        server, name = self._server, self._domain
        if server.security == "none":
            return smtplib.SMTP(server.host, server.port, name, server.seconds)
        context = self._context or ssl.create_default_context()
        if server.security == "tls":
            return smtplib.SMTP_SSL(server.host, server.port, name, timeout=server.seconds, context=context)
        smtp = smtplib.SMTP(server.host, server.port, name, server.seconds)
        try:
            smtp.starttls(context=context)
        except (smtplib.SMTPException, OSError):
            smtp.close()
            raise
        return smtp

    @property
    def _domain(self) -> str:
        """What we say we are. Without it the library would look this machine's name up."""
        return parseaddr(self._server.sender)[1].rpartition("@")[2]
